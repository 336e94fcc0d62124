import type { JobRun, StartIndexJobInput } from '#contract/library.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requireUserId } from '#server/features/accounts/index.ts';
import { actIn, confirmRight } from '#server/features/teams/index.ts';
import type { ModuleRow } from './module-store.ts';
import type { LibraryNotices } from './notices.ts';
import { workspaceForWriting } from './policy.ts';
import { presentJob } from './present.ts';
import { queueRun } from './queue-run.ts';
import { defaultModuleId, parseSource, type Source, sourceSchema } from './source.ts';

/**
 * Queues a run that indexes a source, or refreshes the module of that name, in the team the input names or the workspace
 * one acts in. A second start while one is under way is refused. A run that failed or was cancelled is taken up where it
 * stopped when it had the same source. A module keeps its source and name until the run has succeeded.
 */
export async function startIndexJob(ctx: Context, input: StartIndexJobInput, notices: LibraryNotices): Promise<JobRun> {
  const userId = requireUserId(ctx);
  const acting = await actIn(ctx, input.teamId);
  const visibility = input.visibility ?? (acting.membership === undefined ? 'public' : 'private');
  const parsed = parseSource(input.source);
  const workspace = await workspaceForWriting(acting, visibility, parsed.kind);
  const source: Source = { ...parsed, seeds: seedsOf(input), maxPages: input.maxPages, depth: input.depth };
  const { job } = await ctx.db.transaction(async (tx) => {
    if (workspace !== 'public') await confirmRight(tx, acting, 'sources.write');
    return queueRun(tx, ctx, {
      workspace,
      slug: input.moduleId ?? defaultModuleId(parsed),
      displayName: input.displayName,
      source,
      startedByUserId: userId,
      accepts: input.moduleId === undefined ? (module) => refuseOtherFolder(module, source) : undefined,
    });
  });
  notices.jobChanged(job);
  notices.jobQueued();
  return presentJob(job, ctx.clock.now());
}

/** Many folders are called "docs": the id made from the name must not put one in the place of another. */
function refuseOtherFolder(module: ModuleRow, source: Source): void {
  const { kind, url } = sourceSchema.parse(JSON.parse(module.source));
  if (kind === source.kind && (kind !== 'folder' || url === source.url)) return;
  throw new AppError('source-refused', {
    values: {
      reason: `There is a module "${module.slug}" made from ${url} already. Give this one another id with --name, or the same to replace that one.`,
    },
  });
}

function seedsOf(input: StartIndexJobInput): string[] {
  return input.seeds.map((seed) => {
    const parsed = parseSource(seed);
    if (parsed.kind !== 'site')
      throw new AppError('source-refused', { values: { reason: `"${seed}" is not an address.` } });
    return parsed.url;
  });
}
