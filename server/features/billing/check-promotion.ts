import type { Discount } from '#contract/billing.ts';
import { limits } from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requirePerson, requireWithinOwnRate } from '#server/features/accounts/index.ts';
import type { BillingDependencies } from './dependencies.ts';
import { askProvider } from './payment-faults.ts';

/** What a promotion code takes off; refuses one that is not valid now (`promotion-not-found`), and guesses (`rate-limited`). */
export async function checkPromotion(
  ctx: Context,
  { code }: { code: string },
  { payments }: Pick<BillingDependencies, 'payments'>,
): Promise<Discount> {
  const userId = requirePerson(ctx);
  await requireWithinOwnRate(ctx, userId, { account: 'promotion-account', address: 'promotion-address' });
  const isCode = code.length <= limits.promotionCodeCharactersMax;
  const promotion = isCode ? await askProvider(() => payments.provider.findPromotion(code)) : undefined;
  if (promotion === undefined) throw new AppError('promotion-not-found');
  return promotion;
}
