import { announceChange } from '#server/platform/bus/announce-change.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { markConnectionRevoked } from './store.ts';

/** Ends a connection for a reason that is not its person's wish; the second time nothing is changed. */
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
