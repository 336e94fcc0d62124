import type { Discount } from '#contract/billing.ts';
import { limits } from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import type { BillingDependencies } from './dependencies.ts';
import { askProvider } from './payment-faults.ts';

/** What a promotion code takes off; refuses one that is not valid now (`promotion-not-found`). */
export async function checkPromotion(
  ctx: Context,
  { code }: { code: string },
  { payments }: Pick<BillingDependencies, 'payments'>,
): Promise<Discount> {
  requirePerson(ctx);
  const isCode = code.length <= limits.promotionCodeCharactersMax;
  const promotion = isCode ? await askProvider(() => payments.provider.findPromotion(code)) : undefined;
  if (promotion === undefined) throw new AppError('promotion-not-found');
  return promotion;
}
