import type { JobRun } from '#contract/library.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import {
  findReadableModule,
  type JobSettings,
  runningStatuses,
  type Source,
  seesPathsOf,
  sourceSchema,
  visibilityOf,
  workspaceForWriting,
} from '#server/features/catalog/index.ts';
import { actIn, confirmRight } from '#server/features/teams/index.ts';
import type { Workspace } from '#server/platform/db/schema.ts';
import { requireJob } from './jobs.ts';
import type { LibraryNotices } from './notices.ts';
import { presentJob } from './present.ts';
import { queueRun } from './queue-run.ts';

/** Queues what a run that has ended did once more: the same source, limits and credential. */
export async function retryJob(ctx: Context, input: { jobId: string }, notices: LibraryNotices): Promise<JobRun> {
  requirePerson(ctx);
  const row = await requireJob(ctx, input.jobId);
  if (runningStatuses.includes(row.status)) {
    throw new AppError('job-already-running', { values: { module: row.slug } });
  }
  const { source } = JSON.parse(row.settings) as JobSettings;
  const { workspace, slug, displayName } = row;
  return startAgain(ctx, { workspace, slug, displayName, source: sourceSchema.parse(source) }, notices);
}

/** Reads a module again from where it came from: whole, or only what the last run could not read. */
export async function refreshModule(
  ctx: Context,
  input: { moduleId: string; visibility?: 'public' | 'private'; teamId?: string; onlyFailed?: boolean },
  notices: LibraryNotices,
): Promise<JobRun> {
  requirePerson(ctx);
  const acting = await actIn(ctx, input.teamId);
  const { workspace, slug, displayName, source } = await findReadableModule(acting, input);
  const parsed = sourceSchema.parse(JSON.parse(source));
  const isRetry = input.onlyFailed === true;
  return startAgain(acting, { workspace, slug, displayName, source: parsed, isRetry }, notices);
}

async function startAgain(
  ctx: Context,
  run: { workspace: Workspace; slug: string; displayName: string; source: Source; isRetry?: boolean },
  notices: LibraryNotices,
): Promise<JobRun> {
  const startedByUserId = requirePerson(ctx);
  // The public index, and what this machine's folders hold, are the operator's, no matter who may see the run.
  await workspaceForWriting(ctx, visibilityOf(run.workspace), run.source.kind);
  const { job } = await ctx.db.transaction(async (tx) => {
    if (run.workspace !== 'public') await confirmRight(tx, ctx, 'sources.write');
    return queueRun(tx, ctx, { ...run, startedByUserId });
  });
  notices.jobChanged(job);
  notices.jobQueued();
  return presentJob(job, { now: ctx.clock.now(), seesPaths: await seesPathsOf(ctx, [job]) });
}
