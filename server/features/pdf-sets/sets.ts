import { randomUUID } from 'node:crypto';
import type { AuditAction } from '#contract/audit.ts';
import * as limits from '#contract/limits.ts';
import type { PdfSet, PdfUpload } from '#contract/pdf-sets.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { recordChange } from '#server/features/accounts/index.ts';
import { findModules, type ModuleRow, ownerForReading, ownerForWriting } from '#server/features/catalog/index.ts';
import { changeModuleName } from '#server/features/indexing/index.ts';
import { confirmRight } from '#server/features/teams/index.ts';
import { auditTeamOf, recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { PdfSetDependencies } from './dependencies.ts';
import { freeSlug, moduleIdOf, slugOf } from './names.ts';
import { presentSets, presentUpload } from './present.ts';
import { changeSet, insertSet, listSetRows, type PdfSetRow } from './store.ts';
import { listUploads } from './upload-store.ts';
import { announceSets, holdStorage, readStorage, requireSet } from './workspace.ts';

type Parts = Pick<PdfSetDependencies, 'bucketName'>;

/** Returns the sets of the current workspace, newest upload first, and the storage they use. */
export async function listPdfSets(
  ctx: Context,
  deps: Parts,
): Promise<{ sets: PdfSet[]; storage: { usedBytes: number; quotaBytes: number } }> {
  const { workspace } = ownerForReading(ctx);
  const rows = await listSetRows(ctx.db.query, workspace);
  const storage = await readStorage(ctx, ctx.db.query, workspace);
  return { sets: await presentSets(ctx, ctx.db.query, rows, deps), storage };
}

/** Returns a set, and the caller's own incomplete uploads into it. */
export async function getPdfSet(
  ctx: Context,
  input: { setId: string },
  deps: Parts,
): Promise<{ set: PdfSet; uploads: PdfUpload[] }> {
  const { userId, workspace } = ownerForReading(ctx);
  const row = await requireSet(ctx, workspace, input.setId);
  const uploads = await listUploads(ctx.db.query, row.id, userId);
  return { set: await presentOne(ctx, row, deps), uploads: uploads.map(presentUpload) };
}

/** Creates an empty set. Its name need not be unique: sets have different addresses. */
export async function createPdfSet(ctx: Context, input: { displayName: string }, deps: Parts): Promise<PdfSet> {
  const { userId, workspace } = ownerForWriting(ctx);
  const now = ctx.clock.now();
  const row = await ctx.db.transaction(async (tx) => {
    await confirmRight(tx, ctx, 'sources.write');
    // Locked, so that two sets created concurrently do not get the same address.
    await holdStorage(tx, ctx, workspace);
    const others = await listSetRows(tx, workspace);
    if (others.length >= limits.pdfSetsPerWorkspaceMax) {
      throw new AppError('pdf-sets-too-many', { values: { limit: limits.pdfSetsPerWorkspaceMax } });
    }
    const slug = freeSlug(slugOf(input.displayName, 'pdfs'), new Set(others.map((other) => other.slug)));
    const id = randomUUID();
    const { displayName } = input;
    const made = { id, workspace, slug, displayName, createdAt: now, createdByUserId: userId, uploadedAt: now };
    await audit(tx, now, 'pdf-set.create', userId, made);
    announceSets(tx, workspace);
    return insertSet(tx, made);
  });
  return presentOne(ctx, row, deps);
}

/** Renames a set. */
export async function renamePdfSet(
  ctx: Context,
  input: { setId: string; displayName: string },
  deps: Parts,
): Promise<PdfSet> {
  const { userId, workspace } = ownerForWriting(ctx);
  await requireSet(ctx, workspace, input.setId);
  const row = await ctx.db.transaction(async (tx) => {
    await confirmRight(tx, ctx, 'sources.write');
    const changed = await changeSet(tx, workspace, input.setId, { displayName: input.displayName });
    if (changed === undefined) throw new AppError('pdf-set-not-found');
    const [module] = await findModules(tx, [workspace], moduleIdOf(changed.slug));
    if (module !== undefined) await changeModuleName(tx, module.id, changed.displayName);
    await audit(tx, ctx.clock.now(), 'pdf-set.rename', userId, changed);
    announceSets(tx, workspace);
    return changed;
  });
  return presentOne(ctx, row, deps);
}

/** Renames the set of a renamed module. */
export async function renameSetOf(
  tx: Transaction,
  { workspace, slug, displayName }: Pick<ModuleRow, 'workspace' | 'slug' | 'displayName'>,
): Promise<void> {
  if (workspace === 'public') return;
  const set = (await listSetRows(tx, workspace)).find((one) => moduleIdOf(one.slug) === slug);
  if (set === undefined) return;
  await changeSet(tx, workspace, set.id, { displayName });
  announceSets(tx, workspace);
}

export async function presentOne(ctx: Context, row: PdfSetRow, deps: Parts): Promise<PdfSet> {
  const [set] = await presentSets(ctx, ctx.db.query, [row], deps);
  return set as PdfSet;
}

/** Records an action on a set in the audit log. */
export async function audit(
  tx: Parameters<typeof recordAudit>[0],
  now: number,
  action: AuditAction,
  userId: string,
  set: Pick<PdfSetRow, 'id' | 'displayName' | 'workspace'>,
  detail: Record<string, unknown> = {},
): Promise<void> {
  // Other actions need no limit: a set is removed once, and runs are limited themselves.
  const record = ['pdf-set.create', 'pdf-set.rename'].includes(action) ? recordChange : recordAudit;
  await record(tx, now, {
    ...{ actorUserId: userId, action, entityId: set.id },
    detail: { name: set.displayName, ...detail },
    ...auditTeamOf(set.workspace),
  });
}
