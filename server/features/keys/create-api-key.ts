import { randomUUID } from 'node:crypto';
import type { ApiKey } from '#contract/keys.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { hashToken } from '#server/features/accounts/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Row } from '#server/platform/db/schema.ts';
import { newApiKey } from './key-format.ts';
import { requireKeyOwner, requireVerifiedEmail } from './policy.ts';
import { presentApiKey } from './present.ts';
import { type SealingKeys, seal } from './seal.ts';
import { insertApiKey } from './store.ts';

/**
 * Creates a key for a person whose e-mail address is verified; a key cannot make another. The secret is answered here and
 * kept only hashed (look-up) and sealed (reveal).
 */
export async function createApiKey(
  ctx: Context,
  input: { name: string; teamId?: string | undefined },
  sealingKeys: SealingKeys,
): Promise<{ key: ApiKey; secret: string }> {
  const owner = requireKeyOwner(ctx, input);
  const name = input.name.trim();
  if (name === '') throw new AppError('key-name-empty');
  await requireVerifiedEmail(ctx);
  const secret = newApiKey();
  const id = randomUUID();
  const now = ctx.clock.now();
  const row: Row<'apiKeys'> = {
    id,
    ...owner,
    name,
    keyHash: hashToken(secret),
    keySealed: seal(sealingKeys, id, secret),
    clientKind: null,
    createdAt: now,
    lastUsedAt: null,
    revokedAt: null,
  };
  await ctx.db.transaction(async (tx) => {
    await insertApiKey(tx, row);
    await recordAudit(tx, now, { actorUserId: owner.userId, action: 'key.create', entityId: id });
    announceChange(tx, { collection: 'apiKeys', audience: `user:${owner.userId}` });
  });
  return { key: presentApiKey(row, sealingKeys), secret };
}
