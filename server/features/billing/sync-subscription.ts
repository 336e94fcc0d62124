import type { Context } from '#server/context.ts';
import { allowanceOfCycle, recordAllowance, settleReturnedAllowance } from '#server/features/credits/index.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { InvoiceSnapshot, Payer, SubscriptionSnapshot } from '#server/platform/payments/payment-provider.ts';
import type { BillingDependencies } from './dependencies.ts';
import { holdPayer } from './payer.ts';
import { type AccountRow, beginReading, findAccount, holdAccount, updateAccount } from './store.ts';
import { holdsPlan, writeSubscription } from './write-subscription.ts';

/** The outcome of an event: applied, ignored because it has no effect here, or refused as implausible. */
export interface Outcome {
  outcome: 'applied' | 'ignored' | 'refused';
  detail: string;
}

export const applied: Outcome = { outcome: 'applied', detail: '' };
const readingsMax = 20;

/**
 * Reads a subscription from the provider and stores its state. Readings are numbered when they begin: if a later one
 * was stored meanwhile, this one is discarded and repeated, so that newer state is never overwritten by older, in
 * whatever order events arrive. Also records the credits that `invoice` and the subscription's latest invoice paid for.
 */
export async function syncSubscription(
  ctx: Context,
  subscriptionId: string,
  deps: Pick<BillingDependencies, 'payments'>,
  invoice?: InvoiceSnapshot,
): Promise<Outcome> {
  const { provider } = deps.payments;
  let known = await findAccount(ctx.db.query, 'subscriptionId', subscriptionId);
  if (known === undefined) {
    const found = await provider.findSubscription(subscriptionId);
    known = found && (await findAccount(ctx.db.query, 'customerId', found.customerId));
    if (known === undefined) {
      const isCharged = found !== undefined && found.payer !== null && holdsPlan(found.status);
      return { outcome: isCharged ? 'refused' : 'ignored', detail: 'no one here has this subscription' };
    }
  }
  const payer = known.payer as Payer;
  for (let readings = 0; readings < readingsMax; readings += 1) {
    const reading = await beginReading(ctx.db.query, payer);
    const subscription = await provider.findSubscription(subscriptionId);
    if (subscription === undefined) return { outcome: 'ignored', detail: 'subscription not found' };
    const written = await write(ctx, { payer, reading, subscription, invoice });
    if (written === 'overtaken') continue;
    if (written === 'unwanted') {
      await provider.endSubscription(subscriptionId);
      ctx.log.error({ subscriptionId, payer }, 'a subscription without a payer was ended');
      return { outcome: 'refused', detail: 'there is another subscription, or no one to have it' };
    }
    return written;
  }
  throw new Error(`a subscription changed faster than it could be read ${readingsMax} times`);
}

async function write(
  ctx: Context,
  news: {
    payer: Payer;
    reading: number | undefined;
    subscription: SubscriptionSnapshot;
    invoice: InvoiceSnapshot | undefined;
  },
): Promise<Outcome | 'overtaken' | 'unwanted'> {
  const { payer, reading, subscription, invoice } = news;
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const isThere = await holdPayer(tx, payer);
    const account = await holdAccount(tx, payer);
    if (account === undefined) return { outcome: 'ignored', detail: 'the payer is gone' };
    if (reading === undefined || reading < account.writtenRead) return 'overtaken';
    const doubt = doubtAbout(account, subscription);
    if (doubt !== undefined) return { outcome: 'refused', detail: doubt };
    if (!isThere) return holdsPlan(subscription.status) ? 'unwanted' : applied;
    const place = placeOf(account, subscription);
    if (place === 'second') return 'unwanted';
    for (const paid of [invoice, subscription.latestInvoice]) await recordInvoice(tx, payer, subscription, paid, now);
    if (place === 'current') {
      await writeSubscription(tx, account, { subscription, ...(await allowanceNow(tx, payer, subscription)) }, now);
    }
    await updateAccount(tx, payer, { writtenRead: reading });
    return applied;
  });
}

/** Returns the reason to refuse a subscription, if any. */
function doubtAbout(account: AccountRow, subscription: SubscriptionSnapshot): string | undefined {
  if (subscription.customerId !== account.customerId) return 'the customer is another one';
  if (subscription.payer !== account.payer) return 'it names another payer than its customer';
  // An ended subscription ends its plan, whatever its price was.
  return subscription.tier === null && holdsPlan(subscription.status) ? 'its price is unknown here' : undefined;
}

/**
 * Determines which of several subscriptions counts: the one that holds a plan; of two that do, the one that began
 * first, since the other was opened by mistake; of ended ones, the one that began last.
 */
function placeOf(account: AccountRow, subscription: SubscriptionSnapshot): 'current' | 'past' | 'second' {
  if (account.subscriptionId === null || account.subscriptionId === subscription.id) return 'current';
  const [isLive, isOtherLive] = [holdsPlan(subscription.status), holdsPlan(account.subscriptionStatus)];
  const isLater = subscription.startedAt >= (account.startedAt ?? 0);
  if (isLive && isOtherLive) return isLater ? 'second' : 'current';
  if (isLive) return 'current';
  return !isOtherLive && isLater ? 'current' : 'past';
}

/** Records the credits of a paid invoice, except for time that would begin after the subscription ended. */
async function recordInvoice(
  tx: Transaction,
  payer: Payer,
  { id, startedAt, endedAt, buyerId }: SubscriptionSnapshot,
  invoice: InvoiceSnapshot | null | undefined,
  now: number,
): Promise<void> {
  if (!invoice?.isPaid || invoice.subscriptionId !== id) return;
  const paidFor = invoice.paidFor.filter(({ startAt }) => endedAt === null || startAt < endedAt);
  const paid = { invoiceId: invoice.id, subscriptionStartAt: startedAt, paidFor };
  const who = { payer, buyerId: buyerId ?? payer.slice(5) };
  await recordAllowance(tx, who, paid, now);
  const { returnedShare: share } = invoice;
  if (share !== undefined) await settleReturnedAllowance(tx, who, paid, { share, now });
}

/**
 * Returns the allowance of the current period or, until that is paid for, of the previous one: its remainder can be
 * used until the next one starts.
 */
async function allowanceNow(
  tx: Transaction,
  payer: Payer,
  { status, tier, startedAt, periodStartAt, periodEndAt }: SubscriptionSnapshot,
): Promise<{ allowance: number; allowanceStartAt: number | null }> {
  const none = { allowance: 0, allowanceStartAt: null };
  if (!holdsPlan(status) || tier === null) return none;
  const ends = periodStartAt > startedAt ? [periodEndAt, periodStartAt] : [periodEndAt];
  for (const endAt of ends) {
    const paid = await allowanceOfCycle(tx, payer, startedAt, endAt);
    if (paid.allowance > 0) return { allowance: paid.allowance, allowanceStartAt: paid.startAt };
  }
  return none;
}
