import { plans, type Tier } from '#contract/plans.ts';
import { type BillingCycle, billingCycle } from './cycle.ts';

const dayMs = 86_400_000;

/** Time on a plan that was paid for; a negative quantity counts against it time that was paid for before. */
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
  // Sums of fractions miss a whole number by less than this.
  return Math.floor(exact + 1e-6);
}
