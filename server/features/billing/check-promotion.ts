import type { Discount } from '#contract/billing.ts';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requirePerson, requireWithinOwnRate } from '#server/features/accounts/index.ts';
import { askProvider } from './ask-provider.ts';
import type { BillingDependencies } from './dependencies.ts';

/** Counts an attempt to use a promotion code, wherever it is entered; throws `rate-limited` for guessing. */
export async function countPromotion(ctx: Context): Promise<void> {
  const rules = { account: 'promotion-account', address: 'promotion-address' } as const;
  await requireWithinOwnRate(ctx, requirePerson(ctx), rules);
}

/**
 * Returns the discount of a promotion code; throws `promotion-not-found` for one that is not currently valid, and
 * `rate-limited` for guessing.
 */
export async function checkPromotion(
  ctx: Context,
  { code }: { code: string },
  { payments }: Pick<BillingDependencies, 'payments'>,
): Promise<Discount> {
  await countPromotion(ctx);
  const isCode = code.length <= limits.promotionCodeCharactersMax;
  const promotion = isCode ? await askProvider(() => payments.provider.findPromotion(code)) : undefined;
  if (promotion === undefined) throw new AppError('promotion-not-found');
  return promotion;
}
