import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { deleteConnection } from './connection-store.ts';
import type { HostingDependencies } from './dependencies.ts';
import { pauseRepositories } from './pause-repositories.ts';
import { queueRevocation } from './person-token.ts';
import { listHostedBy } from './repository-store.ts';
import { endRevocations } from './revocations.ts';

/**
 * Deletes the caller's connection, revokes its token at the host, and pauses the repositories it vouched for,
 * cancelling their runs. If the host is unreachable, the token is revoked later. Idempotent.
 */
export async function disconnectGithub(
  ctx: Context,
  deps: HostingDependencies,
): Promise<{ paused: number; isRevoked: boolean }> {
  const userId = requirePerson(ctx);
  const now = ctx.clock.now();
  const { paused, isQueued } = await ctx.db.transaction(async (tx) => {
    const gone = await deleteConnection(tx, userId);
    if (gone === undefined) return { paused: 0, isQueued: true };
    const isQueued = await queueRevocation(tx, gone, undefined, now, deps);
    const detail = { login: gone.login };
    await recordAudit(tx, now, { actorUserId: userId, action: 'hosting.disconnect', entityId: userId, detail });
    announceChange(tx, { collection: 'hosting', audience: `user:${userId}` });
    const reason = { reason: 'disconnected' as const, now, actorUserId: userId };
    return { paused: await pauseRepositories(tx, await listHostedBy(tx, userId), reason), isQueued };
  });
  return { paused, isRevoked: (await endRevocations(ctx, deps)) && isQueued };
}

/** Deletes the connection of a deleted account; a scheduled job revokes its token at the host. */
export async function forgetConnection(
  tx: Transaction,
  userId: string,
  now: number,
  deps: Pick<HostingDependencies, 'sealingKeys'>,
): Promise<void> {
  const gone = await deleteConnection(tx, userId);
  if (gone !== undefined) await queueRevocation(tx, gone, undefined, now, deps);
  await pauseRepositories(tx, await listHostedBy(tx, userId), { reason: 'disconnected', now });
}

/** Pauses the repositories that a disabled account vouched for, in its teams too. */
export async function pauseRepositoriesOfDisabled(tx: Transaction, userId: string, now: number): Promise<void> {
  await pauseRepositories(tx, await listHostedBy(tx, userId), { reason: 'adder-disabled', now });
}

/** Pauses the repositories in a team that a former member vouched for. */
export async function pauseRepositoriesOfMember(
  tx: Transaction,
  { teamId, userId }: { teamId: string; userId: string },
  now: number,
): Promise<void> {
  const rows = await listHostedBy(tx, userId, `team:${teamId}`);
  await pauseRepositories(tx, rows, { reason: 'adder-left', now });
}
