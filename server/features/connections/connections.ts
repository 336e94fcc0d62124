import type { Connection } from '#contract/connections.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import { hasConnection, listOpenConnections, markConnectionRevoked } from './store.ts';
import { workspacesOf } from './workspaces.ts';

/** The applications that the acting person has let in and that can still act, newest first. */
export async function listConnections(ctx: Context): Promise<Connection[]> {
  const rows = await listOpenConnections(ctx.db.query, requirePerson(ctx), ctx.clock.now());
  const names = new Map((await workspacesOf(ctx)).map(({ workspace, name }) => [workspace, name]));
  return rows.flatMap((row) => {
    const workspaceName = names.get(row.workspace);
    // Into a team that the person has left an application cannot act.
    if (workspaceName === undefined) return [];
    const { id, clientName, vouchedBy, lastUsedAt } = row;
    const connectedAt = row.connectedAt ?? row.createdAt;
    const mayAskToIndex = row.mayAskToIndex === 1;
    return [{ id, clientName, vouchedBy, workspaceName, mayAskToIndex, connectedAt, lastUsedAt }];
  });
}

/** Ends a connection at the application's next call. Another person's looks like one that does not exist; twice is once. */
export async function revokeConnection(ctx: Context, input: { connectionId: string }): Promise<void> {
  const userId = requirePerson(ctx);
  const now = ctx.clock.now();
  const isKnown = await ctx.db.transaction(async (tx) => {
    if ((await markConnectionRevoked(tx, input.connectionId, now, userId)) === undefined) {
      return hasConnection(tx, userId, input.connectionId);
    }
    await recordAudit(tx, now, { actorUserId: userId, action: 'connection.revoke', entityId: input.connectionId });
    announceChange(tx, { collection: 'connections', audience: `user:${userId}` });
    return true;
  });
  if (!isKnown) throw new AppError('connection-not-found');
}
