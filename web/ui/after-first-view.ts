/** Runs `act` when the first view has had its time; returns a function that cancels it. */
export function afterFirstView(act: () => void): () => void {
  const timer = setTimeout(act, 2_000);
  return () => clearTimeout(timer);
}
