import type { AuditAction } from '#contract/audit.ts';
import { creditPackCents } from '#contract/billing.ts';
import { creditPack } from '#contract/plans.ts';
import type { Context } from '#server/context.ts';
import { findUser } from '#server/features/accounts/index.ts';
import { grantPurchase, settleReturn } from '#server/features/credits/index.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { CheckoutSnapshot, Payer } from '#server/platform/payments/payment-provider.ts';
import { teamIdOf } from './payer.ts';
import { findAccount } from './store.ts';
import { applied, type Outcome } from './sync-subscription.ts';
import { announceBilling } from './write-subscription.ts';

/**
 * Applies the state of a credit purchase: adds the credits if it was paid, and takes them back as far as the payment
 * was refunded or charged back, each only once.
 */
export async function syncPurchase(ctx: Context, checkout: CheckoutSnapshot): Promise<Outcome> {
  if (!checkout.isPaid) return { outcome: 'ignored', detail: 'nothing was paid' };
  const account =
    checkout.customerId === null ? undefined : await findAccount(ctx.db.query, 'customerId', checkout.customerId);
  const doubt = doubtAbout(checkout, account?.payer);
  if (doubt !== undefined || account === undefined) return refuse(checkout, doubt ?? '');
  const payer = account.payer as Payer;
  const now = ctx.clock.now();
  const purchase = {
    payer,
    buyerId: checkout.buyerId ?? payer.slice(5),
    purchaseId: checkout.id,
    credits: checkout.quantity * creditPack.credits,
  };
  const teamId = teamIdOf(payer);
  const isThere = await ctx.db.transaction(async (tx) => {
    const granted = await grantPurchase(tx, purchase, now);
    if (granted === 'gone') return false;
    const isReturned = await settleReturn(tx, purchase, checkout.returnedShare, now);
    const buyer = await findUser(tx, purchase.buyerId);
    const audit = (action: AuditAction, actorUserId: string | null) =>
      recordAudit(tx, now, {
        ...{ actorUserId, action, entityId: checkout.id, detail: { credits: purchase.credits } },
        ...(teamId === undefined ? {} : { teamId }),
      });
    if (granted === 'granted') await audit('credits.purchase', buyer?.id ?? null);
    if (isReturned) await audit('credits.refund', null);
    await announceBilling(tx, payer);
    return true;
  });
  return isThere ? applied : refuse(checkout, 'the payer is gone');
}

/** A payment that was returned completely, as the operator does with a refused one, concerns no one any more. */
function refuse({ returnedShare }: CheckoutSnapshot, detail: string): Outcome {
  return { outcome: returnedShare < 1 ? 'refused' : 'ignored', detail };
}

/** Returns the reason to refuse a purchase, if any. */
function doubtAbout(checkout: CheckoutSnapshot, payer: string | undefined): string | undefined {
  if (payer === undefined) return 'no one here is this customer';
  if (checkout.payer !== payer) return 'it names another payer than its customer';
  const { isCreditPrice, quantity, subtotalCents, currency } = checkout;
  const isOurPrice =
    isCreditPrice && quantity > 0 && subtotalCents === quantity * creditPackCents && currency === 'usd';
  return isOurPrice ? undefined : 'its price is not the one of credits';
}
