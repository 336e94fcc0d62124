./lectern eval --corpora ../corpora --data .eval   # fetch nothing, index what is there, ask every question
./lectern eval --corpora ../corpora --data .eval --compare   # ends with 1 when a figure dropped beyond noise
./lectern eval   # no corpora at hand: our own questions about the folder docs
