import { type Billing, type Discount, discounted } from '#contract/billing.ts';
import { countOf, formatUsd } from '../../ui/quantities.ts';

/** Returns a text such as '20% off' or '$3.00 off'. */
export function discountWords({ percentOff, amountOffCents }: Pick<Discount, 'percentOff' | 'amountOffCents'>): string {
  return percentOff === null ? `${formatUsd(amountOffCents ?? 0)} off` : `${percentOff}% off`;
}

/** Returns the discount on an amount in US cents; never more than the amount. */
export function discountCents(amountCents: number, discount: Discount | null): number {
  return amountCents - discounted(amountCents, discount);
}

/** The most important notice about a subscription. */
export type Standing =
  | { state: 'none' }
  /** The first payment was started but not finished: there is no plan yet. */
  | { state: 'incomplete' }
  | { state: 'active' }
  | { state: 'past-due' }
  | { state: 'ending' }
  /** The last subscription ended: cancelled, or never paid. */
  | { state: 'ended'; isUnpaid: boolean };

/** Returns the most important notice. A failed payment precedes a cancellation, because it can end the plan sooner. */
export function standingOf(billing: Billing): Standing {
  switch (billing.subscriptionStatus) {
    case null:
      return { state: 'none' };
    case 'incomplete':
      return { state: 'incomplete' };
    case 'unpaid':
      return { state: 'ended', isUnpaid: true };
    case 'canceled':
      return { state: 'ended', isUnpaid: false };
    case 'past_due':
      return { state: 'past-due' };
    case 'active':
      if (billing.paymentFailed) return { state: 'past-due' };
      return { state: billing.cancelAtPeriodEnd ? 'ending' : 'active' };
  }
}

/**
 * Returns true if the plan was canceled but is still active: the cancellation must be undone before the plan can
 * change.
 */
export function isEnding(billing: Billing): boolean {
  const { state } = standingOf(billing);
  return billing.cancelAtPeriodEnd && (state === 'ending' || state === 'past-due');
}

/** Explains what happens to credits when a plan changes. */
export const planRule =
  'You get credits for the time you pay for. A larger plan or more seats start at once: you pay for the rest of the month and get credits for each whole day left. A smaller plan or fewer seats start with the next month. If a payment fails, you get new credits once it goes through.';

/** Returns a text such as '1,000 credits a month', or for several seats '3,000 credits a month for 3 seats'. */
export function allowanceWords(credits: number, seats: number): string {
  const each = `${countOf(credits, 'credit')} a month`;
  return seats > 1 ? `${each} for ${seats} seats` : each;
}
