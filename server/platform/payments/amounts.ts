import type { Discount, PaidTier } from '#contract/billing.ts';
import { creditPack, plans } from '#contract/plans.ts';

export const creditPackCents = creditPack.usd * 100;

/** What a month of a plan costs, before discounts. */
export function planCents(tier: PaidTier, quantity: number): number {
  return plans[tier].usdPerMonth * 100 * quantity;
}

/** What is left to pay of an amount; never below 0. */
export function discounted(cents: number, discount: Discount | null): number {
  if (discount === null) return cents;
  if (discount.percentOff !== null) return Math.round((cents * (100 - discount.percentOff)) / 100);
  return Math.max(0, cents - (discount.amountOffCents ?? 0));
}
