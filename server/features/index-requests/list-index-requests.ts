import type { IndexRequest } from '#contract/index-requests.ts';
import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import { requireRight } from '#server/features/teams/index.ts';
import { presentRequest } from './present.ts';
import { listRequestRows } from './store.ts';

/** Returns the agents' requests in the current workspace, newest first; in a team everyone's. */
export async function listIndexRequests(ctx: Context): Promise<IndexRequest[]> {
  const userId = requirePerson(ctx);
  requireRight(ctx, 'sources.read');
  const workspace = ctx.workspace ?? (`user:${userId}` as const);
  const rows = await listRequestRows(ctx.db.query, workspace, { count: limits.indexRequestsListed });
  const now = ctx.clock.now();
  return rows.map((row) => presentRequest(row, now));
}
