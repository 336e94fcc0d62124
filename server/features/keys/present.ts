import { type ApiKey, maskApiKey } from '#contract/keys.ts';
import { type SealingKeys, unseal } from '#server/platform/sealing.ts';
import { unreadableMask } from './key-format.ts';
import { isActive, isRevealable, rightsOf } from './policy.ts';
import type { ListedKey } from './store.ts';

/**
 * A key as lists show it to this person. One that was sealed under a lost secret cannot be shown, but must still be listed
 * and revoked.
 */
export function presentApiKey(row: ListedKey, userId: string, sealingKeys: SealingKeys): ApiKey {
  const secret = unseal(sealingKeys, row.id, row.keySealed);
  return {
    id: row.id,
    userId: row.userId,
    teamId: row.teamId,
    ...(row.teamId === null ? {} : { userName: row.displayName || (row.email ?? '') }),
    name: row.name,
    maskedKey: secret === undefined ? unreadableMask : maskApiKey(secret),
    createdAt: row.createdAt,
    lastUsed: row.lastUsedAt,
    isActive: isActive(row),
    mayAskToIndex: row.mayAskToIndex === 1,
    hasDeepResearchTools: row.clientKind === 'deep-research',
    rights: rightsOf(row),
    isRevealable: secret !== undefined && isRevealable(row, userId),
  };
}
