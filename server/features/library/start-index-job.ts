import { randomUUID } from 'node:crypto';
import type { JobRun, StartIndexJobInput } from '#contract/library.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requireUserId } from '#server/features/accounts/index.ts';
import { actIn, confirmRight } from '#server/features/teams/index.ts';
import { auditTeamOf, recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { internalCode } from './failure.ts';
import { findLastEndedJob, findRunningJob, insertJob } from './job-store.ts';
import { ensureModule, type ModuleRow } from './module-store.ts';
import type { LibraryNotices } from './notices.ts';
import { workspaceForWriting } from './policy.ts';
import { presentJob } from './present.ts';
import { defaultModuleId, type JobSettings, parseSource, type Source, sourceSchema } from './source.ts';

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
  const slug = input.moduleId ?? defaultModuleId(parsed);
  const id = randomUUID();
  const now = ctx.clock.now();
  const job = await ctx.db.transaction(async (tx) => {
    if (workspace !== 'public') await confirmRight(tx, acting, 'sources.write');
    const module = await ensureModule(tx, {
      id: randomUUID(),
      workspace,
      slug,
      displayName: input.displayName ?? slug,
      kind: parsed.kind,
      source: JSON.stringify(source),
      createdAt: now,
      createdByUserId: userId,
    });
    if (input.moduleId === undefined) refuseOtherFolder(module, source);
    if ((await findRunningJob(tx, module.id)) !== undefined) {
      throw new AppError('job-already-running', { values: { module: slug } });
    }
    await recordAudit(tx, now, {
      actorUserId: userId,
      action: 'module.index',
      entityId: module.id,
      detail: { moduleId: slug },
      ...auditTeamOf(workspace),
    });
    const settings: JobSettings = { source, spoolId: (await resumableSpool(tx, module.id, source)) ?? id };
    return insertJob(tx, {
      id,
      workspace,
      moduleId: module.id,
      slug,
      displayName: input.displayName ?? module.displayName,
      url: source.url,
      kind: parsed.kind,
      status: 'QUEUED',
      settings: JSON.stringify(settings),
      skipReasons: '[]',
      createdAt: now,
      startedByUserId: userId,
      updatedAt: now,
    });
  });
  notices.jobChanged(job);
  notices.jobQueued();
  return presentJob(job, now);
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

/** Where a run that failed kept its records, when a run of this source may go on from them. */
async function resumableSpool(tx: Transaction, moduleId: string, source: Source): Promise<string | undefined> {
  const last = await findLastEndedJob(tx, moduleId);
  if (last === undefined || last.status !== 'FAILED' || last.errorCode === internalCode) return undefined;
  const { source: before, spoolId } = JSON.parse(last.settings) as JobSettings;
  const isSame = before.url === source.url && before.depth === source.depth;
  return isSame && before.maxPages <= source.maxPages ? spoolId : undefined;
}
