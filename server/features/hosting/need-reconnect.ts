import type { Context } from '#server/context.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import { type ConnectionRow, markReconnect } from './connection-store.ts';
import { pauseRepositories } from './pause-repositories.ts';
import { listHostedBy } from './repository-store.ts';

/** Notes that the host takes a connection no more, and pauses what is read over it. Another version of it is left alone. */
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
