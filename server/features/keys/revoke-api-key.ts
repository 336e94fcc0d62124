import type { ApiKey } from '#contract/keys.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';
import { announceKey } from './announce-key.ts';
import { presentApiKey } from './list-api-keys.ts';
import { requireKeyInCharge } from './policy.ts';
import { deleteTeamKeys, markApiKeyRevoked, markKeysRevoked, markTeamKeysRevoked } from './store.ts';

/**
 * Revokes a key permanently: the caller's own or, for admins, any key of the team. Other keys are reported as not
 * found; idempotent.
 */
export async function revokeApiKey(ctx: Context, input: { keyId: string }, sealingKeys: SealingKeys): Promise<ApiKey> {
  const userId = requirePerson(ctx);
  const now = ctx.clock.now();
  const row = await ctx.db.transaction(async (tx) => {
    const { teamId, name, userId: ownerId } = await requireKeyInCharge(ctx, tx, input.keyId);
    if (await markApiKeyRevoked(tx, input.keyId, now)) {
      const ofTeam = teamId === null ? {} : { teamId, detail: { name, ownerId } };
      await recordAudit(tx, now, { actorUserId: userId, action: 'key.revoke', entityId: input.keyId, ...ofTeam });
      announceKey(tx, { userId: ownerId, teamId });
    }
    return requireKeyInCharge(ctx, tx, input.keyId);
  });
  return presentApiKey(row, userId, sealingKeys);
}

/** Revokes all keys that a user created, in teams too, because another person may have created them. */
export async function revokeAllKeys(tx: Transaction, userId: string, now: number): Promise<void> {
  for (const { id: entityId, name, teamId } of await markKeysRevoked(tx, userId, now)) {
    const ofTeam = teamId === null ? {} : { teamId };
    const detail = { name, reason: 'access-ended' };
    await recordAudit(tx, now, { actorUserId: null, action: 'key.revoke', entityId, ...ofTeam, detail });
    announceKey(tx, { userId, teamId });
  }
}

/** Revokes the team keys of a former member. */
export async function revokeTeamKeysOf(
  tx: Transaction,
  member: { teamId: string; userId: string },
  now: number,
): Promise<void> {
  const { teamId } = member;
  const revoked = await markTeamKeysRevoked(tx, member, now);
  for (const { id: entityId, name } of revoked) {
    const detail = { name, reason: 'member-gone' };
    await recordAudit(tx, now, { actorUserId: null, action: 'key.revoke', entityId, teamId, detail });
  }
  if (revoked.length > 0) announceKey(tx, member);
}

/** Deletes the keys of a deleted team: each is refused from its next call on. */
export async function removeTeamKeys(tx: Transaction, teamId: string): Promise<void> {
  for (const userId of await deleteTeamKeys(tx, teamId)) announceKey(tx, { userId, teamId });
}
