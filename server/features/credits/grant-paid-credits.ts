import { createHash, randomUUID } from 'node:crypto';
import { announceMember, announceTeam } from '#server/features/teams/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Workspace } from '#server/platform/db/schema.ts';
import { type BillingCycle, creditsFor, cycleOfPaidTime, daysOf, type PaidTime } from './cycle.ts';
import { findCreditAccount, insertTransaction, returnRows, sumOfAllowances } from './store.ts';
import { addToBalance, holdBalance } from './team-store.ts';

type Payer = Exclude<Workspace, 'public'>;

/** Credits bought for a user or a team. */
export interface Purchase {
  payer: Payer;
  /** The user who bought them. */
  buyerId: string;
  /** Id of the purchase, which is applied once, however often it is reported. */
  purchaseId: string;
  credits: number;
}

/** Adds bought credits to a balance, once per purchase. `gone`: the payer no longer exists. */
export async function grantPurchase(
  tx: Transaction,
  purchase: Purchase,
  now: number,
): Promise<'granted' | 'known' | 'gone'> {
  const { payer, buyerId, purchaseId, credits } = purchase;
  if ((await holdBalance(tx, payer)) === undefined) return 'gone';
  const isNew = await insertTransaction(tx, {
    ...(await ledgerRow(tx, payer, buyerId, `purchase:${purchaseId}`, now)),
    amount: credits,
    source: 'purchase',
    isFromMonthlyAllowance: 0,
    details: 'Credits bought',
    metadata: payer.startsWith('team:') ? await namesOf(tx, buyerId) : '{}',
  });
  if (isNew) await addToBalance(tx, payer, credits);
  return isNew ? 'granted' : 'known';
}

/** Returns the buyer's name and email as shown in a team's activity. */
async function namesOf(tx: Transaction, userId: string): Promise<string> {
  const buyer = await findCreditAccount(tx, userId);
  if (buyer === undefined) return '{}';
  return JSON.stringify({ ...(buyer.email === null ? {} : { userEmail: buyer.email }), user: buyer.displayName });
}

/**
 * Takes back the credits for the refunded or charged-back share of a payment, 0 to 1, each part once. The balance never
 * falls below 0; the row states how many credits had been spent. If the share decreases again, for example after a won
 * dispute, the credits return. Returns false if nothing changed or the payer is gone.
 */
export async function settleReturn(tx: Transaction, purchase: Purchase, share: number, now: number): Promise<boolean> {
  const { payer, buyerId, purchaseId, credits } = purchase;
  const balance = await holdBalance(tx, payer);
  if (balance === undefined) return false;
  const before = await returnsSoFar(tx, payer, `refund:${purchaseId}`);
  const returned = Math.ceil(credits * share - 1e-6);
  const asked = returned - before.returned;
  if (asked === 0) return false;
  const taken = asked > 0 ? Math.min(asked, balance) : Math.max(asked, -before.taken);
  const spent = Math.max(0, asked - taken);
  const back = asked > 0 ? 'Refund of credits' : 'Refund of credits taken back';
  const isNew = await insertTransaction(tx, {
    ...(await ledgerRow(tx, payer, buyerId, before.next(returned), now)),
    amount: 0 - taken,
    source: 'purchase',
    isFromMonthlyAllowance: 0,
    details: spent === 0 ? back : `${back}; ${spent} of ${asked} had been spent`,
  });
  if (isNew) await addToBalance(tx, payer, -taken);
  return isNew;
}

/**
 * Sums up earlier return rows: the credits returned and those actually taken. A row's id ends with its number and the
 * total returned by then.
 */
async function returnsSoFar(tx: Transaction, payer: Payer, name: string) {
  const rows = await returnRows(tx, payer, `${name}:`);
  const ends = rows.map(({ requestId }) =>
    requestId
      .slice(name.length + 1)
      .split(':')
      .map(Number),
  );
  const [, returned = 0] = ends.find(([number]) => number === rows.length) ?? [];
  const taken = rows.reduce((sum, { amount }) => sum - amount, 0);
  return { returned, taken, next: (total: number) => `${name}:${rows.length + 1}:${total}` };
}

/** A paid invoice of a subscription. */
export interface PaidInvoice {
  invoiceId: string;
  subscriptionStartAt: number;
  /** At least one. */
  paidFor: PaidTime[];
}

/** Records the credits of a paid invoice: one row per invoice, however often it is reported. */
export async function recordAllowance(
  tx: Transaction,
  { payer, buyerId }: Pick<Purchase, 'payer' | 'buyerId'>,
  { invoiceId, subscriptionStartAt, paidFor }: PaidInvoice,
  now: number,
): Promise<void> {
  const last = paidFor.at(-1);
  const amount = creditsFor(subscriptionStartAt, paidFor);
  if (last === undefined || amount === 0) return;
  const requestId = `${rowsOfCycle(payer, cycleOfPaidTime(subscriptionStartAt, last))}${invoiceId}`;
  const { days, of } = daysOf(subscriptionStartAt, last);
  const seats = payer.startsWith('team:') ? `, ${last.quantity} ${last.quantity === 1 ? 'seat' : 'seats'}` : '';
  const what = paidFor.length === 1 && days === of ? 'Monthly allowance' : `Allowance for ${days} of ${of} days`;
  await insertTransaction(tx, {
    ...(await ledgerRow(tx, payer, buyerId, requestId, now)),
    amount,
    source: 'subscription',
    isFromMonthlyAllowance: 1,
    details: `${what}, ${last.tier} plan${seats}`,
  });
}

/**
 * Takes the credits of the returned share of a paid invoice, 0 to 1, from its cycle's allowance, or gives them back.
 */
export async function settleReturnedAllowance(
  tx: Transaction,
  { payer, buyerId }: Pick<Purchase, 'payer' | 'buyerId'>,
  { invoiceId, subscriptionStartAt, paidFor }: PaidInvoice,
  { share, now }: { share: number; now: number },
): Promise<void> {
  const last = paidFor.at(-1);
  if (last === undefined) return;
  const cycle = cycleOfPaidTime(subscriptionStartAt, last);
  const before = await returnsSoFar(tx, payer, `${rowsOfCycle(payer, cycle)}${invoiceId}:returned`);
  const returned = Math.ceil(Math.max(0, creditsFor(subscriptionStartAt, paidFor)) * share - 1e-6);
  if (returned === before.returned) return;
  await insertTransaction(tx, {
    ...(await ledgerRow(tx, payer, buyerId, before.next(returned), now)),
    amount: before.returned - returned,
    source: 'subscription',
    isFromMonthlyAllowance: 1,
    details: returned > before.returned ? 'Refund of a plan' : 'Refund of a plan taken back',
  });
}

/**
 * Returns the credits that paid invoices brought to the cycle of a subscription's period, and when that cycle began.
 */
export async function allowanceOfCycle(
  tx: Transaction,
  payer: Payer,
  subscriptionStartAt: number,
  periodEndAt: number,
): Promise<{ allowance: number; startAt: number }> {
  const cycle = cycleOfPaidTime(subscriptionStartAt, { endAt: periodEndAt });
  const allowance = await sumOfAllowances(tx, payer, rowsOfCycle(payer, cycle));
  return { allowance: Math.max(0, allowance), startAt: cycle.startAt };
}

/** Returns the id prefix of a cycle's rows. Rows outlive their account, so the payer is hashed. */
function rowsOfCycle(payer: Payer, { year, month, day }: BillingCycle): string {
  const name = createHash('sha256').update(payer).digest('hex');
  return `allowance:${name}:${year}-${month}-${day}:`;
}

async function ledgerRow(tx: Transaction, payer: Payer, buyerId: string, requestId: string, now: number) {
  const id = payer.slice(payer.indexOf(':') + 1);
  const isTeam = payer.startsWith('team:');
  // The payment provider still names a buyer whose account was deleted.
  const isGone = isTeam && buyerId !== id && (await findCreditAccount(tx, buyerId)) === undefined;
  return {
    id: requestId,
    requestId,
    userId: isGone ? `deleted-${randomUUID()}` : isTeam ? buyerId : id,
    teamId: isTeam ? id : null,
    fingerprint: null,
    userAccountAmount: null,
    timestamp: now,
  };
}

/** Makes open pages reload a payer's credits, its team, or the member lists that include it. */
export async function announceCredits(tx: Transaction, payer: Payer): Promise<void> {
  announceChange(tx, { collection: 'creditTransactions', audience: payer });
  const id = payer.slice(payer.indexOf(':') + 1);
  await (payer.startsWith('team:') ? announceTeam(tx, id) : announceMember(tx, id));
}
