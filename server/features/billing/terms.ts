import { type PaidTier, paidTiers } from '#contract/billing.ts';

/** A plan and a number of seats. */
export interface Terms {
  tier: PaidTier;
  quantity: number;
}

const rankOf = (tier: PaidTier) => paidTiers.indexOf(tier);
export const isSame = (a: Terms, b: Terms) => a.tier === b.tier && a.quantity === b.quantity;

/** Returns the dearer plan and the larger number of seats of two. */
export function higherOf(a: Terms, b: Terms): Terms {
  return { tier: rankOf(a.tier) >= rankOf(b.tier) ? a.tier : b.tier, quantity: Math.max(a.quantity, b.quantity) };
}

/**
 * Returns what a change of plan or seats comes to. More counts at once; less counts from the next period on. Plan and
 * seats are decided apart, so that one more seat does not undo a smaller plan that was chosen for the next period.
 */
export function termsAfter(
  { held, next }: { held: Terms; next: Terms },
  asked: Partial<Terms>,
): { held: Terms; next: Terms } {
  return { held: higherOf(held, { ...held, ...asked }), next: { ...next, ...asked } };
}
