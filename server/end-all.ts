/** Ends what was opened, the last first, whatever fails on the way. Throws the first fault when all is done. */
export async function endAll(opened: (() => unknown)[]): Promise<void> {
  const faults: unknown[] = [];
  for (const end of opened.splice(0).reverse()) {
    try {
      await end();
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
}
