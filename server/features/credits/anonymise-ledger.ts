import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Transaction } from '#server/platform/db/database.ts';
import { teamSuffix } from './debit.ts';

/**
 * Removes the texts from the ledger of a deleted team, and from its members' ledgers where their own accounts paid:
 * queries, addresses of pages, and names. The amounts stay.
 */
export async function clearTeamLedger(tx: Transaction, teamId: string): Promise<void> {
  const nothing = { fingerprint: null, details: '', metadata: '{}' };
  const ofMembers = tx
    .selectFrom('creditTransactions')
    .select(sql<string>`substr(request_id, 1, length(request_id) - ${sql.lit(teamSuffix.length)})`.as('requestId'))
    .where('teamId', '=', teamId)
    .where('requestId', 'like', `%${teamSuffix}`);
  // First, because the team's rows identify those of its members.
  await tx
    .updateTable('creditTransactions')
    .set({ ...nothing, details: 'Call in a deleted team' })
    .where('requestId', 'in', ofMembers)
    .execute();
  await tx.updateTable('creditTransactions').set(nothing).where('teamId', '=', teamId).execute();
}

/**
 * Anonymizes a deleted account's ledger, usage and receipts: rows and amounts stay under a random id, without the
 * queries and the caller.
 */
export async function anonymiseLedger(tx: Transaction, userId: string): Promise<void> {
  const anonymous = `deleted-${randomUUID()}`;
  await tx
    .updateTable('creditTransactions')
    .set({ id: `initial:${anonymous}`, requestId: `initial:${anonymous}` })
    .where('id', '=', `initial:${userId}`)
    .execute();
  await tx
    .updateTable('creditTransactions')
    .set({ userId: anonymous, fingerprint: null, details: '', metadata: '{}' })
    .where('userId', '=', userId)
    .execute();
  await tx.updateTable('callReceipts').set({ userId: anonymous, keyId: null }).where('userId', '=', userId).execute();
  // Without their keys, several rows of a day merge into one.
  await sql`
    insert into call_days (user_id, team_id, key_id, day, tool, calls, answered, credits, tokens, whole_page_tokens,
      withheld_tokens, last_at)
    select ${anonymous}, team_id, '', day, tool, sum(calls), sum(answered), sum(credits), sum(tokens),
      sum(whole_page_tokens), sum(withheld_tokens), max(last_at)
    from call_days where user_id = ${userId} group by team_id, day, tool`.execute(tx);
  await tx.deleteFrom('callDays').where('userId', '=', userId).execute();
  await tx
    .updateTable('monthlyUsage')
    .set({ workspace: `user:${anonymous}` })
    .where('workspace', '=', `user:${userId}`)
    .execute();
}
