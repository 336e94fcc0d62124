import { formatBytes, formatCount } from '#contract/quantities.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { type ModuleRow, type Source, sumOtherModules } from '#server/features/catalog/index.ts';
import { findPlanShare, holdPlanShare, type PlanShare } from '#server/features/teams/index.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Workspace } from '#server/platform/db/schema.ts';
import { countRunningJobs } from './job-store.ts';

/** When to suggest requesting a run again; runs of a few pages finish within this time. */
const retryAfterSeconds = 60;

/**
 * Returns the source limited to the pages and depth that its workspace's plan allows. Refuses a user's run while as
 * many are active as the plan allows (`runs-at-limit`), and a run that could add nothing because the plan's pages or
 * bytes are used up, or that adds a source to as many as the plan allows (`plan-full`). Content that is already served
 * may always be refreshed.
 */
export async function withinPlan(
  tx: Transaction,
  ctx: Context,
  run: { workspace: Workspace; module: ModuleRow; source: Source },
): Promise<Source> {
  const { workspace, module, source } = run;
  if (ctx.hasPlanLimits !== true) return source;
  const share = await holdPlanShare(tx, ctx, workspace);
  if (share === undefined) return source;
  const { plan, tier, workspaces } = share;
  if (ctx.actor.kind !== 'operator' && (await countRunningJobs(tx, workspaces)) >= plan.runsAtOnce) {
    throw new AppError('runs-at-limit', { values: { tier, limit: plan.runsAtOnce }, retryAfterSeconds });
  }
  const others = await sumOtherModules(tx, workspaces, module.id);
  const left = others.bytes >= plan.indexBytes ? 0 : plan.pagesTotal - others.pages;
  const pages = Math.max(module.pageCount, Math.min(plan.pagesPerSource, left));
  const isOneTooMany = module.lastUpdatedAt === null && others.count >= plan.sourcesTotal;
  if (pages <= 0 || isOneTooMany) throw planFull(share);
  const depth = source.kind === 'site' ? { depth: Math.min(source.depth ?? plan.depth, plan.depth) } : {};
  return { ...source, maxPages: Math.min(source.maxPages, pages), ...depth };
}

/** Refuses a new version (`plan-full`) that is larger than the one it replaces and exceeds the plan. */
export async function requireRoomInPlan(
  tx: Transaction,
  ctx: Context,
  module: ModuleRow,
  built: { pageCount: number; byteCount: number },
): Promise<void> {
  if (ctx.hasPlanLimits !== true) return;
  const share = await holdPlanShare(tx, ctx, module.workspace);
  if (share === undefined) return;
  const others = await sumOtherModules(tx, share.workspaces, module.id);
  const { pagesTotal, indexBytes } = share.plan;
  const hasTooManyPages = built.pageCount > module.pageCount && others.pages + built.pageCount > pagesTotal;
  const hasTooManyBytes = built.byteCount > module.byteCount && others.bytes + built.byteCount > indexBytes;
  if (hasTooManyPages || hasTooManyBytes) throw planFull(share);
}

/**
 * Returns a function that refuses (`plan-full`) more bytes of fetched pages than the plan leaves for the module's
 * index, which is larger than they are: otherwise such a run would fill the disk and be refused at its end.
 */
export async function roomOfRun(ctx: Context, module: ModuleRow): Promise<((bytes: number) => void) | undefined> {
  const share = await findPlanShare(ctx.db.query, ctx, module.workspace);
  if (share === undefined) return undefined;
  const others = await sumOtherModules(ctx.db.query, share.workspaces, module.id);
  const bytesMax = Math.max(module.byteCount, share.plan.indexBytes - others.bytes);
  return (bytes) => {
    if (bytes > bytesMax) throw planFull(share);
  };
}

function planFull({ tier, plan }: PlanShare): AppError {
  const { pagesTotal, indexBytes, sourcesTotal } = plan;
  const [pages, sources] = [formatCount(pagesTotal), formatCount(sourcesTotal)];
  const values = { tier, pages, bytes: formatBytes(indexBytes), sources };
  return new AppError('plan-full', { values });
}
