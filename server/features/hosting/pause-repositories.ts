import type { PauseReason } from '#contract/hosting.ts';
import type { Context } from '#server/context.ts';
import { cancelRunsOf } from '#server/features/indexing/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import { auditTeamOf, recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { type ConnectionRow, markReconnect } from './connection-store.ts';
import { type HostedRow, listHostedBy, markPaused } from './repository-store.ts';

/**
 * Pauses repositories, with a reason shown to everyone in their workspaces: active runs are cancelled and new ones
 * refused. Indexed pages stay searchable. Already paused ones keep their first reason. Returns how many were paused.
 */
export async function pauseRepositories(
  tx: Transaction,
  rows: HostedRow[],
  { reason, now, actorUserId = null }: { reason: PauseReason; now: number; actorUserId?: string | null },
): Promise<number> {
  let paused = 0;
  for (const row of rows) {
    if (!(await markPaused(tx, row.id, { pausedReason: reason, pausedAt: now, updatedAt: now }))) continue;
    paused += 1;
    await cancelRunsOf(tx, row.moduleId, now);
    await recordAudit(tx, now, {
      actorUserId,
      action: 'repository.pause',
      entityId: row.moduleId,
      detail: { moduleId: row.slug, repository: row.fullName, reason },
      ...auditTeamOf(row.workspace),
    });
  }
  for (const audience of new Set(rows.map(({ workspace }) => workspace))) {
    announceChange(tx, { collection: 'hosting', audience });
  }
  return paused;
}

/**
 * Records that the host rejects a connection, and pauses the repositories read over it. A newer version of the
 * connection is left alone.
 */
export async function needReconnect(
  ctx: Pick<Context, 'db' | 'clock' | 'log'>,
  connection: Pick<ConnectionRow, 'userId' | 'version'>,
): Promise<void> {
  const now = ctx.clock.now();
  const { userId } = connection;
  await ctx.db.transaction(async (tx) => {
    const marked = await markReconnect(tx, connection, now);
    if (marked === undefined) return;
    await recordAudit(tx, now, { actorUserId: null, action: 'hosting.reconnect-needed', entityId: userId });
    await pauseRepositories(tx, await listHostedBy(tx, userId), { reason: 'reconnect-needed', now });
    announceChange(tx, { collection: 'hosting', audience: `user:${userId}` });
  });
}
