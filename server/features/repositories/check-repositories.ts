import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { type SourceOf, sourceIn, sourceOfKind } from '#server/features/catalog/index.ts';
import { queueRun } from '#server/features/indexing/index.ts';
import { GitError } from '#server/platform/git/index.ts';
import type { RepositoryDependencies } from './dependencies.ts';
import { findPlace, remoteOf } from './find-place.ts';
import {
  checkEveryMs,
  claimRepository,
  findModuleOf,
  listDueRepositories,
  listRunEnds,
  listUnknownModules,
  noteChecked,
  putRepository,
  type RepositoryRow,
} from './store.ts';

/** The delay doubles with each failure, up to a day. */
const backOffMsMax = 24 * 60 * 60_000;
/** Delay while a run of the module is active: it may have read an older revision. */
const lookAgainMs = 3_000;
const checksAtOnce = 4;
const checksPerRound = 100;

/**
 * Checks the repositories that are due, each in only one process, and queues a run if the branch or tag points to
 * another commit than the served one. Failures are stored in the row and retried with growing delays. Returns how many
 * were checked.
 */
export async function checkRepositories(
  ctx: Context,
  deps: RepositoryDependencies,
  signal?: AbortSignal,
): Promise<number> {
  const now = ctx.clock.now();
  for (const { id, source } of await listUnknownModules(ctx.db.query)) {
    const nextCheckAt = now + checkEveryMs;
    const known = gitSourceOf(source);
    // The doctor reports damaged rows; the others are still checked.
    if (known !== undefined)
      await putRepository(ctx.db.query, { moduleId: id, source: known, text: source, nextCheckAt });
  }
  const due = await listDueRepositories(ctx.db.query, now, { mostMs: backOffMsMax, count: checksPerRound });
  let checked = 0;
  const work = async () => {
    for (let row = due.shift(); row !== undefined && signal?.aborted !== true; row = due.shift()) {
      const claimedUntil = ctx.clock.now() + checkEveryMs;
      if (!(await claimRepository(ctx.db.query, row, claimedUntil))) continue;
      checked += 1;
      await check(ctx, row, claimedUntil, deps, signal);
    }
  };
  await Promise.all(Array.from({ length: checksAtOnce }, work));
  return checked;
}

function gitSourceOf(text: string): SourceOf<'git'> | undefined {
  const source = sourceIn(text);
  return source && sourceOfKind(source, 'git');
}

async function check(
  ctx: Context,
  row: RepositoryRow,
  claimedUntil: number,
  deps: RepositoryDependencies,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { moduleId, failureCount } = row;
  const note = (nextCheckMs: number, change: Parameters<typeof noteChecked>[2]) => {
    const now = ctx.clock.now();
    const times = { moduleId, claimedUntil, nextCheckAt: now + nextCheckMs };
    return noteChecked(ctx.db.query, times, { checkedAt: now, ...change });
  };
  try {
    const [module, source] = [await findModuleOf(ctx.db.query, moduleId), gitSourceOf(row.source)];
    if (module === undefined) return;
    if (source === undefined) throw new Error('the row of the repository is damaged');
    const remote = await remoteOf(ctx, source, { workspace: module.workspace, readsFiles: false }, deps);
    const { revision } = (await findPlace(remote, source, deps, signal)).ref;
    const standing = await standingOf(ctx, row, revision);
    if (standing.kind === 'current') return await note(checkEveryMs, { checkError: null, failureCount: 0 });
    const failures = standing.kind === 'failed' ? failureCount + 1 : 0;
    const error = standing.kind === 'failed' ? standing.error : null;
    if (standing.kind === 'cancelled') return await note(checkEveryMs, { checkError: null });
    const jobId = await queue(ctx, module, source, deps);
    if (jobId === undefined) return await note(lookAgainMs, {});
    await note(backOffMs(failures), {
      ...{ queuedRevision: revision, queuedJobId: jobId, checkError: error, failureCount: failures },
    });
  } catch (error) {
    if (signal?.aborted === true) return note(0, {});
    const told = error instanceof GitError || error instanceof AppError || isOutboundError(error);
    ctx.log.warn({ err: error, moduleId }, 'a repository could not be checked');
    const checkError = told ? error.message : 'The check failed on our side; the server log says why.';
    await note(backOffMs(failureCount + 1), { checkError, failureCount: failureCount + 1 });
  }
}

function isOutboundError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'OutboundError';
}

type Standing = { kind: 'current' | 'changed' | 'cancelled' } | { kind: 'failed'; error: string | null };

/** Returns whether a commit is the served one and, if not, the result of the last run for it. */
async function standingOf(ctx: Context, row: RepositoryRow, revision: string): Promise<Standing> {
  const isFetched = row.revision === revision;
  const jobIds = [isFetched ? row.revisionJobId : null, row.queuedRevision === revision ? row.queuedJobId : null];
  const runs = await listRunEnds(
    ctx.db.query,
    jobIds.filter((id) => id !== null),
  );
  const fetched = runs.find(({ id }) => id === row.revisionJobId);
  if (isFetched && (fetched === undefined || fetched.status === 'COMPLETE')) return { kind: 'current' };
  const last = runs.at(-1);
  if (last?.status !== 'FAILED') return { kind: 'changed' };
  return last.cancelRequestedAt === null ? { kind: 'failed', error: last.error } : { kind: 'cancelled' };
}

/** Queues a run and returns its id; undefined while one is active. */
async function queue(
  ctx: Context,
  module: NonNullable<Awaited<ReturnType<typeof findModuleOf>>>,
  source: SourceOf<'git'>,
  { notices }: RepositoryDependencies,
): Promise<string | undefined> {
  const { workspace, slug, createdByUserId: startedByUserId } = module;
  try {
    const { job } = await ctx.db.transaction((tx) => queueRun(tx, ctx, { workspace, slug, source, startedByUserId }));
    notices.jobChanged(job);
    notices.jobQueued();
    return job.id;
  } catch (error) {
    if (error instanceof AppError && error.code === 'job-already-running') return undefined;
    throw error;
  }
}

function backOffMs(failures: number): number {
  return Math.min(backOffMsMax, checkEveryMs * 2 ** failures);
}
