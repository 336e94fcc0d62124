import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Transaction } from '#server/platform/db/database.ts';
import { teamSuffix } from './debit.ts';

/**
 * Takes the texts out of the ledger of a deleted team, and out of its members' where their own accounts paid: what they asked, the
 * pages they got, and names. The sums stay.
 */
export async function clearTeamLedger(tx: Transaction, teamId: string): Promise<void> {
  const nothing = { fingerprint: null, details: '', metadata: '{}' };
  const ofMembers = tx
    .selectFrom('creditTransactions')
    .select(sql<string>`substr(request_id, 1, length(request_id) - ${sql.lit(teamSuffix.length)})`.as('requestId'))
    .where('teamId', '=', teamId)
    .where('requestId', 'like', `%${teamSuffix}`);
  // First, as the team's rows say which of the members' they are.
  await tx
    .updateTable('creditTransactions')
    .set({ ...nothing, details: 'Call in a deleted team' })
    .where('requestId', 'in', ofMembers)
    .execute();
  await tx.updateTable('creditTransactions').set(nothing).where('teamId', '=', teamId).execute();
}

/**
 * Takes a person out of the ledger, the usage and the receipts, for a deleted account: the rows and their sums stay
 * under a made-up id, without what was asked and who asked it.
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
  // Without their keys, several rows of a day are one.
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
