import type { ApiKey } from '#contract/keys.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import { presentApiKey } from './present.ts';
import type { SealingKeys } from './seal.ts';
import { findApiKey, markApiKeyRevoked } from './store.ts';

/** Revokes a key for good. Another person's key looks like one that does not exist; a second call changes nothing. */
export async function revokeApiKey(ctx: Context, input: { keyId: string }, sealingKeys: SealingKeys): Promise<ApiKey> {
  const userId = requirePerson(ctx);
  const now = ctx.clock.now();
  const row = await ctx.db.transaction(async (tx) => {
    if (await markApiKeyRevoked(tx, userId, input.keyId, now)) {
      await recordAudit(tx, now, { actorUserId: userId, action: 'key.revoke', entityId: input.keyId });
      announceChange(tx, { collection: 'apiKeys', audience: `user:${userId}` });
    }
    return findApiKey(tx, userId, input.keyId);
  });
  if (row === undefined) throw new AppError('key-not-found');
  return presentApiKey(row, sealingKeys);
}
