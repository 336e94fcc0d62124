import type { Discount } from '#contract/billing.ts';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requirePerson, requireWithinOwnRate } from '#server/features/accounts/index.ts';
import { askProvider } from './ask-provider.ts';
import type { BillingDependencies } from './dependencies.ts';

/** Counts a promotion code that someone tries, wherever they enter it: refuses guesses (`rate-limited`). */
export async function countPromotion(ctx: Context): Promise<void> {
  const rules = { account: 'promotion-account', address: 'promotion-address' } as const;
  await requireWithinOwnRate(ctx, requirePerson(ctx), rules);
}

/** What a promotion code takes off; refuses one that is not valid now (`promotion-not-found`), and guesses (`rate-limited`). */
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
