/** Runs `act` after the first view has had time to render; returns a function that cancels it. */
export function afterFirstView(act: () => void): () => void {
  const timer = setTimeout(act, 2_000);
  return () => clearTimeout(timer);
}
