/** Disposes a stack of what was opened, the last first, whatever fails on the way. Throws the first fault, alone. */
export async function closeScope(scope: AsyncDisposableStack): Promise<void> {
  try {
    await scope.disposeAsync();
  } catch (error) {
    let first: unknown = error;
    while (first instanceof SuppressedError) first = first.suppressed;
    throw first;
  }
}
