import { sql } from 'kysely';
import type { Queries } from '#server/platform/db/database.ts';

const emptyDetail = '{}';
/** Stands for the address of someone who is gone. */
const goneAddress = '[deleted]';

/**
 * Takes a person out of what is written down: the names in what they did for themselves, and their address in what others
 * did with it. That it was done stays. For the moment before the account goes, while rows still say who acted.
 */
export async function forgetInAudit(db: Queries, userId: string): Promise<void> {
  await db
    .updateTable('auditLog')
    .set({ detail: emptyDetail })
    .where('actorUserId', '=', userId)
    .where('teamId', 'is', null)
    .execute();
  const user = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst();
  if (user === undefined || user.email === null) return;
  const { email } = user;
  await db
    .updateTable('auditLog')
    .set({ detail: sql`replace(detail, ${email}, ${goneAddress})` })
    .where('detail', 'like', `%${email}%`)
    .execute();
}

/** Accounts that were deleted, by id. */
export async function listDeletedAccounts(db: Queries): Promise<{ userId: string; at: number }[]> {
  const rows = await db
    .selectFrom('auditLog')
    .select(['entityId', 'createdAt'])
    .where('action', '=', 'account.delete')
    .orderBy('createdAt')
    .execute();
  return rows.map(({ entityId, createdAt }) => ({ userId: entityId, at: createdAt }));
}
