import { transactionSources } from '#contract/credits.ts';
import * as limits from '#contract/limits.ts';
import type { TransactionQuery } from '../../lib/credit-queries.ts';

export const activityTypes = ['all', ...transactionSources] as const;
export type ActivityType = (typeof activityTypes)[number];

/** Filters in the activity screen's address. Days are `yyyy-mm-dd` in the reader's time zone; empty for no limit. */
export interface ActivityFilters {
  type: ActivityType;
  from: string;
  to: string;
}

/** Reads the filters from the address; invalid values count as missing. */
export function readActivityFilters(params: URLSearchParams): ActivityFilters {
  return {
    type: activityTypes.find((type) => type === params.get('type')) ?? 'all',
    from: dayIn(params.get('from')),
    to: dayIn(params.get('to')),
  };
}

/** Returns the address parameters for the filters; defaults are left out. */
export function writeActivityFilters({ type, from, to }: ActivityFilters): URLSearchParams {
  const params = new URLSearchParams();
  if (type !== 'all') params.set('type', type);
  if (from !== '') params.set('from', from);
  if (to !== '') params.set('to', to);
  return params;
}

/** Returns true if the first day is later than the last, so that nothing can match. */
export function isReversed({ from, to }: ActivityFilters): boolean {
  return from !== '' && to !== '' && from > to;
}

/** Returns the query from the start of the first day to the end of the last, in the reader's time zone. */
export function transactionQuery({ type, from, to }: ActivityFilters): TransactionQuery {
  return {
    type,
    ...(from === '' ? {} : { from: startOfDay(from, 0) }),
    ...(to === '' ? {} : { to: startOfDay(to, 1) - 1 }),
    limit: limits.creditTransactionsActivity,
  };
}

function dayIn(text: string | null): string {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : '';
}

function startOfDay(day: string, daysLater: number): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater).getTime();
}
