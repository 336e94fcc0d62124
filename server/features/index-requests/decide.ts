import type { IndexRequest } from '#contract/index-requests.ts';
import { type JobRun, startIndexJobInput } from '#contract/library.ts';
import { AppError } from '#server/app-error.ts';
import type { Context, Workspace } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import { type LibraryNotices, listJobs, prepareIndexJob } from '#server/features/indexing/index.ts';
import { confirmRight, requireRight } from '#server/features/teams/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import { auditTeamOf, recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { requireAsker } from './asker.ts';
import { presentRequest } from './list-index-requests.ts';
import {
  findRequest,
  listRequestRows,
  markClosedAtAgent,
  type RequestRow,
  setRequestJob,
  settleRequest,
} from './store.ts';

/** Where the user answered: on the screen, or at the agent's client. */
type Through = 'screen' | 'agent';

/**
 * Starts indexing a source that an agent requested, as private documentation of the workspace. A user who may add
 * sources there decides once: an answered or expired request is refused, and one of another workspace is reported as
 * not found. An active run of the same module counts as the result.
 */
export async function approveIndexRequest(
  ctx: Context,
  input: { requestId: string },
  notices: LibraryNotices,
  through: Through = 'screen',
): Promise<{ request: IndexRequest; job: JobRun }> {
  const { request, decider } = await requireDecidable(ctx, input.requestId);
  const { source, moduleId, library, version } = request;
  const wanted = { source, visibility: 'private', library: library ?? undefined, version: version ?? undefined };
  const prepared = await prepareIndexJob(ctx, startIndexJobInput.parse(wanted));
  const underWay = (await listJobs(ctx)).find((job) => job.moduleId === moduleId && job.endTime === null);
  const job = await ctx.db.transaction(async (tx) => {
    await settle(tx, ctx, { request, decider, through, state: 'approved' });
    const queued = underWay === undefined ? await prepared.queue(tx) : undefined;
    await setRequestJob(tx, request.id, queued?.id ?? underWay?.id ?? '');
    return queued;
  });
  const started = job === undefined ? underWay : prepared.tell(job, notices);
  if (started === undefined) throw new Error('an approval started nothing');
  return { request: await present(ctx, request), job: started };
}

/**
 * Declines an agent's request: further requests within 24 hours get the same answer. Throws like `approveIndexRequest`.
 */
export async function declineIndexRequest(
  ctx: Context,
  input: { requestId: string },
  through: Through = 'screen',
): Promise<IndexRequest> {
  const { request, decider } = await requireDecidable(ctx, input.requestId);
  await ctx.db.transaction((tx) => settle(tx, ctx, { request, decider, through, state: 'declined' }));
  return present(ctx, request);
}

interface Decider {
  userId: string;
  workspace: Workspace;
}

async function requireDecidable(ctx: Context, requestId: string): Promise<{ request: RequestRow; decider: Decider }> {
  const userId = requirePerson(ctx);
  const workspace = ctx.workspace ?? (`user:${userId}` as const);
  const request = await findRequest(ctx.db.query, workspace, requestId);
  if (request === undefined) throw new AppError('index-request-not-found');
  requireRight(ctx, 'sources.write');
  return { request, decider: { userId, workspace } };
}

async function settle(
  tx: Transaction,
  ctx: Context,
  answer: { request: RequestRow; decider: Decider; through: Through; state: 'approved' | 'declined' },
): Promise<void> {
  const { request, decider, through, state } = answer;
  const { userId, workspace } = decider;
  const now = ctx.clock.now();
  await confirmRight(tx, ctx, 'sources.write');
  const settled = { state, answeredByUserId: userId, answeredThrough: through };
  if (!(await settleRequest(tx, { id: request.id, workspace, now }, settled))) {
    throw new AppError('index-request-settled');
  }
  await recordAudit(tx, now, {
    actorUserId: userId,
    action: state === 'approved' ? 'index-request.approve' : 'index-request.decline',
    entityId: request.id,
    detail: { name: request.address, by: request.credentialName, through },
    ...auditTeamOf(workspace),
  });
  announceChange(tx, { collection: 'indexRequests', audience: workspace });
}

async function present(ctx: Context, { workspace, id }: RequestRow): Promise<IndexRequest> {
  const [row] = await listRequestRows(ctx.db.query, workspace, { count: 1, id });
  if (row === undefined) throw new AppError('index-request-not-found');
  return presentRequest(row, ctx.clock.now());
}

export interface AnswerByAgent {
  requestId: string;
  /** `close`: the user decided nothing, and can still do so on the screen. */
  answer: 'approve' | 'decline' | 'close';
}

/**
 * Stores the answer given at an agent's client by its user, the key's or connection's owner, who may decide the same as
 * on the screen. Only requests made with the same key or connection can be answered.
 */
export async function answerByAgent(
  ctx: Context,
  { requestId, answer }: AnswerByAgent,
  notices: LibraryNotices,
): Promise<JobRun | undefined> {
  const { userId, workspace, credential } = requireAsker(ctx);
  const request = await findRequest(ctx.db.query, workspace, requestId);
  if (request === undefined || request.credentialId !== credential.id) throw new AppError('index-request-not-found');
  const person: Context = { ...ctx, actor: { kind: 'user', userId } };
  if (answer === 'approve') return (await approveIndexRequest(person, { requestId }, notices, 'agent')).job;
  if (answer === 'decline') await declineIndexRequest(person, { requestId }, 'agent');
  else await ctx.db.transaction((tx) => markClosedAtAgent(tx, requestId));
  return undefined;
}
