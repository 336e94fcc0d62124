import type { UsageDay } from '#contract/credits.ts';
import { savedTokensOf } from '#contract/savings.ts';

const short = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const long = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Returns a day's labels in a chart. Days are UTC, like billing. */
export function dayLabels(at: number): { label: string; shortLabel: string } {
  return { label: long.format(at), shortLabel: short.format(at) };
}

/** Returns each day's baseline cost of searches with results, minus tokens sent; never below 0. */
export function savedColumns(days: UsageDay[]) {
  return days.map(({ at, answeredSearches, tokensSent }) => ({
    ...dayLabels(at),
    values: [savedTokensOf(answeredSearches, tokensSent)],
  }));
}

/** Returns each day's searches and reads for a bar chart. */
export function usageColumns(days: UsageDay[]) {
  return days.map(({ at, searches, reads }) => ({
    ...dayLabels(at),
    values: [searches, reads],
  }));
}

export const usageSeries: { name: string; tone: 'lamp' | 'busy' }[] = [
  { name: 'searches', tone: 'lamp' },
  { name: 'reads', tone: 'busy' },
];
