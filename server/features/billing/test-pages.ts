import { creditPack } from '#contract/plans.ts';
import type { TestCheckout, TestPortal } from '#contract/test-billing.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import { enterTeamAs } from '#server/features/teams/index.ts';
import type { TestDesk } from '#server/platform/payments/test-mode/desk.ts';
import { askProvider } from './ask-provider.ts';
import { deliverTestEvents } from './catch-up.ts';
import { countPromotion } from './check-promotion.ts';
import type { BillingDependencies } from './dependencies.ts';
import { teamIdOf } from './payer.ts';
import { findBalance } from './store.ts';

/** An action at the test mode's portal. */
export type PortalAct =
  | { kind: 'card'; works: boolean }
  | { kind: 'advance' }
  | { kind: 'cancel' | 'resume' }
  | { kind: 'refund'; paymentId: string };

/** Returns a payment page of the test mode, if the caller can pay on it; otherwise throws `not-found`. */
export async function describeTestCheckout(
  ctx: Context,
  { checkoutId }: { checkoutId: string },
  deps: BillingDependencies,
): Promise<TestCheckout> {
  const desk = await deskFor(ctx, checkoutId, deps);
  return existing(await desk.describeCheckout(checkoutId));
}

/**
 * Pays on the page; returns the address to continue at. Throws `checkout-over` for a page that was replaced.
 * Idempotent.
 */
export async function payTestCheckout(
  ctx: Context,
  { checkoutId, promotionCode }: { checkoutId: string; promotionCode?: string | undefined },
  deps: BillingDependencies,
): Promise<string> {
  const desk = await deskFor(ctx, checkoutId, deps);
  if (existing(await desk.describeCheckout(checkoutId)).status === 'expired') throw new AppError('checkout-over');
  if (promotionCode !== undefined) await countPromotion(ctx);
  const url = existing(await askProvider(() => desk.pay(checkoutId, promotionCode)));
  await deliverTestEvents(ctx, deps);
  return url;
}

/** Attempts to pay with a card that is declined. */
export async function declineTestCheckout(
  ctx: Context,
  { checkoutId }: { checkoutId: string },
  deps: BillingDependencies,
): Promise<TestCheckout> {
  const desk = await deskFor(ctx, checkoutId, deps);
  await desk.decline(checkoutId);
  return existing(await desk.describeCheckout(checkoutId));
}

/** Returns the test mode's portal, for its payer. */
export async function describeTestPortal(
  ctx: Context,
  { portalId }: { portalId: string },
  deps: BillingDependencies,
): Promise<TestPortal> {
  const desk = await deskFor(ctx, portalId, deps);
  return existing(await desk.describePortal(portalId));
}

/** Performs an action at the portal; its effects arrive as events, as from a real provider. */
export async function actInTestPortal(
  ctx: Context,
  { portalId, act }: { portalId: string; act: PortalAct },
  deps: BillingDependencies,
): Promise<TestPortal> {
  const desk = await deskFor(ctx, portalId, deps);
  if (act.kind === 'refund') await requireUnspent(ctx, act.paymentId, deps);
  await askProvider(() => perform(desk, portalId, act));
  await deliverTestEvents(ctx, deps);
  return existing(await desk.describePortal(portalId));
}

/** Throws `purchase-spent` for the refund of a purchase whose credits were spent, unless it is already refunded. */
async function requireUnspent(ctx: Context, paymentId: string, { payments }: BillingDependencies): Promise<void> {
  const purchase = await askProvider(() => payments.provider.findCheckoutOfPayment(paymentId));
  if (purchase?.kind !== 'credits' || purchase.payer === null) throw new AppError('payment-not-refundable');
  const bought = purchase.quantity * creditPack.credits;
  const left = await findBalance(ctx.db.query, purchase.payer);
  if (purchase.returnedShare === 0 && left < bought) throw new AppError('purchase-spent', { values: { left, bought } });
}

function perform(desk: TestDesk, portalId: string, act: PortalAct): Promise<void> {
  switch (act.kind) {
    case 'card':
      return desk.setCard(portalId, act.works);
    case 'advance':
      return desk.advance(portalId);
    case 'refund':
      return desk.refund(portalId, act.paymentId);
    case 'cancel':
    case 'resume':
      return desk.setCancelAtPeriodEnd(portalId, act.kind === 'cancel');
    default:
      return act satisfies never;
  }
}

/** Returns the test desk if the caller can pay on its page: the user, or a manager of the team's billing. */
async function deskFor(ctx: Context, pageId: string, { payments }: BillingDependencies): Promise<TestDesk> {
  const userId = requirePerson(ctx);
  const payer = await payments.desk?.payerOf(pageId);
  if (payments.desk === undefined || payer === undefined) throw new AppError('not-found');
  const teamId = teamIdOf(payer);
  if (teamId === undefined) {
    if (payer !== `user:${userId}`) throw new AppError('not-found');
  } else {
    await enterTeamAs(ctx, teamId, 'billing.manage').catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'team-not-found') throw new AppError('not-found');
      throw error;
    });
  }
  return payments.desk;
}

function existing<T>(found: T | undefined): T {
  if (found === undefined) throw new AppError('not-found');
  return found;
}
