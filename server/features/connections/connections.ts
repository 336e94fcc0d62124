import type { Connection } from '#contract/connections.ts';
import { AppError } from '#server/app-error.ts';
import type { Context, Workspace } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import { listTeams } from '#server/features/teams/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import {
  hasConnection,
  listConnectionIds,
  listConnectionIdsInTeam,
  listOpenConnections,
  markConnectionRevoked,
} from './store.ts';

/** Returns the caller's connected applications that are still active, newest first. */
export async function listConnections(ctx: Context): Promise<Connection[]> {
  const rows = await listOpenConnections(ctx.db.query, requirePerson(ctx), ctx.clock.now());
  const names = new Map((await workspacesOf(ctx)).map(({ workspace, name }) => [workspace, name]));
  return rows.flatMap((row) => {
    const workspaceName = names.get(row.workspace);
    // An application cannot act in a team that its user has left.
    if (workspaceName === undefined) return [];
    const { id, clientName, vouchedBy, lastUsedAt } = row;
    const connectedAt = row.connectedAt ?? row.createdAt;
    const mayAskToIndex = row.mayAskToIndex === 1;
    return [{ id, clientName, vouchedBy, workspaceName, mayAskToIndex, connectedAt, lastUsedAt }];
  });
}

/**
 * Ends a connection, effective at the application's next call. Another user's connection is reported as not found;
 * idempotent.
 */
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

/** Ends a connection for a reason other than its user's request; idempotent. */
export async function endConnection(tx: Transaction, now: number, connectionId: string, reason: string): Promise<void> {
  const userId = await markConnectionRevoked(tx, connectionId, now);
  if (userId === undefined) return;
  await recordAudit(tx, now, {
    actorUserId: null,
    action: 'connection.end',
    entityId: connectionId,
    detail: { reason },
  });
  announceChange(tx, { collection: 'connections', audience: `user:${userId}` });
}

/** Ends a former member's connections into the team. */
export async function endTeamConnectionsOf(
  tx: Transaction,
  member: { teamId: string; userId: string },
  now: number,
): Promise<void> {
  for (const id of await listConnectionIdsInTeam(tx, member.teamId, member.userId)) {
    await endConnection(tx, now, id, 'member-gone');
  }
}

/** Ends the connections into a deleted team. */
export async function endTeamConnections(tx: Transaction, teamId: string, now: number): Promise<void> {
  for (const id of await listConnectionIdsInTeam(tx, teamId)) await endConnection(tx, now, id, 'team-deleted');
}

/** Ends all connections of a user, because another person may have allowed them. */
export async function endAllConnections(tx: Transaction, userId: string, now: number): Promise<void> {
  for (const id of await listConnectionIds(tx, userId)) await endConnection(tx, now, id, 'access-ended');
}

interface ChoosableWorkspace {
  /** `individual`, as the selected workspace is named everywhere, or a team's id. */
  id: string;
  name: string;
  workspace: Workspace;
}

/** Returns the workspaces that the caller can connect an application to: their own, then their teams. */
export async function workspacesOf(ctx: Context): Promise<[ChoosableWorkspace, ...ChoosableWorkspace[]]> {
  const userId = requirePerson(ctx);
  const teams = await listTeams(ctx);
  return [
    { id: 'individual', name: 'Individual', workspace: `user:${userId}` },
    ...teams.map(({ teamId, name }) => ({ id: teamId, name, workspace: `team:${teamId}` as const })),
  ];
}
