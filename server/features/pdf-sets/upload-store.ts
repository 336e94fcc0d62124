import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { NewRow, Row } from '#server/platform/db/schema.ts';
import type { Owner } from './store.ts';

export type PdfUploadRow = Row<'pdfUploads'>;

export async function insertUpload(tx: Transaction, row: NewRow<'pdfUploads'>): Promise<PdfUploadRow> {
  return tx.insertInto('pdfUploads').values(row).returningAll().executeTakeFirstOrThrow();
}

/** Returns this user's upload into a set of this workspace. */
export async function findUpload(
  db: Queries,
  { workspace, userId, uploadId }: { workspace: Owner; userId: string; uploadId: string },
): Promise<PdfUploadRow | undefined> {
  return db
    .selectFrom('pdfUploads')
    .innerJoin('pdfSets', 'pdfSets.id', 'pdfUploads.setId')
    .selectAll('pdfUploads')
    .where('pdfUploads.id', '=', uploadId)
    .where('pdfUploads.userId', '=', userId)
    .where('pdfSets.workspace', '=', workspace)
    .executeTakeFirst();
}

/** Returns a user's incomplete uploads into a set, oldest first. */
export async function listUploads(db: Queries, setId: string, userId: string): Promise<PdfUploadRow[]> {
  return db
    .selectFrom('pdfUploads')
    .selectAll()
    .where('setId', '=', setId)
    .where('userId', '=', userId)
    .where('fileId', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

/** Counts a set's files and its active uploads. */
export async function countPlaces(db: Queries, setId: string): Promise<number> {
  const files = await db
    .selectFrom('pdfFiles')
    .where('setId', '=', setId)
    .select((expression) => expression.fn.countAll<number>().as('places'))
    .executeTakeFirstOrThrow();
  const uploads = await db
    .selectFrom('pdfUploads')
    .where('setId', '=', setId)
    .where('fileId', 'is', null)
    .select((expression) => expression.fn.countAll<number>().as('places'))
    .executeTakeFirstOrThrow();
  return files.places + uploads.places;
}

/** Appends a part at the upload's offset; undefined if the offset has changed or the upload has ended. */
export async function appendPart(
  db: Queries,
  upload: PdfUploadRow,
  part: { key: string; bytes: number; now: number },
): Promise<PdfUploadRow | undefined> {
  return db
    .updateTable('pdfUploads')
    .set({
      parts: JSON.stringify([...partsOf(upload), part.key]),
      arrivedBytes: upload.arrivedBytes + part.bytes,
      changedAt: part.now,
    })
    .where('id', '=', upload.id)
    .where('arrivedBytes', '=', upload.arrivedBytes)
    .where('fileId', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

export function partsOf(upload: PdfUploadRow): string[] {
  return JSON.parse(upload.parts) as string[];
}

/** Records the file made from an upload; returns false if that has already happened. */
export async function claimUpload(tx: Transaction, uploadId: string, fileId: string, now: number): Promise<boolean> {
  const claimed = await tx
    .updateTable('pdfUploads')
    .set({ fileId, parts: '[]', changedAt: now })
    .where('id', '=', uploadId)
    .where('fileId', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Deletes an upload and returns its row, unless it became a file. */
export async function deleteUpload(db: Queries, uploadId: string): Promise<PdfUploadRow | undefined> {
  return db
    .deleteFrom('pdfUploads')
    .where('id', '=', uploadId)
    .where('fileId', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** Returns the workspaces of the sets that a user has started to upload into. */
export async function listUploadWorkspaces(db: Queries, userId: string): Promise<Owner[]> {
  const rows = await db
    .selectFrom('pdfUploads')
    .innerJoin('pdfSets', 'pdfSets.id', 'pdfUploads.setId')
    .select('pdfSets.workspace')
    .distinct()
    .where('pdfUploads.userId', '=', userId)
    .where('pdfUploads.fileId', 'is', null)
    .execute();
  return rows.map(({ workspace }) => workspace);
}

/** Deletes and returns a user's incomplete uploads into a workspace's sets. */
export async function deleteUploadsOf(
  db: Queries,
  workspace: Owner,
  userId: string,
): Promise<Pick<PdfUploadRow, 'id' | 'setId'>[]> {
  return db
    .deleteFrom('pdfUploads')
    .where('setId', 'in', db.selectFrom('pdfSets').select('id').where('workspace', '=', workspace))
    .where('userId', '=', userId)
    .where('fileId', 'is', null)
    .returning(['id', 'setId'])
    .execute();
}

/** Deletes and returns uploads unchanged since then, including complete ones. */
export async function deleteUploadsBefore(
  db: Queries,
  before: number,
): Promise<Pick<PdfUploadRow, 'id' | 'setId' | 'fileId'>[]> {
  const stalled = db.deleteFrom('pdfUploads').where('changedAt', '<', before);
  return stalled.returning(['id', 'setId', 'fileId']).execute();
}

export async function isUnfinished(db: Queries, uploadId: string): Promise<boolean> {
  const found = db.selectFrom('pdfUploads').select('id').where('id', '=', uploadId).where('fileId', 'is', null);
  return (await found.executeTakeFirst()) !== undefined;
}

export async function listUploadIdsUnderWay(db: Queries): Promise<string[]> {
  const rows = await db.selectFrom('pdfUploads').select('id').where('fileId', 'is', null).execute();
  return rows.map(({ id }) => id);
}
