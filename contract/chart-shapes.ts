import type { StatusState } from './status.ts';
import type { Day } from './status-words.ts';

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

/** Units of the drawing of days; it is stretched to its box. */
export const dayBar = { width: 4, height: 32 } as const;
/** What was measured for a moment only can still be seen. */
const shownMin = 0.15;

/** One bar a day, filled as far as the day was measured: a path of all bars, and one of what is filled for each state. */
export function dayPaths(days: readonly Day[]): { ground: string; filled: [StatusState, string][] } {
  const { width, height } = dayBar;
  const filled = new Map<StatusState, string>();
  let ground = '';
  for (const [place, { state, checks, measured }] of days.entries()) {
    const x = place * width + 0.5;
    ground += bar(x, 0, height);
    if (checks === 0) continue;
    const high = Math.round(Math.max(measured, shownMin) * height * 100) / 100;
    filled.set(state, (filled.get(state) ?? '') + bar(x, Math.round((height - high) * 100) / 100, high));
  }
  return { ground, filled: [...filled] };
}

function bar(x: number, y: number, high: number): string {
  return `M${x} ${y}h${dayBar.width - 1}v${high}h-${dayBar.width - 1}z`;
}

/** The next of 2, 4, 10, 20, 40, 100 and so on, so that the half of it is a round number too. */
export function niceMaximum(largest: number): number {
  for (let power = 1; ; power *= 10) {
    for (const step of [2, 4, 10]) if (largest <= step * power) return step * power;
  }
}

/** Units of the drawing of times; it is stretched to its box. */
export const latencyChart = {
  stepWidth: 10,
  height: 100,
  /** Pixels: a step with calls between steps without any has no line to be seen by. */
  pointWidth: 6,
} as const;
