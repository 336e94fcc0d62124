import type { UsageDay } from '#contract/credits.ts';
import { savedTokensOf } from '#contract/savings.ts';

const short = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const long = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** What a chart calls a day. Days are UTC, as bills are. */
export function dayLabels(at: number): { label: string; shortLabel: string } {
  return { label: long.format(at), shortLabel: short.format(at) };
}

/** What the answered searches of each day would have cost at the baseline, minus what was sent; not below 0. */
export function savedColumns(days: UsageDay[]) {
  return days.map(({ at, answeredSearches, tokensSent }) => ({
    ...dayLabels(at),
    values: [savedTokensOf(answeredSearches, tokensSent)],
  }));
}

/** Searches and reads of each day, for a bar chart. */
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
