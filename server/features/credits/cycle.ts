import { plans, type Tier } from '#contract/plans.ts';

/** A billing cycle, from `startAt` until before `endAt` (UTC midnights, epoch milliseconds). */
export interface BillingCycle {
  startAt: number;
  endAt: number;
  /** The month it began in; `month` is 1 to 12. */
  year: number;
  month: number;
  /** Day of the month on which the subscription started; cycles are anchored on it, also in shorter months. */
  day: number;
}

/**
 * Returns the billing cycle that contains `now`, in UTC. Cycles begin on the day of the month on which the subscription
 * started; days 29 to 31 fall on the last day of a shorter month. The same days apply before the subscription's start.
 */
export function billingCycle(subscriptionStartAt: number, now: number): BillingCycle {
  const day = new Date(subscriptionStartAt).getUTCDate();
  const today = new Date(now);
  const thisMonth = { year: today.getUTCFullYear(), month: today.getUTCMonth() };
  const hasBegun = now >= beginningIn(thisMonth, day);
  const first = hasBegun ? thisMonth : monthsLater(thisMonth, -1);
  return {
    startAt: beginningIn(first, day),
    endAt: beginningIn(monthsLater(first, 1), day),
    year: first.year,
    month: first.month + 1,
    day,
  };
}

/** A calendar month; `month` is 0 to 11, as in Date. */
interface Month {
  year: number;
  month: number;
}

function monthsLater({ year, month }: Month, months: number): Month {
  const count = year * 12 + month + months;
  return { year: Math.floor(count / 12), month: ((count % 12) + 12) % 12 };
}

function beginningIn({ year, month }: Month, day: number): number {
  // Day 0 of the next month is the last day of this one.
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(day, lastDay));
}

const dayMs = 86_400_000;

/** Paid time on a plan; a negative quantity offsets time that was paid for before. */
export interface PaidTime {
  tier: Tier;
  quantity: number;
  startAt: number;
  /** End of the subscription's period. */
  endAt: number;
}

/** Returns the billing cycle that paid time belongs to. The last day of a period is always within its cycle. */
export function cycleOfPaidTime(subscriptionStartAt: number, { endAt }: Pick<PaidTime, 'endAt'>): BillingCycle {
  return billingCycle(subscriptionStartAt, endAt - dayMs);
}

/** Returns the whole days of a stretch of paid time, and of its cycle. */
export function daysOf(subscriptionStartAt: number, time: PaidTime): { days: number; of: number } {
  const cycle = cycleOfPaidTime(subscriptionStartAt, time);
  const of = (cycle.endAt - cycle.startAt) / dayMs;
  return { days: Math.min(of, Math.max(0, Math.floor((time.endAt - time.startAt) / dayMs))), of };
}

/** Returns the credits that paid time brings: the plan's for each whole day of the cycle, rounded down. */
export function creditsFor(subscriptionStartAt: number, paidFor: PaidTime[]): number {
  const exact = paidFor.reduce((sum, time) => {
    const { days, of } = daysOf(subscriptionStartAt, time);
    return sum + (plans[time.tier].creditsPerMonth * time.quantity * days) / of;
  }, 0);
  // Rounding errors of the sum are smaller than this.
  return Math.floor(exact + 1e-6);
}
