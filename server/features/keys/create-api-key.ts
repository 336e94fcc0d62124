import { randomUUID } from 'node:crypto';
import type { KeyRight } from '#contract/endpoint.ts';
import type { ApiKey } from '#contract/keys.ts';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { confirmSession, hashToken, holdUser, requireWithinOwnRate } from '#server/features/accounts/index.ts';
import { confirmRight, requireRight } from '#server/features/teams/index.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import { type SealingKeys, seal } from '#server/platform/sealing.ts';
import { announceKey } from './announce-key.ts';
import { newApiKey } from './key-format.ts';
import { presentApiKey } from './list-api-keys.ts';
import { requireKeyOwner, requireVerifiedEmail } from './policy.ts';
import { countOpenKeys, findApiKey, insertApiKey } from './store.ts';

interface NewKey {
  name: string;
  teamId?: string | undefined;
  mayAskToIndex?: boolean;
  hasDeepResearchTools?: boolean;
  rights?: readonly KeyRight[];
}

/**
 * Creates a key for a user with a verified email address, in the given team or current workspace, with rights that the
 * user has; a key cannot create another. The secret is returned once and stored only hashed (for lookup) and sealed
 * (for reveal).
 */
export async function createApiKey(
  ctx: Context,
  input: NewKey,
  sealingKeys: SealingKeys,
): Promise<{ key: ApiKey; secret: string }> {
  const owner = await requireKeyOwner(ctx, input);
  const { userId, teamId } = owner;
  const name = input.name.trim();
  if (name === '') throw new AppError('key-name-empty');
  await requireVerifiedEmail(ctx);
  await requireWithinOwnRate(ctx, userId, { account: 'key-account', address: 'key-address' });
  const rights = input.rights ?? ['search'];
  const changesSources = rights.some((right) => right !== 'search');
  if (changesSources) requireRight(owner.acting, 'sources.write');
  const secret = newApiKey();
  const id = randomUUID();
  const now = ctx.clock.now();
  const key = await ctx.db.transaction(async (tx) => {
    await confirmSession(tx, ctx);
    await confirmRight(tx, owner.acting, 'keys.own');
    if (changesSources) await confirmRight(tx, owner.acting, 'sources.write');
    await holdUser(tx, userId);
    if ((await countOpenKeys(tx, userId)) >= limits.keysPerPersonMax) {
      throw new AppError('keys-too-many', { values: { limit: limits.keysPerPersonMax } });
    }
    await insertApiKey(tx, {
      ...{ id, userId, teamId, name },
      keyHash: hashToken(secret),
      keySealed: seal(sealingKeys, id, secret),
      clientKind: input.hasDeepResearchTools === true ? 'deep-research' : null,
      createdAt: now,
      lastUsedAt: null,
      revokedAt: null,
      mayAskToIndex: Number(input.mayAskToIndex === true),
      rights: rights.join(','),
    });
    await recordAudit(tx, now, {
      actorUserId: userId,
      action: 'key.create',
      entityId: id,
      ...(teamId !== null && { teamId }),
      ...((teamId !== null || changesSources) && {
        detail: {
          name,
          ...(input.mayAskToIndex === true && { mayAskToIndex: true }),
          ...(changesSources && { rights: [...rights] }),
        },
      }),
    });
    announceKey(tx, owner);
    return findApiKey(tx, owner, id);
  });
  if (key === undefined) throw new Error('a key that was made is not there');
  return { key: presentApiKey(key, userId, sealingKeys), secret };
}
