import { plans, tierOf } from '#contract/plans.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { actingUser, holdUser, requirePerson } from '#server/features/accounts/index.ts';
import { confirmRight, getTeam, holdTeam } from '#server/features/teams/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { changeSet, findSet, type Owner, type PdfSetRow } from './store.ts';

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

/** A set goes with its files: whoever made it, and a team's admins, may remove it. */
export function mayRemove(ctx: Context, set: PdfSetRow, userId: string): boolean {
  return ctx.membership === undefined || ctx.membership.role === 'admin' || set.createdByUserId === userId;
}

/** Room for the files of the workspace one acts in. */
export async function readQuota(ctx: Context): Promise<number> {
  if (ctx.membership !== undefined) return plans[(await getTeam(ctx, ctx.membership)).tier].pdfBytes;
  const user = await actingUser(ctx);
  return user === undefined ? 0 : quotaOfUser(user);
}

/** Holds whoever pays for the storage until the transaction ends, so that two uploads do not take the same room. */
export async function holdQuota(tx: Transaction, ctx: Context): Promise<number> {
  if (ctx.membership !== undefined) {
    const team = await holdTeam(tx, ctx.membership.teamId);
    if (team === undefined) throw new AppError('team-not-found');
    return plans[tierOf(team.tier)].pdfBytes;
  }
  const user = await holdUser(tx, requirePerson(ctx));
  if (user === undefined) throw new AppError('unauthenticated');
  return quotaOfUser(user);
}

/** The operator's storage is their own. */
function quotaOfUser(user: { isOperator: number; tier: string }): number {
  return user.isOperator === 1 ? plans.Pro.pdfBytes : plans[tierOf(user.tier)].pdfBytes;
}

export function announceSets(tx: Transaction, workspace: Owner): void {
  announceChange(tx, { collection: 'pdfSets', audience: workspace });
}
