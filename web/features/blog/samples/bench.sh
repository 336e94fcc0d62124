./lectern bench --corpora ../corpora --rounds 3   # writes bench/last.json with a note on the machine
