import { transactionSources } from '#contract/credits.ts';
import * as limits from '#contract/limits.ts';
import type { TransactionQuery } from '../../lib/credit-queries.ts';

export const activityTypes = ['all', ...transactionSources] as const;
export type ActivityType = (typeof activityTypes)[number];

/** What the address of the activity screen holds. Days are `yyyy-mm-dd` where the reader is; empty: no limit. */
export interface ActivityFilters {
  type: ActivityType;
  from: string;
  to: string;
}

/** Reads the address; what cannot be used counts as not given. */
export function readActivityFilters(params: URLSearchParams): ActivityFilters {
  return {
    type: activityTypes.find((type) => type === params.get('type')) ?? 'all',
    from: dayIn(params.get('from')),
    to: dayIn(params.get('to')),
  };
}

/** The address for these filters; what is as usual is left out. */
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

/** From the start of the first day through the end of the last, in the reader's time. */
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
