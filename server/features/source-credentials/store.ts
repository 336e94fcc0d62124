import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { NewRow, Row, Workspace } from '#server/platform/db/schema.ts';

export type SourceCredentialRow = Row<'sourceCredentials'>;

export async function insertCredential(
  tx: Transaction,
  row: NewRow<'sourceCredentials'>,
): Promise<SourceCredentialRow> {
  return tx.insertInto('sourceCredentials').values(row).returningAll().executeTakeFirstOrThrow();
}

/** Returns credentials, newest first. */
export async function listCredentialRows(db: Queries, workspace: Workspace): Promise<SourceCredentialRow[]> {
  return db
    .selectFrom('sourceCredentials')
    .selectAll()
    .where('workspace', '=', workspace as SourceCredentialRow['workspace'])
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute();
}

export async function findCredential(
  db: Queries,
  workspace: Workspace,
  credentialId: string,
): Promise<SourceCredentialRow | undefined> {
  return db
    .selectFrom('sourceCredentials')
    .selectAll()
    .where('id', '=', credentialId)
    .where('workspace', '=', workspace as SourceCredentialRow['workspace'])
    .executeTakeFirst();
}

/** Deletes a credential and returns its row; undefined if it was already deleted. */
export async function deleteCredential(
  tx: Transaction,
  workspace: Workspace,
  credentialId: string,
): Promise<SourceCredentialRow | undefined> {
  return tx
    .deleteFrom('sourceCredentials')
    .where('id', '=', credentialId)
    .where('workspace', '=', workspace as SourceCredentialRow['workspace'])
    .returningAll()
    .executeTakeFirst();
}

export async function deleteCredentials(tx: Transaction, workspace: Workspace): Promise<void> {
  await tx
    .deleteFrom('sourceCredentials')
    .where('workspace', '=', workspace as SourceCredentialRow['workspace'])
    .execute();
}

export async function markCredentialUsed(db: Queries, credentialId: string, now: number): Promise<void> {
  await db.updateTable('sourceCredentials').set({ lastUsedAt: now }).where('id', '=', credentialId).execute();
}

export async function moveCredentialRows(
  tx: Transaction,
  { credentialIds, from, to }: { credentialIds: string[]; from: Workspace; to: Workspace },
): Promise<void> {
  if (credentialIds.length === 0) return;
  await tx
    .updateTable('sourceCredentials')
    .set({ workspace: to as SourceCredentialRow['workspace'] })
    .where('workspace', '=', from as SourceCredentialRow['workspace'])
    .where('id', 'in', credentialIds)
    .execute();
}
