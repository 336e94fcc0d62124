import { randomUUID } from 'node:crypto';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requireOperatorAccount } from '#server/features/accounts/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import { announceCredits } from './grant-paid-credits.ts';
import { addCredits, insertTransaction } from './store.ts';
import { addToBalance, holdBalance } from './team-store.ts';

/**
 * Gives credits to a user or team, or takes them (a negative amount), at most as many as they have. Operators only.
 * `whose` is an email address, or the id of an account or team; throws `user-not-found` for anything else.
 */
export async function adjustCredits(
  ctx: Context,
  { whose, amount }: { whose: string; amount: number },
): Promise<{ payer: string; amount: number; purchasedCredits: number }> {
  const operatorId = await requireOperatorAccount(ctx);
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const payer = await findPayerNamed(tx, whose);
    const balance = payer && (await holdBalance(tx, payer));
    if (payer === undefined || balance === undefined) throw new AppError('user-not-found');
    const change = Math.max(amount, -balance);
    const isTeam = payer.startsWith('team:');
    const id = payer.slice(payer.indexOf(':') + 1);
    const requestId = `operator:${randomUUID()}`;
    await insertTransaction(tx, {
      ...{ id: requestId, requestId, fingerprint: null, userAccountAmount: null, timestamp: now },
      userId: isTeam ? operatorId : id,
      teamId: isTeam ? id : null,
      amount: change,
      source: 'initial',
      isFromMonthlyAllowance: 0,
      details: change < 0 ? 'Taken by the operator' : 'Given by the operator',
    });
    await addToBalance(tx, payer, change);
    await recordAudit(tx, now, {
      ...{ actorUserId: operatorId, action: 'credits.adjust', entityId: id, detail: { amount: change } },
      ...(isTeam ? { teamId: id } : {}),
    });
    await announceCredits(tx, payer);
    if (!isTeam) announceChange(tx, { collection: 'users', audience: payer });
    return { payer, amount: change, purchasedCredits: balance + change };
  });
}

async function findPayerNamed(
  queries: Queries,
  whose: string,
): Promise<`user:${string}` | `team:${string}` | undefined> {
  const user = await queries
    .selectFrom('users')
    .select('id')
    .where(({ eb, or }) => or([eb('email', '=', whose.toLowerCase()), eb('id', '=', whose)]))
    .executeTakeFirst();
  if (user !== undefined) return `user:${user.id}`;
  const team = await queries.selectFrom('teams').select('id').where('id', '=', whose).executeTakeFirst();
  return team && `team:${team.id}`;
}

/** Gives a new account its initial credits, in the transaction that creates it. Idempotent. */
export async function grantInitialCredits(tx: Transaction, userId: string, now: number): Promise<void> {
  const requestId = `initial:${userId}`;
  const isNew = await insertTransaction(tx, {
    id: requestId,
    userId,
    teamId: null,
    requestId,
    fingerprint: null,
    amount: limits.initialCredits,
    userAccountAmount: null,
    source: 'initial',
    isFromMonthlyAllowance: 0,
    timestamp: now,
    details: 'Initial credits',
  });
  if (!isNew) return;
  if (!(await addCredits(tx, userId, limits.initialCredits))) throw new Error('account not found');
  announceChange(tx, { collection: 'creditTransactions', audience: `user:${userId}` });
}
