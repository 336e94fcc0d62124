import { indexStackName, privateIndexId } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';
import type { PdfFile, PdfSet, PdfUpload } from '#contract/pdf-sets.ts';
import { type Context, teamOf } from '#server/context.ts';
import { type ModuleStanding, moduleStandings } from '#server/features/indexing/index.ts';
import { hasRight } from '#server/features/teams/index.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { PdfSetDependencies } from './dependencies.ts';
import { addressOf, folderOf, moduleIdOf } from './names.ts';
import { listFiles, type PdfFileRow, type PdfSetRow } from './store.ts';
import type { PdfUploadRow } from './upload-store.ts';
import { mayRemove } from './workspace.ts';

/** Returns sets as shown to users, in the given order, with their files and their modules' state. */
export async function presentSets(
  ctx: Context,
  db: Queries,
  sets: PdfSetRow[],
  deps: Pick<PdfSetDependencies, 'bucketName'>,
): Promise<PdfSet[]> {
  const [first] = sets;
  if (first === undefined) return [];
  const byId = Map.groupBy(
    await listFiles(
      db,
      sets.map(({ id }) => id),
    ),
    (file) => file.setId,
  );
  const standings = await moduleStandings(db, first.workspace, 'pdf');
  return sets.map((set) => presentSet(ctx, set, byId.get(set.id) ?? [], standings.get(moduleIdOf(set.slug)), deps));
}

function presentSet(
  ctx: Context,
  set: PdfSetRow,
  rows: PdfFileRow[],
  found: ModuleStanding | undefined,
  { bucketName }: Pick<PdfSetDependencies, 'bucketName'>,
): PdfSet {
  // Exclude runs of an earlier set with this name.
  const isOwn = (run: { createdAt: number } | undefined) => run !== undefined && run.createdAt >= set.createdAt;
  const running = isOwn(found?.running) ? found?.running : undefined;
  const ended = isOwn(found?.lastEnded) ? found?.lastEnded : undefined;
  const isServed = (found?.lastUpdatedAt ?? null) !== null;
  const files = rows.map((row) =>
    presentFile(ctx, set, isServed || running !== undefined || ended?.status === 'FAILED' ? row : unread(row)),
  );
  const indexed = files.filter(({ status }) => status === 'indexed');
  const failed = files.filter(({ status }) => status === 'failed');
  const status = statusOf(running, ended, isServed);
  return {
    setId: set.id,
    uid: set.createdByUserId,
    teamId: teamOf(set.workspace) ?? null,
    displayName: set.displayName,
    gcsFolder: folderOf(set.id),
    bucketName,
    pdfFiles: files,
    totalFiles: files.length,
    totalSizeBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    status,
    uploadedAt: set.uploadedAt,
    lastIndexedAt: found?.lastUpdatedAt ?? null,
    totalDocs: indexed.length,
    indexedPages: files.reduce((sum, { indexedPages }) => sum + indexedPages, 0),
    language: mostFrequent(indexed.flatMap(({ language }) => language ?? [])),
    indexId: privateIndexId,
    moduleId: moduleIdOf(set.slug),
    stackName: indexStackName,
    lastError: lastErrorOf(status, ended?.error ?? null, failed),
    errorCount: failed.length,
    jobId: running?.id ?? null,
    canChange: canChange(ctx),
    canRemove: canRemove(ctx, set),
  };
}

type Run = NonNullable<ModuleStanding['running']>;

function statusOf(running: Run | undefined, ended: Run | undefined, isServed: boolean): PdfSet['status'] {
  if (running !== undefined) return running.status === 'QUEUED' ? 'queued' : 'indexing';
  if (ended?.status === 'FAILED' && ended.errorCode !== 'cancelled') return 'failed';
  return isServed ? 'indexed' : 'not indexed';
}

function lastErrorOf(status: PdfSet['status'], runError: string | null, failed: PdfFile[]): string | null {
  const [first] = failed;
  if (first !== undefined) return `${first.name}: ${first.lastError ?? ''}`;
  return status === 'failed' ? runError : null;
}

/** Returns a file as unread: the set's module was removed, or never created. */
function unread(row: PdfFileRow): PdfFileRow {
  return { ...row, status: 'waiting', indexedPages: 0, lastError: null };
}

export function presentFile(ctx: Context, set: PdfSetRow, row: PdfFileRow): PdfFile {
  return {
    fileId: row.id,
    name: row.name,
    sizeBytes: row.sizeBytes,
    contentHash: row.contentHash,
    lastModified: row.lastModified,
    uploadedAt: row.uploadedAt,
    status: row.status,
    address: addressOf(set.slug, row.slug),
    title: row.title,
    language: row.language,
    pageCount: row.pageCount,
    indexedPages: row.indexedPages,
    lastError: row.lastError,
    canRemove: canRemove(ctx, set, row),
  };
}

function canRemove(ctx: Context, set: PdfSetRow, file?: PdfFileRow): boolean {
  return canChange(ctx) && mayRemove(ctx, set, ctx.actor.kind === 'anonymous' ? '' : ctx.actor.userId, file);
}

function canChange({ membership }: Context): boolean {
  return membership === undefined || hasRight(membership.role, 'sources.write');
}

export function presentUpload(row: PdfUploadRow): PdfUpload {
  return {
    uploadId: row.id,
    setId: row.setId,
    fileName: row.name,
    sizeBytes: row.sizeBytes,
    offset: row.arrivedBytes,
    expiresAt: row.changedAt + limits.pdfUploadLifetimeHours * 3_600_000,
  };
}

function mostFrequent(words: string[]): string | null {
  const counts = Map.groupBy(words, (word) => word);
  const [first] = [...counts].toSorted((a, b) => b[1].length - a[1].length);
  return first?.[0] ?? null;
}
