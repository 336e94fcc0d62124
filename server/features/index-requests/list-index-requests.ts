import type { IndexRequest } from '#contract/index-requests.ts';
import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import { requireRight } from '#server/features/teams/index.ts';
import { type ListedRequest, listRequestRows } from './store.ts';

/**
 * Returns a request as shown to users; a pending one past its time counts as expired, even if its row does not say so
 * yet.
 */
export function presentRequest(row: ListedRequest, now: number): IndexRequest {
  const { id, address, kind, moduleId, library, version, expiresAt, answeredAt, jobId } = row;
  return {
    ...{ id, address, kind, moduleId, library, version, expiresAt, answeredAt, jobId },
    state: row.state === 'pending' && expiresAt <= now ? 'expired' : row.state,
    askedBy: row.credentialName,
    askedFor: row.personName || (row.personEmail ?? ''),
    askedAt: row.createdAt,
    answeredBy: row.answererName || row.answererEmail,
  };
}

/** Returns the agents' requests in the current workspace, newest first; in a team everyone's. */
export async function listIndexRequests(ctx: Context): Promise<IndexRequest[]> {
  const userId = requirePerson(ctx);
  requireRight(ctx, 'sources.read');
  const workspace = ctx.workspace ?? (`user:${userId}` as const);
  const rows = await listRequestRows(ctx.db.query, workspace, { count: limits.indexRequestsListed });
  const now = ctx.clock.now();
  return rows.map((row) => presentRequest(row, now));
}
