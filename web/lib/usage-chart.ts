import type { UsageDay } from '#contract/credits.ts';

const short = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const long = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Searches and reads of each day, for a bar chart. Days are UTC, as bills are. */
export function usageColumns(days: UsageDay[]) {
  return days.map(({ at, searches, reads }) => ({
    label: long.format(at),
    shortLabel: short.format(at),
    values: [searches, reads],
  }));
}

export const usageSeries: { name: string; tone: 'lamp' | 'busy' }[] = [
  { name: 'searches', tone: 'lamp' },
  { name: 'reads', tone: 'busy' },
];
