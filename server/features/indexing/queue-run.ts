import { randomUUID } from 'node:crypto';
import { AppError, sourceRefused } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { findUser, recordChange } from '#server/features/accounts/index.ts';
import {
  ensureModule,
  findLastEndedJob,
  findRunningJob,
  type JobSettings,
  type ModuleRow,
  type Source,
  sourceOfRun,
} from '#server/features/catalog/index.ts';
import { auditTeamOf, recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Workspace } from '#server/platform/db/schema.ts';
import { parseRemote } from '#server/platform/git/index.ts';
import { OutboundError } from '#server/platform/outbound/index.ts';
import { refusalForOthers } from '#server/platform/refusal-for-others.ts';
import { isBegunAnew } from './failure.ts';
import { dropRetriesOf, insertJob, type JobRow } from './job-store.ts';
import { withinPlan } from './within-plan.ts';

export interface RunToQueue {
  workspace: Workspace;
  slug: string;
  /** If absent, the module's current name, or its id. */
  displayName?: string;
  source: Source;
  /** True to read only the pages that failed in the last run. */
  isRetry?: boolean | undefined;
  /** Number of consecutive runs started because pages of the previous run failed, including this one. */
  retries?: number;
  /** The user recorded in the audit log. */
  startedByUserId: string;
  /**
   * Receives the module's current row and returns the source to read. Throws if the module's source must not be
   * replaced.
   */
  settle?: (module: ModuleRow) => Source | Promise<Source>;
}

/**
 * Queues a run in the transaction of the caller, who has checked the right to do so; creates the module's row if there
 * is none, and locks it. All ways to start a run end here, so an address that must not be contacted is refused here
 * (`source-refused`) instead of failing a run. Throws `job-already-running` while a run is active. A failed or
 * cancelled run with the same source is resumed. After the commit, call `notices.jobChanged(job)` and `jobQueued()`.
 */
export async function queueRun(
  tx: Transaction,
  ctx: Context,
  run: RunToQueue,
): Promise<{ job: JobRow; module: ModuleRow }> {
  const { workspace, slug, startedByUserId } = run;
  const id = randomUUID();
  const now = ctx.clock.now();
  const module = await ensureModule(tx, {
    id: randomUUID(),
    ...{ workspace, slug },
    displayName: run.displayName ?? slug,
    kind: run.source.kind,
    source: JSON.stringify(run.source),
    createdAt: now,
    createdByUserId: startedByUserId,
  });
  // A PDF set is stored separately from its module: PDF modules and others cannot replace each other.
  if (module.lastUpdatedAt !== null && (module.kind === 'pdf') !== (run.source.kind === 'pdf')) {
    throw sourceRefused(
      `The id "${slug}" belongs to a source of another kind. Give this one another name, or remove that source.`,
    );
  }
  const asked = (await run.settle?.(module)) ?? run.source;
  if ((await findRunningJob(tx, module.id)) !== undefined) {
    throw new AppError('job-already-running', { values: { module: slug } });
  }
  await requireContactable(tx, ctx, asked);
  const source = await withinPlan(tx, ctx, { workspace, module, source: asked });
  // Runs started by jobs or events are not rate-limited: there are as many as the source needs.
  const record = ['operator', 'anonymous'].includes(ctx.actor.kind) ? recordAudit : recordChange;
  await record(tx, now, {
    actorUserId: startedByUserId,
    action: 'module.index',
    entityId: module.id,
    detail: { moduleId: slug },
    ...auditTeamOf(workspace),
  });
  const settings: JobSettings = {
    source,
    spoolId: (await resumableSpool(tx, module.id, { source, isRetry: run.isRetry === true })) ?? id,
    ...(run.isRetry === true ? { isRetry: true } : {}),
    ...(run.retries === undefined ? {} : { retries: run.retries }),
  };
  await dropRetriesOf(tx, module.id);
  const job = await insertJob(tx, {
    id,
    ...{ workspace, slug, startedByUserId },
    moduleId: module.id,
    displayName: run.displayName ?? module.displayName,
    url: source.url,
    kind: source.kind,
    status: 'QUEUED',
    settings: JSON.stringify(settings),
    skipReasons: '[]',
    createdAt: now,
    updatedAt: now,
  });
  return { job, module };
}

/**
 * Throws for addresses that must not be contacted. This fails early only; outbound requests check again. A repository
 * with a credential is limited to its origin, such as the configured code host.
 */
async function requireContactable(tx: Transaction, ctx: Context, source: Source): Promise<void> {
  const { kind, url, seeds } = source;
  if (ctx.checkHost === undefined || kind === 'folder' || kind === 'pdf') return;
  if (kind === 'git' && source.credentialId !== undefined) return;
  try {
    for (const address of [url, ...seeds]) {
      ctx.checkHost(kind === 'git' ? parseRemote(address) : { kind: 'web', url: new URL(address) });
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const { actor } = ctx;
    const user = actor.kind === 'anonymous' ? undefined : await findUser(tx, actor.userId);
    const isOperator = actor.kind === 'operator' || user?.isOperator === 1;
    const reason = isOperator ? error.message : refusalForOthers(error.message);
    throw sourceRefused(reason);
  }
}

/** Returns the failed run's spool if a run of this source can resume from it. */
async function resumableSpool(
  tx: Transaction,
  moduleId: string,
  { source, isRetry }: { source: Source; isRetry: boolean },
): Promise<string | undefined> {
  // Only crawls resume from their records; other sources are read completely, reusing unchanged pages.
  if (source.kind !== 'site') return undefined;
  const last = await findLastEndedJob(tx, moduleId);
  if (last === undefined || last.status !== 'FAILED' || isBegunAnew(last.errorCode)) return undefined;
  const before = sourceOfRun(last);
  if (before === undefined) return undefined;
  const { spoolId, isRetry: wasRetry = false } = JSON.parse(last.settings) as JobSettings;
  // A retry reuses pages without requesting them, so a refresh cannot resume from it.
  const isSame = before.url === source.url && before.depth === source.depth && wasRetry === isRetry;
  return isSame && before.maxPages <= source.maxPages ? spoolId : undefined;
}
