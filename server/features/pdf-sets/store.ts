import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { NewRow, Row } from '#server/platform/db/schema.ts';

export type PdfSetRow = Row<'pdfSets'>;
export type PdfFileRow = Row<'pdfFiles'>;
export type Owner = PdfSetRow['workspace'];

export async function insertSet(tx: Transaction, row: NewRow<'pdfSets'>): Promise<PdfSetRow> {
  return tx.insertInto('pdfSets').values(row).returningAll().executeTakeFirstOrThrow();
}

/** Returns the sets, newest upload first. */
export async function listSetRows(db: Queries, workspace: Owner): Promise<PdfSetRow[]> {
  return db
    .selectFrom('pdfSets')
    .selectAll()
    .where('workspace', '=', workspace)
    .orderBy('uploadedAt', 'desc')
    .orderBy('id')
    .execute();
}

export async function findSet(db: Queries, workspace: Owner, setId: string): Promise<PdfSetRow | undefined> {
  return db
    .selectFrom('pdfSets')
    .selectAll()
    .where('id', '=', setId)
    .where('workspace', '=', workspace)
    .executeTakeFirst();
}

/** Updates a set, and locks it until the transaction ends; undefined if there is none. */
export async function changeSet(
  tx: Transaction,
  workspace: Owner,
  setId: string,
  change: { displayName?: string; uploadedAt?: number },
): Promise<PdfSetRow | undefined> {
  return tx
    .updateTable('pdfSets')
    .set((expression) => ({ createdAt: expression.ref('createdAt'), ...change }))
    .where('id', '=', setId)
    .where('workspace', '=', workspace)
    .returningAll()
    .executeTakeFirst();
}

/** Deletes a set with its files and uploads. */
export async function deleteSet(tx: Transaction, setId: string): Promise<void> {
  await tx.deleteFrom('pdfSets').where('id', '=', setId).execute();
}

/** Deletes the workspace's sets; returns their ids. */
export async function deleteSets(tx: Transaction, workspace: Owner): Promise<string[]> {
  const rows = await tx.deleteFrom('pdfSets').where('workspace', '=', workspace).returning('id').execute();
  return rows.map(({ id }) => id);
}

/** Moves sets to another workspace, except those whose names are taken there. */
export async function moveSetRows(tx: Transaction, from: Owner, to: Owner): Promise<number> {
  const moved = await tx
    .updateTable('pdfSets')
    .set({ workspace: to })
    .where('workspace', '=', from)
    .where('slug', 'not in', tx.selectFrom('pdfSets as taken').select('taken.slug').where('taken.workspace', '=', to))
    .returning('id')
    .execute();
  return moved.length;
}

export async function insertFile(tx: Transaction, row: NewRow<'pdfFiles'>): Promise<PdfFileRow> {
  return tx.insertInto('pdfFiles').values(row).returningAll().executeTakeFirstOrThrow();
}

/** Returns the files of these sets, by name. */
export async function listFiles(db: Queries, setIds: string[]): Promise<PdfFileRow[]> {
  if (setIds.length === 0) return [];
  const rows = await db.selectFrom('pdfFiles').selectAll().where('setId', 'in', setIds).execute();
  const { compare } = new Intl.Collator('en', { numeric: true });
  return rows.sort((a, b) => compare(a.name, b.name) || (a.id < b.id ? -1 : 1));
}

export async function findFile(db: Queries, setId: string, fileId: string): Promise<PdfFileRow | undefined> {
  return db.selectFrom('pdfFiles').selectAll().where('id', '=', fileId).where('setId', '=', setId).executeTakeFirst();
}

export async function deleteFile(tx: Transaction, setId: string, fileId: string): Promise<PdfFileRow | undefined> {
  return tx
    .deleteFrom('pdfFiles')
    .where('id', '=', fileId)
    .where('setId', '=', setId)
    .returningAll()
    .executeTakeFirst();
}

/** Stores a run's result for a file, unless the file is gone. */
export async function writeFileOutcome(
  db: Queries,
  fileId: string,
  outcome: Partial<
    Pick<NewRow<'pdfFiles'>, 'status' | 'title' | 'language' | 'pageCount' | 'indexedPages' | 'lastError'>
  >,
): Promise<void> {
  await db.updateTable('pdfFiles').set(outcome).where('id', '=', fileId).execute();
}

/** Returns the bytes of files and uploads in progress in all sets of these workspaces. */
export async function usedBytes(db: Queries, workspaces: Owner[]): Promise<number> {
  const files = await db
    .selectFrom('pdfFiles')
    .innerJoin('pdfSets', 'pdfSets.id', 'pdfFiles.setId')
    .where('pdfSets.workspace', 'in', workspaces)
    .select((expression) => expression.fn.sum<number | null>('pdfFiles.sizeBytes').as('bytes'))
    .executeTakeFirst();
  const uploads = await db
    .selectFrom('pdfUploads')
    .innerJoin('pdfSets', 'pdfSets.id', 'pdfUploads.setId')
    .where('pdfSets.workspace', 'in', workspaces)
    .where('pdfUploads.fileId', 'is', null)
    .select((expression) => expression.fn.sum<number | null>('pdfUploads.sizeBytes').as('bytes'))
    .executeTakeFirst();
  return (files?.bytes ?? 0) + (uploads?.bytes ?? 0);
}

/** Returns the keys of all files, for the sweep. */
export async function listFileKeys(db: Queries): Promise<string[]> {
  const rows = await db.selectFrom('pdfFiles').select('blobKey').execute();
  return rows.map(({ blobKey }) => blobKey);
}
