import type { ApiKey } from '#contract/keys.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';
import { announceKey } from './announce-key.ts';
import { requireKeyInCharge } from './policy.ts';
import { presentApiKey } from './present.ts';
import { markApiKeyRevoked, markKeysRevoked } from './store.ts';

/**
 * Revokes a key for good: one's own, or as an admin any key of the team. Anyone else's looks like one that does not
 * exist; a second call changes nothing.
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

/** Revokes every key that a person made, in teams too, because the person who made them may not have been that person. */
export async function revokeAllKeys(tx: Transaction, userId: string, now: number): Promise<void> {
  for (const { id: entityId, name, teamId } of await markKeysRevoked(tx, userId, now)) {
    const ofTeam = teamId === null ? {} : { teamId };
    const detail = { name, reason: 'access-ended' };
    await recordAudit(tx, now, { actorUserId: null, action: 'key.revoke', entityId, ...ofTeam, detail });
    announceKey(tx, { userId, teamId });
  }
}
