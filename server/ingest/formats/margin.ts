/** Returns the smallest indentation of non-blank lines. */
export function marginOf(lines: readonly string[]): number {
  let margin = Number.POSITIVE_INFINITY;
  for (const line of lines) if (line.trim() !== '') margin = Math.min(margin, line.search(/\S/));
  return Number.isFinite(margin) ? margin : 0;
}

/** Removes the common indentation. */
export function outdented(lines: readonly string[]): string[] {
  const margin = marginOf(lines);
  return lines.map((line) => line.slice(margin));
}
