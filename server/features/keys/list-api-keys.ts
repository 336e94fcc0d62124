import { type ApiKey, maskApiKey } from '#contract/keys.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import { type SealingKeys, unseal } from '#server/platform/sealing.ts';
import { unreadableMask } from './key-format.ts';
import { isActive, isRevealable, requireKeyOwner, rightsOf } from './policy.ts';
import { type ListedKey, listApiKeyRows, listApiKeyRowsOfMaker } from './store.ts';

/**
 * Returns the caller's keys, newest first, including revoked ones: personal keys, or those of a team; an admin gets
 * everyone's keys in the team, all of them masked.
 */
export async function listApiKeys(
  ctx: Context,
  input: { teamId?: string | undefined },
  sealingKeys: SealingKeys,
): Promise<ApiKey[]> {
  const owner = await requireKeyOwner(ctx, input);
  const rows = await listApiKeyRows(ctx.db.query, owner);
  return rows.map((row) => presentApiKey(row, owner.userId, sealingKeys));
}

/** Returns all keys the caller created, personal ones and in any team, including former teams. */
export async function listKeysOfMaker(ctx: Context, sealingKeys: SealingKeys): Promise<ApiKey[]> {
  const userId = requirePerson(ctx);
  const rows = await listApiKeyRowsOfMaker(ctx.db.query, userId);
  return rows.map((row) => presentApiKey(row, userId, sealingKeys));
}

/**
 * Returns a key as lists show it to this user. A key sealed under a lost secret cannot be revealed, but must still be
 * listed and revocable.
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
