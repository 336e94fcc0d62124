import { randomUUID } from 'node:crypto';
import type { CreditTransaction } from '#contract/credits.ts';
import type { Context } from '#server/context.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { CallIdentity } from './call-identity.ts';
import { type Balance, readBalance } from './credit-info.ts';
import {
  type CreditAccount,
  findCharge,
  insertTransaction,
  lockCreditAccount,
  takeAllowance,
  takeCredits,
} from './store.ts';

/** What is to be paid for. */
export interface Charge {
  /** Whole credits, at least 1. */
  amount: number;
  identity: CallIdentity;
  /** One line for the activity table. */
  details: string;
  metadata: CreditTransaction['metadata'];
}

export type DebitOutcome =
  /** `isRetry`: this call was charged before; nothing was taken now. */
  | { isPaid: true; isRetry: boolean; requestId: string; fromAllowance: number; fromBalance: number }
  | { isPaid: false; balance: Balance };

/**
 * Charges the acting person's account for one call, in the transaction of the caller: the month's allowance first, then
 * the balance, all of it or nothing. A retry answers the first outcome and takes nothing. Debits of one account wait
 * for each other, so a retry sent while the first is being charged sees it. The operator is recorded with 0 credits.
 * `isPaid` is false, and nothing is written, when the account has too little or is gone.
 */
export async function debit(tx: Transaction, ctx: Context, userId: string, charge: Charge): Promise<DebitOutcome> {
  const now = ctx.clock.now();
  const account = await lockCreditAccount(tx, userId);
  if (account === undefined) return { isPaid: false, balance: noBalance };
  const earlier = await findEarlierCharge(tx, userId, charge.identity, now);
  if (earlier !== undefined) return earlier;
  const balance = await readBalance(tx, account, now);
  const price = balance.info.isUnlimited ? 0 : charge.amount;
  if (price > balance.info.totalCreditsAvailable) return { isPaid: false, balance };
  const fromAllowance = Math.min(price, balance.info.monthlyCreditsRemaining);
  const parts = { fromAllowance, fromBalance: price - fromAllowance };
  const requestId = await insertCharge(tx, { account, charge, parts, now });
  await takeParts(tx, account, balance, parts);
  return { isPaid: true, isRetry: false, requestId, ...parts };
}

/** The outcome of the same call when it was charged within its time. */
export async function findEarlierCharge(
  queries: Queries,
  userId: string,
  { fingerprint, windowMs }: CallIdentity,
  now: number,
): Promise<(DebitOutcome & { isPaid: true }) | undefined> {
  const rows = await findCharge(queries, userId, fingerprint, now - windowMs);
  const [first] = rows;
  if (first === undefined) return undefined;
  const spent = (isAllowance: 0 | 1) =>
    rows.filter((row) => row.isFromMonthlyAllowance === isAllowance).reduce((sum, { amount }) => sum - amount, 0);
  return { isPaid: true, isRetry: true, requestId: first.requestId, fromAllowance: spent(1), fromBalance: spent(0) };
}

interface Parts {
  fromAllowance: number;
  fromBalance: number;
}

/** One ledger row, or two under one request when the debit straddles allowance and balance. */
async function insertCharge(
  tx: Transaction,
  { account, charge, parts, now }: { account: CreditAccount; charge: Charge; parts: Parts; now: number },
): Promise<string> {
  const requestId = `${charge.identity.fingerprint}:${now}`;
  const amounts = [
    ...(parts.fromAllowance > 0 ? [{ amount: -parts.fromAllowance, isFromMonthlyAllowance: 1 }] : []),
    ...(parts.fromBalance > 0 || parts.fromAllowance === 0
      ? [{ amount: 0 - parts.fromBalance, isFromMonthlyAllowance: 0 }]
      : []),
  ];
  for (const part of amounts) {
    const isNew = await insertTransaction(tx, {
      ...part,
      id: randomUUID(),
      userId: account.id,
      teamId: null,
      requestId,
      fingerprint: charge.identity.fingerprint,
      userAccountAmount: null,
      source: 'usage',
      timestamp: now,
      details: charge.details,
      metadata: JSON.stringify({
        ...charge.metadata,
        ...(account.email === null ? {} : { userEmail: account.email }),
        user: account.displayName,
      }),
    });
    if (!isNew) throw new Error('a request was charged although its account was locked');
  }
  return requestId;
}

/** The conditions hold while the account is locked; should they not, everything is rolled back. */
async function takeParts(
  tx: Transaction,
  account: CreditAccount,
  { info, cycle }: Balance,
  parts: Parts,
): Promise<void> {
  if (parts.fromAllowance > 0) {
    const allowance = info.monthlyAllowance;
    const isTaken =
      cycle !== undefined && (await takeAllowance(tx, `user:${account.id}`, cycle, parts.fromAllowance, allowance));
    if (!isTaken) throw new Error('the allowance changed although its account was locked');
  }
  if (parts.fromBalance > 0 && !(await takeCredits(tx, account.id, parts.fromBalance))) {
    throw new Error('the balance changed although its account was locked');
  }
}

const noBalance: Balance = {
  info: {
    tier: 'Free',
    isUnlimited: false,
    purchasedCredits: 0,
    monthlyAllowance: 0,
    monthlyCreditsUsed: 0,
    monthlyCreditsRemaining: 0,
    totalCreditsAvailable: 0,
    renewsAt: null,
  },
  cycle: undefined,
};
