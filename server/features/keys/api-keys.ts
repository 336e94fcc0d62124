import { randomUUID } from 'node:crypto';
import type { ApiKey } from '#contract/keys.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { hashToken, requirePerson } from '#server/features/accounts/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Row } from '#server/platform/db/schema.ts';
import { maskApiKey, newApiKey, unreadableMask } from './key-format.ts';
import { seal, unseal } from './seal.ts';
import { findApiKey, insertApiKey, listApiKeyRows, markApiKeyRevoked } from './store.ts';

/** Creates a personal key; a key cannot make another. The secret is answered here and kept only hashed (look-up) and sealed (later reveal). */
export async function createApiKey(
  ctx: Context,
  input: { name: string },
  sealingKey: Uint8Array,
): Promise<{ key: ApiKey; secret: string }> {
  const userId = requirePerson(ctx);
  const name = input.name.trim();
  if (name === '') throw new AppError('key-name-empty');
  const secret = newApiKey();
  const id = randomUUID();
  const row: Row<'apiKeys'> = {
    id,
    userId,
    teamId: null,
    name,
    keyHash: hashToken(secret),
    keySealed: seal(sealingKey, id, secret),
    clientKind: null,
    createdAt: ctx.clock.now(),
    lastUsedAt: null,
    revokedAt: null,
  };
  await ctx.db.transaction(async (tx) => {
    await insertApiKey(tx, row);
    announceChange(tx, { collection: 'apiKeys', audience: `user:${userId}` });
    await recordAudit(tx, ctx.clock.now(), { actorUserId: userId, action: 'key.create', entityId: id });
  });
  return { key: present(row, sealingKey), secret };
}

/** The acting person's keys, newest first, revoked ones included. */
export async function listApiKeys(ctx: Context, sealingKey: Uint8Array): Promise<ApiKey[]> {
  const rows = await listApiKeyRows(ctx.db.query, requirePerson(ctx));
  return rows.map((row) => present(row, sealingKey));
}

/** Revokes a key for good. Another person's key looks like one that does not exist; a second call changes nothing. */
export async function revokeApiKey(ctx: Context, input: { keyId: string }, sealingKey: Uint8Array): Promise<ApiKey> {
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
  return present(row, sealingKey);
}

function present(row: Row<'apiKeys'>, sealingKey: Uint8Array): ApiKey {
  return {
    id: row.id,
    name: row.name,
    maskedKey: maskOf(row, sealingKey),
    createdAt: row.createdAt,
    lastUsed: row.lastUsedAt,
    isActive: row.revokedAt === null,
  };
}

/** Under another secret than the one it was sealed with a key cannot be shown, but it must still be listed and revoked. */
function maskOf(row: Row<'apiKeys'>, sealingKey: Uint8Array): string {
  try {
    return maskApiKey(unseal(sealingKey, row.id, row.keySealed));
  } catch {
    return unreadableMask;
  }
}
