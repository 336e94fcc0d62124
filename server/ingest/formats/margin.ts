/** The least indentation of lines that are not blank. */
export function marginOf(lines: readonly string[]): number {
  let margin = Number.POSITIVE_INFINITY;
  for (const line of lines) if (line.trim() !== '') margin = Math.min(margin, line.search(/\S/));
  return Number.isFinite(margin) ? margin : 0;
}

/** The lines without the indentation that all of them have. */
export function outdented(lines: readonly string[]): string[] {
  const margin = marginOf(lines);
  return lines.map((line) => line.slice(margin));
}
