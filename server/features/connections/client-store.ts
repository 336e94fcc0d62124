import * as limits from '#contract/limits.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { NewRow, Row } from '#server/platform/db/schema.ts';

const dayMs = 86_400_000;

export async function findClient(db: Queries, clientId: string): Promise<Row<'oauthClients'> | undefined> {
  return db.selectFrom('oauthClients').selectAll().where('id', '=', clientId).executeTakeFirst();
}

export async function insertClient(db: Queries, row: NewRow<'oauthClients'>): Promise<void> {
  await db.insertInto('oauthClients').values(row).execute();
}

/** Stores the latest version of a published description. */
export async function putDocumentClient(
  db: Queries,
  row: NewRow<'oauthClients'> & { kind: 'document' },
): Promise<void> {
  await deleteIdleClients(db, row.createdAt);
  const { name, redirectUris, usesRefresh, readUntil } = row;
  await db
    .insertInto('oauthClients')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ name, redirectUris, usesRefresh, readUntil }))
    .execute();
}

/** Returns how many published descriptions are stored. */
export async function countClientDocuments(db: Queries): Promise<number> {
  const { count } = await db
    .selectFrom('oauthClients')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('kind', '=', 'document')
    .executeTakeFirstOrThrow();
  return count;
}

export async function touchClient(db: Queries, clientId: string, now: number): Promise<void> {
  await db.updateTable('oauthClients').set({ lastUsedAt: now }).where('id', '=', clientId).execute();
}

/** Deletes applications that were never connected, or have had no connection for a while. */
export async function deleteIdleClients(db: Queries, now: number): Promise<void> {
  await db
    .deleteFrom('oauthClients')
    .where('lastUsedAt', 'is', null)
    .where('createdAt', '<', now - limits.clientUnusedDays * dayMs)
    .execute();
  await db
    .deleteFrom('oauthClients')
    .where('lastUsedAt', '<', now - limits.clientIdleDays * dayMs)
    .where('id', 'not in', (select) => select.selectFrom('connections').select('clientId'))
    .execute();
}
