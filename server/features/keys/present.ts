import { type ApiKey, maskApiKey } from '#contract/keys.ts';
import type { Row } from '#server/platform/db/schema.ts';
import { unreadableMask } from './key-format.ts';
import { isRevealable } from './policy.ts';
import { type SealingKeys, unseal } from './seal.ts';

/** A key as lists show it. One that was sealed under a lost secret cannot be shown, but must still be listed and revoked. */
export function presentApiKey(row: Row<'apiKeys'>, sealingKeys: SealingKeys): ApiKey {
  const secret = unseal(sealingKeys, row.id, row.keySealed);
  return {
    id: row.id,
    userId: row.userId,
    teamId: row.teamId,
    name: row.name,
    maskedKey: secret === undefined ? unreadableMask : maskApiKey(secret),
    createdAt: row.createdAt,
    lastUsed: row.lastUsedAt,
    isActive: row.revokedAt === null,
    isRevealable: secret !== undefined && isRevealable(row),
  };
}
