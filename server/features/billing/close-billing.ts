import type { Context } from '#server/context.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Payer } from '#server/platform/payments/payment-provider.ts';
import { forgetInBooks } from '#server/platform/payments/test-mode/book-store.ts';
import { type BillingDependencies, billingClosedTopic } from './dependencies.ts';
import { holdPayer, teamIdOf } from './payer.ts';
import { reportRefusal } from './report-refusal.ts';
import {
  type AccountRow,
  deleteAccountRow,
  ensureAccount,
  listAccountsOfOtherMode,
  listClosingAccounts,
  updateAccount,
} from './store.ts';
import { holdsPlan, writeFree } from './write-subscription.ts';

/**
 * Marks a payer's billing as closing, in the transaction that deletes the payer: after the commit, the subscription is
 * ended by the process that receives the message or by the next catch-up. Test mode forgets a team's name.
 */
export async function closeBilling(tx: Transaction, payer: Payer, now: number): Promise<void> {
  await updateAccount(tx, payer, { closingAt: now });
  if (teamIdOf(payer) !== undefined) await forgetInBooks(tx, { payer, email: null });
  tx.publish(billingClosedTopic, payer);
}

/** Removes a user from the test mode's records, for a deleted account. The user's row must still exist. */
export async function forgetBuyer(tx: Transaction, userId: string): Promise<void> {
  const user = await tx.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst();
  await forgetInBooks(tx, { payer: `user:${userId}`, email: user?.email ?? null });
}

/** Ends deleted payers' open payment pages and subscriptions at the provider. */
export async function endClosedBilling(ctx: Context, { payments }: BillingDependencies): Promise<void> {
  const { provider } = payments;
  for (const { payer, mode, openCheckoutId, subscriptionId, customerId } of await listClosingAccounts(ctx.db.query)) {
    try {
      if (mode === provider.mode && customerId !== null) {
        await provider.expireCheckouts(customerId);
        if (openCheckoutId !== null) {
          // The page may have been paid just now, before its event arrived.
          const paid = (await provider.findCheckout(openCheckoutId))?.subscriptionId ?? null;
          if (paid !== null && paid !== subscriptionId) {
            const found = await provider.findSubscription(paid);
            await provider.endSubscription(paid);
            const refused = { paymentId: paid, why: 'the payer is gone' };
            if (found && holdsPlan(found.status)) await ctx.db.transaction((tx) => reportRefusal(ctx, tx, refused));
          }
        }
        if (subscriptionId !== null) await provider.endSubscription(subscriptionId);
      }
      await deleteAccountRow(ctx.db.query, payer);
    } catch (error) {
      ctx.log.error({ err: error, payer }, 'the subscription of a deleted payer is not ended yet');
    }
  }
}

/** Plans are paid at a provider that is no longer configured; the message says what to do. */
export class PaymentModeError extends Error {
  override readonly name = 'PaymentModeError';
}

/**
 * Removes the other provider's state when an installation switches between test mode and Stripe: plans paid in test
 * mode are not valid with real payments. Plans paid at Stripe are never removed just because its variables are missing:
 * throws PaymentModeError without changes while one is active or still waits to be ended there.
 */
export async function forgetOtherMode(
  ctx: Context,
  { payments }: Pick<BillingDependencies, 'payments'>,
): Promise<void> {
  const { mode } = payments.provider;
  const others = await listAccountsOfOtherMode(ctx.db.query, mode);
  const isAtStripe = (row: AccountRow) =>
    row.mode === 'stripe' && (holdsPlan(row.subscriptionStatus) || (row.closingAt !== null && row.customerId !== null));
  const count = others.filter(isAtStripe).length;
  if (count > 0) {
    throw new PaymentModeError(
      `${count === 1 ? 'One plan' : `${count} plans`} of this database ${count === 1 ? 'is' : 'are'} paid through Stripe, but STRIPE_SECRET_KEY is not set. Nothing was changed. Set the STRIPE_ variables again. To stop taking payments, first cancel these subscriptions at Stripe and wait until this server has received the events.`,
    );
  }
  for (const { payer, closingAt } of others) {
    if (closingAt !== null) continue;
    await ctx.db.transaction(async (tx) => {
      await holdPayer(tx, payer);
      await writeFree(tx, payer);
      await deleteAccountRow(tx, payer);
      await ensureAccount(tx, payer, mode);
    });
    ctx.log.warn({ payer }, 'a plan of the former payment mode was ended');
  }
}
