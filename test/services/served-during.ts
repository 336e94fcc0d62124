/** Returns the number of turns that other tasks of the event loop get during some work. */
export async function servedDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const serve = () => {
    turns += 1;
    if (!isOver) setImmediate(serve);
  };
  setImmediate(serve);
  await work();
  isOver = true;
  return turns;
}
