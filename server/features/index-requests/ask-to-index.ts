import { randomBytes } from 'node:crypto';
import type { JobRun } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';
import { AppError, sourceRefused } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { holdUser, tellRefusal } from '#server/features/accounts/index.ts';
import { listModules } from '#server/features/catalog/index.ts';
import { listJobs, type NamedSource, nameSource } from '#server/features/indexing/index.ts';
import { hasRight } from '#server/features/teams/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import { auditTeamOf, recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { GitError, parseRemote } from '#server/platform/git/index.ts';
import { type CheckHost, OutboundError } from '#server/platform/outbound/index.ts';
import { type Asker, requireAsker } from './asker.ts';
import {
  countAskedSince,
  deleteSettledBefore,
  expirePending,
  findLastRequest,
  insertRequest,
  type RequestRow,
} from './store.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const running = ['QUEUED', 'CRAWLING', 'INDEXING'];

export interface AskInput {
  address: string;
  library?: string | undefined;
  version?: string | undefined;
}

/** The state of an address that an agent asked for. */
export type Standing = { address: string } & (
  | { state: 'indexed'; moduleId: string; pages: number }
  | { state: 'under-way' | 'failed'; job: JobRun }
  /** `mayAnswer`: the agent's user may answer the request. */
  | { state: 'pending'; request: RequestRow; isNew: boolean; mayAnswer: boolean }
  | { state: 'declined'; until: number }
);

/**
 * Requests that an address be indexed, for the workspace's users to decide; never starts a run itself. If it is indexed
 * and fresh, in progress, already requested or was declined within 24 hours, returns that. Throws without the
 * permission, for addresses that would not be indexed or contacted, and above `indexRequestsPerDayMax` per credential.
 */
export async function askToIndex(
  ctx: Context,
  input: AskInput,
  { checkHost }: { checkHost: CheckHost },
): Promise<Standing> {
  const asker = requireAsker(ctx);
  const source = nameSource(input.address.trim());
  const address = shownAddress(source);
  if (Buffer.byteLength(address) > limits.indexedAddressBytesMax) throw sourceRefused('The address is too long.');
  const moduleId = askableModule(source);
  const found = await findIndexed(ctx, moduleId);
  if (found !== undefined) return { address, ...found };
  await requireContactable(ctx, source.url, checkHost);
  const wanted = { ...input, address, moduleId, kind: source.kind, source: input.address.trim() };
  const { request, isNew } = await ctx.db.transaction((tx) => ensureRequest(tx, ctx, asker, wanted));
  if (request.state === 'declined') {
    return { address, state: 'declined', until: (request.answeredAt ?? 0) + limits.indexRequestDeclinedHours * hourMs };
  }
  const mayAnswer = ctx.membership === undefined || hasRight(ctx.membership.role, 'sources.write');
  return { address, state: 'pending', request, isNew, mayAnswer };
}

/** Returns the address as shown to users, with branch, tag and folder. */
function shownAddress({ url, ref, folder }: NamedSource): string {
  const parts = [ref === null ? '' : `${ref.kind} ${ref.name}`, folder === null ? '' : `folder ${folder}`];
  const named = parts.filter((part) => part !== '').join(', ');
  const shown = named === '' ? url : `${url} (${named})`;
  // Users must see exactly the address that will be read.
  if (/[\p{C}\p{Z}]/u.test(shown.replaceAll(' ', ''))) throw sourceRefused('It contains invisible characters.');
  return shown;
}

function askableModule({ kind, moduleId }: NamedSource): string {
  if (kind === 'folder')
    throw sourceRefused('Only the operator can add folders. Give the address of a site or a repository.');
  return moduleId;
}

/** Throws for an address that a run would later fail to contact. */
async function requireContactable(ctx: Context, url: string, checkHost: CheckHost): Promise<void> {
  try {
    checkHost(parseRemote(url));
  } catch (error) {
    if (error instanceof OutboundError || error instanceof GitError)
      throw sourceRefused(await tellRefusal(ctx, error.message));
    throw error;
  }
}

/** Returns the existing state without a new request: a run, or fresh pages. */
async function findIndexed(ctx: Context, moduleId: string) {
  const jobs = (await listJobs(ctx)).filter((run) => run.moduleId === moduleId);
  const underWay = jobs.find((run) => running.includes(run.status));
  if (underWay !== undefined) return { state: 'under-way' as const, job: underWay };
  const freshSince = ctx.clock.now() - limits.sourceStaleDays * dayMs;
  const module = (await listModules(ctx)).find((known) => known.moduleId === moduleId);
  if (module !== undefined && (module.lastUpdated ?? 0) >= freshSince) {
    return { state: 'indexed' as const, moduleId, pages: module.pageCount };
  }
  const last = jobs.find((run) => run.visibility === 'private' && !run.isModuleRemoved);
  const failedSince = ctx.clock.now() - dayMs;
  if (last?.status === 'FAILED' && (last.endTime ?? 0) > failedSince) {
    return { state: 'failed' as const, job: last };
  }
  return undefined;
}

interface Wanted extends AskInput {
  moduleId: string;
  kind: NamedSource['kind'];
  /** As the agent gave it; this address will be read. */
  source: string;
}

async function ensureRequest(
  tx: Transaction,
  ctx: Context,
  asker: Asker,
  wanted: Wanted,
): Promise<{ request: RequestRow; isNew: boolean }> {
  const { workspace, userId, credential } = asker;
  const now = ctx.clock.now();
  // Serializes the agents of one user, so that their requests are counted correctly.
  await holdUser(tx, userId);
  await expirePending(tx, workspace, now);
  const last = await findLastRequest(tx, workspace, wanted.address);
  if (last !== undefined && isStanding(last, now)) return { request: last, isNew: false };
  if ((await countAskedSince(tx, credential.id, now - dayMs)) >= limits.indexRequestsPerDayMax) {
    const values = { count: limits.indexRequestsPerDayMax, address: wanted.address };
    throw new AppError('index-requests-exhausted', { values });
  }
  await deleteSettledBefore(tx, workspace, now - limits.indexRequestsKeptDays * dayMs);
  const request = await insertRequest(tx, {
    id: `ask-${randomBytes(8).toString('hex')}`,
    ...{ workspace, userId, credentialId: credential.id, credentialName: credential.name },
    ...{ address: wanted.address, source: wanted.source, kind: wanted.kind, moduleId: wanted.moduleId },
    ...{ library: wanted.library ?? null, version: wanted.version ?? null },
    state: 'pending',
    createdAt: now,
    expiresAt: now + limits.indexRequestLifetimeDays * dayMs,
  });
  if (request === undefined) {
    const other = await findLastRequest(tx, workspace, wanted.address);
    if (other === undefined) throw new Error('a request that stood in the way is not there');
    return { request: other, isNew: false };
  }
  await recordAudit(tx, now, {
    actorUserId: userId,
    action: 'index-request.ask',
    entityId: request.id,
    detail: { name: wanted.address, by: credential.name },
    ...auditTeamOf(workspace),
  });
  announceChange(tx, { collection: 'indexRequests', audience: workspace });
  return { request, isNew: true };
}

function isStanding(request: RequestRow, now: number): boolean {
  if (request.state === 'pending') return true;
  const declinedSince = now - limits.indexRequestDeclinedHours * hourMs;
  return request.state === 'declined' && (request.answeredAt ?? 0) > declinedSince;
}
