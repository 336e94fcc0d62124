import * as limits from '#contract/limits.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { addCredits, insertTransaction } from './store.ts';

/** Gives a new account its credits, in the transaction that makes it. Given once, however often this is called. */
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
