import type { PaidTier } from '#contract/billing.ts';
import * as limits from '#contract/limits.ts';
import { creditPack } from '#contract/plans.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Order } from '#server/platform/payments/payment-provider.ts';
import { askProvider, requestKey, withClaim } from './ask-provider.ts';
import { countPromotion } from './check-promotion.ts';
import type { BillingDependencies } from './dependencies.ts';
import { holdPayer, type PayerOfRequest, payerOf } from './payer.ts';
import { findAccount, findPayerName, updateAccount } from './store.ts';
import { syncSubscription } from './sync-subscription.ts';
import { holdsPlan } from './write-subscription.ts';

/**
 * Opens the payment page for a plan: for the caller, or for seats of a team they manage. The previous page can no
 * longer be paid. Throws `already-subscribed` while a subscription is active, including one just paid on the previous
 * page whose event has not arrived yet.
 */
export async function openSubscriptionCheckout(
  ctx: Context,
  input: { teamId?: string; tier: PaidTier; seats: number; promotionCode?: string | undefined },
  deps: BillingDependencies,
): Promise<{ url: string }> {
  const who = await payerOf(ctx, input);
  const { provider } = deps.payments;
  if (input.promotionCode !== undefined) await countPromotion(ctx);
  return withClaim(ctx, who.payer, deps, async () => {
    const account = await findAccount(ctx.db.query, 'payer', who.payer);
    if (holdsPlan(account?.subscriptionStatus ?? null)) throw new AppError('already-subscribed');
    const former = account?.openCheckoutId ?? null;
    await requireUnpaid(ctx, who, former, deps);
    const { checkoutId, url } = await openPage(
      ctx,
      who,
      {
        what: { kind: 'subscription', tier: input.tier },
        quantity: input.seats,
        ...(input.promotionCode === undefined ? {} : { promotionCode: input.promotionCode }),
        ...returnsOf(deps, who, input.tier),
      },
      deps,
    );
    if (former !== null && former !== checkoutId) {
      await askProvider(() => provider.expireCheckout(former));
      // The former page may have been paid while this one was opened; no one has this one's address yet.
      await requireUnpaid(ctx, who, former, deps).catch(async (error: unknown) => {
        await askProvider(() => provider.expireCheckout(checkoutId));
        throw error;
      });
    }
    await updateAccount(ctx.db.query, who.payer, { openCheckoutId: checkoutId });
    return { url };
  });
}

/**
 * Throws `already-subscribed` if this page has been paid, after applying its subscription. Requires the payer's claim.
 */
async function requireUnpaid(
  ctx: Context,
  { payer }: PayerOfRequest,
  checkoutId: string | null,
  deps: BillingDependencies,
): Promise<void> {
  if (checkoutId === null) return;
  const paid = (await askProvider(() => deps.payments.provider.findCheckout(checkoutId)))?.subscriptionId ?? null;
  if (paid === null) return;
  await askProvider(() => syncSubscription(ctx, paid, deps));
  const account = await findAccount(ctx.db.query, 'payer', payer);
  if (holdsPlan(account?.subscriptionStatus ?? null)) throw new AppError('already-subscribed');
}

/** Returns the plan that a price id belongs to. */
export function tierOfPrice(priceId: string, { payments }: Pick<BillingDependencies, 'payments'>): PaidTier {
  const { priceIds } = payments.provider;
  if (priceId === priceIds.Basic) return 'Basic';
  if (priceId === priceIds.Pro) return 'Pro';
  throw new AppError('price-unknown');
}

/** Opens the payment page for credit packs, for the caller or a team they manage. */
export async function openCreditCheckout(
  ctx: Context,
  input: { teamId?: string; packs: number },
  deps: BillingDependencies,
): Promise<{ url: string }> {
  const who = await payerOf(ctx, input);
  return withClaim(ctx, who.payer, deps, async () => {
    const order = { what: { kind: 'credits' as const }, quantity: input.packs, ...returnsOf(deps, who, 'credits') };
    const { url } = await openPage(ctx, who, order, deps);
    return { url };
  });
}

/** Returns the number of packs for these credits; throws `credit-amount-refused` if it is not a whole number. */
export function packsOf(credits: number): number {
  const packs = credits / creditPack.credits;
  if (Number.isInteger(packs) && packs >= 1 && packs <= limits.creditPacksPerPurchaseMax) return packs;
  const most = limits.creditPacksPerPurchaseMax * creditPack.credits;
  throw new AppError('credit-amount-refused', { values: { pack: creditPack.credits, most } });
}

async function openPage(
  ctx: Context,
  { payer, userId, teamId }: PayerOfRequest,
  order: Omit<Order, 'payer' | 'buyerId' | 'customerId'>,
  deps: BillingDependencies,
): Promise<{ checkoutId: string; url: string }> {
  const customerId = await customerOf(ctx, { payer, userId, teamId }, deps);
  const page = await askProvider(() =>
    deps.payments.provider.openCheckout(
      { ...order, payer, buyerId: userId, customerId },
      requestKey(ctx, payer, 'checkout'),
    ),
  );
  const isThere = await ctx.db.transaction(async (tx) => {
    if (!(await holdPayer(tx, payer))) return false;
    await recordAudit(tx, ctx.clock.now(), {
      actorUserId: userId,
      action: 'checkout.open',
      entityId: page.checkoutId,
      detail: { what: order.what, quantity: order.quantity },
      ...(teamId === undefined ? {} : { teamId }),
    });
    return true;
  });
  if (isThere) return page;
  // The payer was deleted during the provider's request, after their other pages were expired.
  await askProvider(() => deps.payments.provider.expireCheckout(page.checkoutId));
  throw new AppError(teamId === undefined ? 'unauthenticated' : 'team-not-found');
}

/** Returns the payer's customer id, creating the customer at the first payment. Requires the payer's claim. */
async function customerOf(
  ctx: Context,
  { payer, userId }: PayerOfRequest,
  { payments }: BillingDependencies,
): Promise<string> {
  const account = await findAccount(ctx.db.query, 'payer', payer);
  if (account?.customerId) return account.customerId;
  const known = await findPayerName(ctx.db.query, payer, userId);
  if (known === undefined) throw new AppError('unauthenticated');
  const customerId = await askProvider(() =>
    payments.provider.createCustomer({ payer, ...known }, `customer:${payer}`),
  );
  await updateAccount(ctx.db.query, payer, { customerId });
  return customerId;
}

/**
 * Returns the addresses to which a payment page leads after payment, and after cancelling, where the plan stays
 * selected.
 */
function returnsOf({ publicUrl }: BillingDependencies, { teamId }: PayerOfRequest, what: PaidTier | 'credits') {
  const [done, left] =
    teamId === undefined
      ? ['/subscribe', '/subscribe']
      : what === 'credits'
        ? ['/team', '/team']
        : ['/team-manage-seats', '/upgrade-team'];
  const tab = done === '/team' ? 'tab=plan&' : '';
  const team = teamId === undefined ? '' : `${tab}teamId=${encodeURIComponent(teamId)}&`;
  const tier = what === 'credits' ? '' : `tier=${what.toLowerCase()}&`;
  return {
    returnUrl: `${publicUrl}${done}?${team}payment=done`,
    cancelUrl: `${publicUrl}${left}?${team}${tier}payment=cancelled`,
  };
}
