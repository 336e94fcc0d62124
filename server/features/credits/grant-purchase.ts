import { createHash } from 'node:crypto';
import { plans, type Tier } from '#contract/plans.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { Workspace } from '#server/platform/db/schema.ts';
import { billingCycle } from './cycle.ts';
import { addToBalance, holdBalance, takeFromBalance } from './purchase-store.ts';
import { findCreditAccount, findCreditsUsed, insertTransaction } from './store.ts';

type Payer = Exclude<Workspace, 'public'>;

/** Credits that somebody bought, for themselves or for a team. */
export interface Purchase {
  payer: Payer;
  /** Who bought them. */
  buyerId: string;
  /** Names the purchase; the same one counts once, however often it is told. */
  purchaseId: string;
  credits: number;
}

/** Adds bought credits to a balance, once for each purchase. `gone`: there is nobody any more whose balance it was. */
export async function grantPurchase(
  tx: Transaction,
  purchase: Purchase,
  now: number,
): Promise<'granted' | 'known' | 'gone'> {
  const { payer, buyerId, purchaseId, credits } = purchase;
  if ((await holdBalance(tx, payer)) === undefined) return 'gone';
  const isNew = await insertTransaction(tx, {
    ...ledgerRow(payer, buyerId, `purchase:${purchaseId}`, now),
    amount: credits,
    source: 'purchase',
    isFromMonthlyAllowance: 0,
    details: 'Credits bought',
    metadata: payer.startsWith('team:') ? await namesOf(tx, buyerId) : '{}',
  });
  if (isNew) await addToBalance(tx, payer, credits);
  return isNew ? 'granted' : 'known';
}

/** Who bought for a team, as its activity names members. */
async function namesOf(tx: Transaction, userId: string): Promise<string> {
  const buyer = await findCreditAccount(tx, userId);
  if (buyer === undefined) return '{}';
  return JSON.stringify({ ...(buyer.email === null ? {} : { userEmail: buyer.email }), user: buyer.displayName });
}

/**
 * Takes the credits of a refunded purchase back, once: as many as are left of the balance, which never falls below 0. The
 * row says how many had been spent. False when that was done before, or there is nobody any more.
 */
export async function takeBackPurchase(tx: Transaction, purchase: Purchase, now: number): Promise<boolean> {
  const { payer, buyerId, purchaseId, credits } = purchase;
  const balance = await holdBalance(tx, payer);
  if (balance === undefined) return false;
  const taken = Math.min(credits, balance);
  const spent = credits - taken;
  const isNew = await insertTransaction(tx, {
    ...ledgerRow(payer, buyerId, `refund:${purchaseId}`, now),
    amount: 0 - taken,
    source: 'purchase',
    isFromMonthlyAllowance: 0,
    details: spent === 0 ? 'Refund of credits' : `Refund of credits; ${spent} of ${credits} had been spent`,
  });
  if (isNew) await takeFromBalance(tx, payer, taken);
  return isNew;
}

/**
 * Writes down the allowance of a billing cycle that was paid for: one row for each cycle, however often it is told. What
 * is left of it is counted in `monthly_usage`; the row is for people.
 */
export async function recordAllowance(
  tx: Transaction,
  { payer, buyerId }: Pick<Purchase, 'payer' | 'buyerId'>,
  cycle: { subscriptionStartAt: number; startAt: number; tier: Tier; quantity: number },
  now: number,
): Promise<void> {
  const { year, month, day } = billingCycle(cycle.subscriptionStartAt, cycle.startAt);
  // A row outlives its account, so it must not name it.
  const name = createHash('sha256').update(payer).digest('base64url');
  const requestId = `allowance:${name}:${year}-${month}-${day}`;
  const seats = payer.startsWith('team:') ? `, ${cycle.quantity} ${cycle.quantity === 1 ? 'seat' : 'seats'}` : '';
  await insertTransaction(tx, {
    ...ledgerRow(payer, buyerId, requestId, now),
    amount: plans[cycle.tier].creditsPerMonth * cycle.quantity,
    source: 'subscription',
    isFromMonthlyAllowance: 1,
    details: `Monthly allowance, ${cycle.tier} plan${seats}`,
  });
}

/** Credits of the allowance that were used in the cycle `now` is in. */
export async function allowanceUsed(
  queries: Queries,
  payer: Payer,
  subscriptionStartAt: number,
  now: number,
): Promise<number> {
  return (await findCreditsUsed(queries, payer, billingCycle(subscriptionStartAt, now))) ?? 0;
}

function ledgerRow(payer: Payer, buyerId: string, requestId: string, now: number) {
  const id = payer.slice(payer.indexOf(':') + 1);
  const isTeam = payer.startsWith('team:');
  return {
    id: requestId,
    requestId,
    userId: isTeam ? buyerId : id,
    teamId: isTeam ? id : null,
    fingerprint: null,
    userAccountAmount: null,
    timestamp: now,
  };
}

/** Tells whoever looks at the credits of a payer to read them again. */
export function announceCredits(tx: Transaction, payer: Payer): void {
  announceChange(tx, { collection: 'creditTransactions', audience: payer });
}
