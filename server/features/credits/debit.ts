import { createHash, randomUUID } from 'node:crypto';
import type { CreditTransaction } from '#contract/credits.ts';
import * as limits from '#contract/limits.ts';
import { type Context, credentialOf } from '#server/context.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { NewRow } from '#server/platform/db/schema.ts';
import { type Balance, readBalance } from './credit-info.ts';
import { lockPayer, type Payer } from './payer.ts';
import {
  type CreditAccount,
  findCharge,
  insertTransaction,
  lockCreditAccount,
  takeAllowance,
  takeCredits,
} from './store.ts';
import { takeTeamCredits } from './team-store.ts';

/** Suffix of the request id of a team's row for a call that a member's own account paid. */
export const teamSuffix = ':team';

/** A charge to debit. */
interface Charge {
  /** Whole credits; 0 if nothing is charged. */
  amount: number;
  identity: CallIdentity;
  /** One line for the activity table. */
  details: string;
  metadata: CreditTransaction['metadata'];
}

export type DebitOutcome =
  /** `isRetry`: this call was charged before; nothing was taken now. */
  | { isPaid: true; isRetry: boolean; requestId: string; fromAllowance: number; fromBalance: number }
  /** `payer` is undefined for a deleted account. */
  | { isPaid: false; balance: Balance; payer: Payer | undefined };

/**
 * Charges a call in the caller's transaction, to the user's account or, in a team where their seat is paid, to the
 * pool: first the monthly allowance, then the balance, all or nothing. If a member's own account pays, the team's
 * ledger gets a row of 0 credits that states the amount. A retry returns the first outcome and takes nothing, even if
 * the seat was assigned or removed in between. Debits of one user are serialized, so that a concurrent retry sees the
 * first charge. Operators are recorded with 0 credits. `isPaid` is false, with nothing written, if there are too few
 * credits or the account is gone; former members are refused (`team-not-found`).
 */
export async function debit(tx: Transaction, ctx: Context, userId: string, charge: Charge): Promise<DebitOutcome> {
  const now = ctx.clock.now();
  const caller = await lockCreditAccount(tx, userId);
  if (caller === undefined) return deletedAccount;
  const earlier = await findEarlierCharge(tx, userId, charge.identity, now);
  if (earlier !== undefined) return earlier;
  const payer = await lockPayer(tx, ctx, caller);
  const balance = await readBalance(tx, payer.account);
  const price = caller.isOperator === 1 ? 0 : charge.amount;
  if (price > balance.info.totalCreditsAvailable) return { isPaid: false, balance, payer };
  const fromAllowance = Math.min(price, balance.info.monthlyCreditsRemaining);
  const parts = { fromAllowance, fromBalance: price - fromAllowance };
  const requestId = await insertCharge(tx, { caller, payer, charge, parts, now });
  await takeParts(tx, payer, balance, parts);
  return { isPaid: true, isRetry: false, requestId, ...parts };
}

/** Returns the outcome of the same call if it was charged within its retry window. */
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

interface Recorded {
  caller: CreditAccount;
  payer: Payer;
  charge: Charge;
  parts: Parts;
  now: number;
}

/**
 * Inserts one ledger row for the payer, or two under one request id if the debit uses both allowance and balance. If a
 * member's own account pays for a call in a team, the team gets a row too, with `:team` appended to the request id;
 * retries are recognized by the account's rows.
 */
async function insertCharge(tx: Transaction, recorded: Recorded): Promise<string> {
  const { payer, charge, parts, now } = recorded;
  const { fingerprint } = charge.identity;
  const requestId = `${fingerprint}:${now}`;
  const amounts = [
    ...(parts.fromAllowance > 0 ? [{ amount: -parts.fromAllowance, isFromMonthlyAllowance: 1 }] : []),
    ...(parts.fromBalance > 0 || parts.fromAllowance === 0
      ? [{ amount: 0 - parts.fromBalance, isFromMonthlyAllowance: 0 }]
      : []),
  ];
  const teamId = payer.isPool ? (payer.team?.id ?? null) : null;
  const isForTeam = payer.team !== undefined && !payer.isPool;
  const details = isForTeam ? `${charge.details} in ${payer.team?.name}` : charge.details;
  for (const part of amounts) await insertRow(tx, recorded, { ...part, requestId, teamId, fingerprint, details });
  if (isForTeam) {
    await insertRow(tx, recorded, {
      amount: 0,
      userAccountAmount: 0 - parts.fromAllowance - parts.fromBalance,
      requestId: `${requestId}${teamSuffix}`,
      teamId: payer.team?.id ?? null,
      details: charge.details,
    });
  }
  return requestId;
}

async function insertRow(
  tx: Transaction,
  { caller, charge, now }: Recorded,
  row: Pick<NewRow<'creditTransactions'>, 'requestId' | 'teamId' | 'details'> & Partial<NewRow<'creditTransactions'>>,
): Promise<void> {
  const person = { ...(caller.email === null ? {} : { userEmail: caller.email }), user: caller.displayName };
  const isNew = await insertTransaction(tx, {
    id: randomUUID(),
    userId: caller.id,
    source: 'usage',
    timestamp: now,
    metadata: JSON.stringify({ ...charge.metadata, ...person }),
    ...row,
  });
  if (!isNew) throw new Error('a request was charged although its account was locked');
}

/** Takes the credits. The conditions hold while the payer is locked; if they fail anyway, everything is rolled back. */
async function takeParts(tx: Transaction, payer: Payer, { info, cycle }: Balance, parts: Parts): Promise<void> {
  const { id, workspace } = payer.account;
  if (parts.fromAllowance > 0) {
    const allowance = info.monthlyAllowance;
    const isTaken = cycle !== undefined && (await takeAllowance(tx, workspace, cycle, parts.fromAllowance, allowance));
    if (!isTaken) throw new Error('the allowance changed although its account was locked');
  }
  if (parts.fromBalance === 0) return;
  const isTaken = payer.isPool
    ? await takeTeamCredits(tx, id, parts.fromBalance)
    : await takeCredits(tx, id, parts.fromBalance);
  if (!isTaken) throw new Error('the balance changed although its account was locked');
}

const noBalance: Balance = {
  info: {
    tier: 'Free',
    isUnlimited: false,
    areCreditsOff: false,
    purchasedCredits: 0,
    monthlyAllowance: 0,
    monthlyCreditsUsed: 0,
    monthlyCreditsRemaining: 0,
    totalCreditsAvailable: 0,
    renewsAt: null,
  },
  cycle: undefined,
};

export const deletedAccount: DebitOutcome & { isPaid: false } = { isPaid: false, balance: noBalance, payer: undefined };

/** Identifies a call, to recognize its retries. */
export interface CallIdentity {
  fingerprint: string;
  /** How long after its charge an identical call counts as a retry. */
  windowMs: number;
}

/**
 * Returns a call's identity. Two calls are the same if the same client with the same key (or user) calls the same tool
 * with the same arguments within a short time, because clients send retries under new request ids. With an idempotency
 * key the time is longer, but only for the same arguments, so that the key cannot be used for other searches without
 * paying.
 */
export function callIdentity(
  ctx: Context,
  call: { tool: string; args: Record<string, unknown>; clientName: string },
): CallIdentity {
  const credential = credentialOf(ctx.actor);
  const person = ctx.actor.kind === 'anonymous' ? '' : ctx.actor.userId;
  const caller = `${ctx.actor.kind}:${credential?.id ?? person}`;
  const sorted = Object.entries(call.args).sort(([a], [b]) => (a < b ? -1 : 1));
  // In a team the same query has other results, so it is a different call.
  const place = ctx.membership === undefined ? [] : [ctx.membership.teamId];
  const parts = [caller, call.clientName, call.tool, sorted, ctx.idempotencyKey ?? null, ...place];
  return {
    fingerprint: createHash('sha256').update(JSON.stringify(parts)).digest('base64url'),
    windowMs:
      ctx.idempotencyKey === undefined ? limits.retryWindowSeconds * 1_000 : limits.idempotencyKeyHours * 3_600_000,
  };
}
