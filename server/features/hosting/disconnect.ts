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
 * Forgets the acting person's connection, ends its token at the host, and pauses what it vouched for; runs in progress are
 * cancelled. When the host is away, the token is ended later. Disconnecting twice is no error.
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

/** For an account that is deleted: its token is ended at the host by the chores. */
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

/** For an account that an operator has disabled: what it vouched for is not read any more, in its teams either. */
export async function pauseRepositoriesOfDisabled(tx: Transaction, userId: string, now: number): Promise<void> {
  await pauseRepositories(tx, await listHostedBy(tx, userId), { reason: 'adder-disabled', now });
}

/** For someone who is no longer in a team: what they vouched for there is not read any more. */
export async function pauseRepositoriesOfMember(
  tx: Transaction,
  { teamId, userId }: { teamId: string; userId: string },
  now: number,
): Promise<void> {
  const rows = await listHostedBy(tx, userId, `team:${teamId}`);
  await pauseRepositories(tx, rows, { reason: 'adder-left', now });
}
