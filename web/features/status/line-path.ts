/**
 * The path of a line through values in the middle of their steps; it ends before a missing value and begins again after
 * it. Values alone are points: `points` is their path, which round and wide ends make visible.
 */
export function linePath(
  values: readonly (number | null)[],
  { stepWidth, height, top }: { stepWidth: number; height: number; top: number },
): { line: string; points: string } {
  let points = '';
  const line = values
    .map((value, place) => {
      if (value === null) return '';
      const x = (place + 0.5) * stepWidth;
      const y = Math.round((height - (value / top) * height) * 100) / 100;
      const isFirst = (values[place - 1] ?? null) === null;
      const isAlone = isFirst && (values[place + 1] ?? null) === null;
      if (isAlone) points += `M${x} ${y}h0.01`;
      return isAlone ? '' : `${isFirst ? 'M' : 'L'}${x} ${y}`;
    })
    .join('');
  return { line, points };
}
