import type { PauseReason } from '#contract/hosting.ts';
import { cancelRunsOf } from '#server/features/indexing/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import { auditTeamOf, recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { type HostedRow, markPaused } from './repository-store.ts';

/**
 * Ends the reading of repositories, with a reason that everyone in their workspaces sees: runs in progress are cancelled,
 * and none begins. What was indexed before is still served. Those that are paused already keep their first reason.
 * Returns how many were paused.
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
