import { plans } from '#contract/plans.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { confirmRight, findPlanShare, holdPlanShare } from '#server/features/teams/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import { changeSet, findSet, type Owner, type PdfSetRow, usedBytes } from './store.ts';

/** A set of the workspace one acts in; one of another looks like one that does not exist. */
export async function requireSet(ctx: Context, workspace: Owner, setId: string): Promise<PdfSetRow> {
  const set = await findSet(ctx.db.query, workspace, setId);
  if (set === undefined) throw new AppError('pdf-set-not-found');
  return set;
}

/** The same in the transaction of a change: the right is asked for again, and the set is held. */
export async function holdSet(tx: Transaction, ctx: Context, workspace: Owner, setId: string): Promise<PdfSetRow> {
  await confirmRight(tx, ctx, 'sources.write');
  const set = await changeSet(tx, workspace, setId, {});
  if (set === undefined) throw new AppError('pdf-set-not-found');
  return set;
}

/** A set goes with its files: its creator and the team's admins may remove it. */
export function mayRemove(ctx: Context, set: PdfSetRow, userId: string): boolean {
  return ctx.membership === undefined || ctx.membership.role === 'admin' || set.createdByUserId === userId;
}

/** Room for the files of the workspace one acts in, and how much of it is taken. */
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

/** The same, held until the transaction ends, so that two uploads do not take the same room. */
export async function holdStorage(tx: Transaction, ctx: Context, workspace: Owner): ReturnType<typeof readStorage> {
  return readStorage(ctx, tx, workspace, () => holdPlanShare(tx, ctx, workspace));
}

export function announceSets(tx: Transaction, workspace: Owner): void {
  announceChange(tx, { collection: 'pdfSets', audience: workspace });
}
