import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { NewRow, Row } from '#server/platform/db/schema.ts';
import type { Owner } from './store.ts';

export type PdfUploadRow = Row<'pdfUploads'>;

export async function insertUpload(tx: Transaction, row: NewRow<'pdfUploads'>): Promise<PdfUploadRow> {
  return tx.insertInto('pdfUploads').values(row).returningAll().executeTakeFirstOrThrow();
}

/** An upload of this person into a set of this workspace. */
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

/** Of a person into a set, those that are not complete, oldest first. */
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

/** Files of a set and uploads into it that are in progress. */
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

/** Adds a part where the upload stands; undefined when it stands elsewhere by now, or is over. */
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

/** Says which file was made of an upload; false when that was said already. */
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

/** The row that was deleted; one that became a file is not. */
export async function deleteUpload(db: Queries, uploadId: string): Promise<PdfUploadRow | undefined> {
  return db
    .deleteFrom('pdfUploads')
    .where('id', '=', uploadId)
    .where('fileId', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** Workspaces of the sets that a person has begun to upload into. */
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

/** Forgets a person's uploads into the sets of a workspace that are not complete, and returns them. */
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

/** Forgets uploads that nothing happened to since then, complete ones too, and returns them. */
export async function deleteUploadsBefore(
  db: Queries,
  before: number,
): Promise<Pick<PdfUploadRow, 'id' | 'setId' | 'fileId'>[]> {
  const stalled = db.deleteFrom('pdfUploads').where('changedAt', '<', before);
  return stalled.returning(['id', 'setId', 'fileId']).execute();
}

export async function listUploadIdsUnderWay(db: Queries): Promise<string[]> {
  const rows = await db.selectFrom('pdfUploads').select('id').where('fileId', 'is', null).execute();
  return rows.map(({ id }) => id);
}
