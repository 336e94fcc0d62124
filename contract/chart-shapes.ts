import type { StatusState } from './status.ts';
import type { Day } from './status-words.ts';

/**
 * Returns the path of a line through values centred on their steps, with a gap at each missing value. `points` is the
 * path of isolated values, which wide round line caps make visible.
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

/** Size of one day's bar in drawing units; the drawing is stretched to its box. */
export const dayBar = { width: 4, height: 32 } as const;
/** Minimum fill, so that a day measured only briefly stays visible. */
const shownMin = 0.15;

/**
 * Returns paths for one bar a day, filled in proportion to the measured time: one path of all bars, and one of the
 * fills for each state.
 */
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

/** Returns the next of 2, 4, 10, 20, 40, 100 and so on, so that half of it is a round number too. */
export function niceMaximum(largest: number): number {
  for (let power = 1; ; power *= 10) {
    for (const step of [2, 4, 10]) if (largest <= step * power) return step * power;
  }
}

/** Size of the latency chart in drawing units; the drawing is stretched to its box. */
export const latencyChart = {
  stepWidth: 10,
  height: 100,
  /** In pixels: a step with calls between steps without calls has no line, and is drawn as a point. */
  pointWidth: 6,
} as const;
