import { plans } from '#contract/plans.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { confirmRight, findPlanShare, holdPlanShare } from '#server/features/teams/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import { changeSet, findSet, type Owner, type PdfFileRow, type PdfSetRow, usedBytes } from './store.ts';

/** Returns a set of the current workspace; another workspace's is reported as not found. */
export async function requireSet(ctx: Context, workspace: Owner, setId: string): Promise<PdfSetRow> {
  const set = await findSet(ctx.db.query, workspace, setId);
  if (set === undefined) throw new AppError('pdf-set-not-found');
  return set;
}

/** Checks the right again and locks the set, in the transaction of a change. */
export async function holdSet(tx: Transaction, ctx: Context, workspace: Owner, setId: string): Promise<PdfSetRow> {
  await confirmRight(tx, ctx, 'sources.write');
  const set = await changeSet(tx, workspace, setId, {});
  if (set === undefined) throw new AppError('pdf-set-not-found');
  return set;
}

/**
 * Returns true if the user may remove a set with its files, or a file: the creator of the set, an admin of the team, or
 * the uploader of the file.
 */
export function mayRemove(ctx: Context, set: PdfSetRow, userId: string, file?: PdfFileRow): boolean {
  const isOwn = set.createdByUserId === userId || file?.uploadedByUserId === userId;
  return ctx.membership === undefined || ctx.membership.role === 'admin' || isOwn;
}

/** Returns the storage for the current workspace's files, and how much of it is used. */
export async function readStorage(
  ctx: Context,
  db: Queries,
  workspace: Owner,
  find = findPlanShare,
): Promise<{ usedBytes: number; quotaBytes: number }> {
  const share = await find(db, ctx, workspace);
  const { plan, workspaces } = share ?? { plan: plans.Pro, workspaces: [workspace] };
  return { usedBytes: await usedBytes(db, workspaces), quotaBytes: plan.pdfBytes };
}

/** Reads the storage and locks it until the transaction ends, so that two uploads do not use the same space. */
export async function holdStorage(tx: Transaction, ctx: Context, workspace: Owner): ReturnType<typeof readStorage> {
  return readStorage(ctx, tx, workspace, () => holdPlanShare(tx, ctx, workspace));
}

export function announceSets(tx: Transaction, workspace: Owner): void {
  announceChange(tx, { collection: 'pdfSets', audience: workspace });
}
