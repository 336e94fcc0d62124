/** Disposes a stack, last opened first, even if some disposals fail. Throws only the first error. */
export async function closeScope(scope: AsyncDisposableStack): Promise<void> {
  try {
    await scope.disposeAsync();
  } catch (error) {
    let first: unknown = error;
    while (first instanceof SuppressedError) first = first.suppressed;
    throw first;
  }
}
