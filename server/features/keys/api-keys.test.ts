import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { maskApiKey, maskApiKeysIn } from '#contract/keys.ts';
import * as limits from '#contract/limits.ts';
import type { Actor, Context } from '#server/context.ts';
import type { Database } from '#server/platform/db/database.ts';
import { type SealingKeys, seal, unseal } from '#server/platform/sealing.ts';
import { freshDatabase, onEachDatabase } from '#test/services/database.ts';
import { silentLog } from '#test/services/log.ts';
import { createSettableClock, type SettableClock } from '#test/services/settable-clock.ts';
import { createApiKey, listApiKeys, revealApiKey, revokeApiKey, verifyApiKey } from './api-keys.ts';
import { isWellFormedApiKey, newApiKey } from './key-format.ts';

const sealingKeys: SealingKeys = [randomBytes(32)];
const address = 'https://docs.example';
type Sample = Context & { clock: SettableClock };

function contextOf(db: Database, userId: string, actor: Actor = { kind: 'user', userId }): Sample {
  const clock = createSettableClock();
  return { actor, workspace: `user:${userId}`, db, clock, log: silentLog, requestId: 'r' };
}

async function withUsers(db: Database, ...ids: string[]): Promise<void> {
  for (const id of ids) await db.query.insertInto('users').values({ id, emailVerifiedAt: 0, createdAt: 0 }).execute();
}

test('a key has its format, and any single wrong or swapped character is detected', () => {
  const key = newApiKey();
  expect(key).toMatch(/^lec_[0-9A-Za-z]{38}$/);
  expect(isWellFormedApiKey(key)).toBe(true);
  for (let at = 4; at < key.length; at += 1) {
    const wrong = key[at] === 'x' ? 'y' : 'x';
    expect(isWellFormedApiKey(key.slice(0, at) + wrong + key.slice(at + 1))).toBe(false);
    const swapped = key.slice(0, at) + (key[at + 1] ?? '') + key[at] + key.slice(at + 2);
    expect(isWellFormedApiKey(swapped)).toBe(swapped === key);
  }
  for (const text of ['', 'lec_', key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`, key.toUpperCase()]) {
    expect(isWellFormedApiKey(text)).toBe(false);
  }
  expect(maskApiKey(key)).toBe(`${key.slice(0, 8)}…${key.slice(-4)}`);
  expect(new Set(Array.from({ length: 200 }, newApiKey)).size).toBe(200);
});

test('keys in a text are masked and other text is kept', () => {
  const [one, two] = [newApiKey(), newApiKey()];
  const text = `why does ${one} fail? see https://x.example/mcp?apiKey=${two}&a=1`;
  const masked = `why does ${maskApiKey(one)} fail? see https://x.example/mcp?apiKey=${maskApiKey(two)}&a=1`;
  expect(maskApiKeysIn(text)).toBe(masked);
  for (const other of ['lec_', one.slice(0, -1), `${one}0`, `x${one}`]) expect(maskApiKeysIn(other)).toBe(other);
});

test('a sealed value can be opened only with its own key and label, and only unchanged', () => {
  const sealed = seal(sealingKeys, 'row-1', 'secret');
  expect(unseal(sealingKeys, 'row-1', sealed)).toBe('secret');
  expect(seal(sealingKeys, 'row-1', 'secret')).not.toBe(sealed);
  expect(unseal(sealingKeys, 'row-2', sealed)).toBeUndefined();
  expect(unseal([randomBytes(32)], 'row-1', sealed)).toBeUndefined();
  const bytes = Buffer.from(sealed, 'base64url');
  for (const at of [0, 12, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(unseal(sealingKeys, 'row-1', changed.toString('base64url'))).toBeUndefined();
  }
});

onEachDatabase('API keys', (kind) => {
  async function anna(): Promise<Sample> {
    const db = await freshDatabase(kind);
    await withUsers(db, 'anna', 'bert');
    return contextOf(db, 'anna');
  }

  test('a key is created, listed, used and revoked', async () => {
    const ctx = await anna();
    const { key, secret } = await createApiKey(ctx, { name: '  my agent ' }, sealingKeys);
    expect(key).toMatchObject({ name: 'my agent', maskedKey: maskApiKey(secret), isActive: true, lastUsed: null });
    expect(await listApiKeys(ctx, {}, sealingKeys)).toEqual([key]);
    expect(await verifyApiKey(ctx, secret, address)).toMatchObject({ id: key.id, userId: 'anna' });
    const revoked = await revokeApiKey(ctx, { keyId: key.id }, sealingKeys);
    expect(revoked.isActive).toBe(false);
    expect(await listApiKeys(ctx, {}, sealingKeys)).toMatchObject([{ id: key.id, isActive: false }]);
  });

  test('a list has every active key and a limited number of revoked ones, the last of them', async () => {
    const ctx = await anna();
    const { key } = await createApiKey(ctx, { name: 'first' }, sealingKeys);
    const rows = Array.from({ length: limits.revokedKeysListed + 1 }, (_, index) => ({
      ...{ id: `k${index}`, userId: 'anna', name: 'old', keyHash: `h${index}`, keySealed: '' },
      ...{ createdAt: index, revokedAt: index },
    }));
    await ctx.db.query.insertInto('apiKeys').values(rows).execute();
    const ids = (await listApiKeys(ctx, {}, sealingKeys)).map(({ id }) => id);
    expect(ids).toHaveLength(limits.revokedKeysListed + 1);
    expect(ids).toContain(key.id);
    expect(ids).not.toContain('k0');
  });

  test('a revoked key is refused immediately, exactly like an unknown or mistyped one', async () => {
    const ctx = await anna();
    const { key, secret } = await createApiKey(ctx, { name: 'a' }, sealingKeys);
    await revokeApiKey(ctx, { keyId: key.id }, sealingKeys);
    const revoked = (await verifyApiKey(ctx, secret, address).catch((error: unknown) => error)) as Error;
    const unknown = (await verifyApiKey(ctx, newApiKey(), address).catch((error: unknown) => error)) as Error;
    expect(revoked).toMatchObject({ code: 'key-refused', message: unknown.message });
    expect(revoked.message).toContain(`${address}/keys`);
    await expect(verifyApiKey(ctx, `${secret}x`, address)).rejects.toMatchObject({
      code: 'key-refused',
      message: unknown.message,
    });
  });

  test('the key of a disabled account is refused like an unknown one and works again once it is enabled', async () => {
    const ctx = await anna();
    const { key, secret } = await createApiKey(ctx, { name: 'a' }, sealingKeys);
    const setDisabled = (disabledAt: number | null) => ctx.db.query.updateTable('users').set({ disabledAt }).execute();
    await setDisabled(1);
    const unknown = (await verifyApiKey(ctx, newApiKey(), address).catch((error: unknown) => error)) as Error;
    await expect(verifyApiKey(ctx, secret, address)).rejects.toMatchObject({ message: unknown.message });
    await setDisabled(null);
    expect(await verifyApiKey(ctx, secret, address)).toMatchObject({ id: key.id });
  });

  test('the key of another user looks nonexistent when listed or revoked', async () => {
    const ctx = await anna();
    const bert = contextOf(ctx.db, 'bert');
    const { key, secret } = await createApiKey(ctx, { name: 'a' }, sealingKeys);
    expect(await listApiKeys(bert, {}, sealingKeys)).toEqual([]);
    const foreign = await revokeApiKey(bert, { keyId: key.id }, sealingKeys).catch((error: unknown) => error);
    const missing = await revokeApiKey(bert, { keyId: 'nothing' }, sealingKeys).catch((error: unknown) => error);
    expect(foreign).toMatchObject({ code: 'key-not-found', message: (missing as Error).message });
    expect(await verifyApiKey(ctx, secret, address)).toMatchObject({ id: key.id });
  });

  test('a team key is not a personal key of the member who created it', async () => {
    const ctx = await anna();
    const { key } = await createApiKey(ctx, { name: 'a' }, sealingKeys);
    await ctx.db.query.updateTable('apiKeys').set({ teamId: 'team' }).where('id', '=', key.id).execute();
    expect(await listApiKeys(ctx, {}, sealingKeys)).toEqual([]);
    await expect(revokeApiKey(ctx, { keyId: key.id }, sealingKeys)).rejects.toMatchObject({ code: 'key-not-found' });
  });

  test('revoking twice concurrently leaves one revocation time and one audit entry', async () => {
    const ctx = await anna();
    const { key } = await createApiKey(ctx, { name: 'a' }, sealingKeys);
    await Promise.all([1, 2, 3].map(() => revokeApiKey(ctx, { keyId: key.id }, sealingKeys)));
    const before = await ctx.db.query.selectFrom('apiKeys').selectAll().executeTakeFirstOrThrow();
    ctx.clock.advance(1_000);
    await revokeApiKey(ctx, { keyId: key.id }, sealingKeys);
    expect(await ctx.db.query.selectFrom('apiKeys').selectAll().executeTakeFirstOrThrow()).toEqual(before);
    const audit = await ctx.db.query.selectFrom('auditLog').selectAll().orderBy('action').execute();
    expect(audit.map(({ action, actorUserId }) => [action, actorUserId])).toEqual([
      ['key.create', 'anna'],
      ['key.revoke', 'anna'],
    ]);
  });

  test('the time of last use is written at most every five minutes', async () => {
    const ctx = await anna();
    const { secret } = await createApiKey(ctx, { name: 'a' }, sealingKeys);
    const everyMs = limits.keyLastUsedEveryMinutes * 60_000;
    const used: (number | null)[] = [];
    for (const wait of [0, everyMs - 1, 2, everyMs * 3]) {
      ctx.clock.advance(wait);
      await verifyApiKey(ctx, secret, address);
      used.push((await listApiKeys(ctx, {}, sealingKeys))[0]?.lastUsed ?? null);
    }
    const [first = 0, second, third, fourth] = used;
    expect([second, third, fourth]).toEqual([first, (first ?? 0) + everyMs + 1, (first ?? 0) + 4 * everyMs + 1]);
  });

  test('keys can be listed and revoked even if the secret they were sealed with is lost', async () => {
    const ctx = await anna();
    const { key } = await createApiKey(ctx, { name: 'a' }, sealingKeys);
    const other: SealingKeys = [randomBytes(32)];
    expect(await listApiKeys(ctx, {}, other)).toMatchObject([{ id: key.id, maskedKey: 'lec_????…????' }]);
    expect(await revokeApiKey(ctx, { keyId: key.id }, other)).toMatchObject({ isActive: false });
  });

  test('a key can be revealed to its owner, and each reveal is logged', async () => {
    const ctx = await anna();
    const { key, secret } = await createApiKey(ctx, { name: 'a' }, sealingKeys);
    expect(key.isRevealable).toBe(true);
    const shown = await Promise.all([1, 2].map(() => revealApiKey(ctx, { keyId: key.id }, sealingKeys)));
    expect(shown).toEqual([{ secret }, { secret }]);
    const audit = await ctx.db.query.selectFrom('auditLog').selectAll().where('action', '=', 'key.reveal').execute();
    expect(audit.map(({ actorUserId, entityId }) => [actorUserId, entityId])).toEqual([
      ['anna', key.id],
      ['anna', key.id],
    ]);
  });

  test('another user’s key, a revoked key or one with a lost secret cannot be revealed, and nothing is logged', async () => {
    const ctx = await anna();
    const { key } = await createApiKey(ctx, { name: 'a' }, sealingKeys);
    const bert = contextOf(ctx.db, 'bert');
    const agent = contextOf(ctx.db, 'anna', { kind: 'key', userId: 'anna', keyId: key.id, clientKind: null });
    const visitor: Context = { ...ctx, actor: { kind: 'anonymous' }, workspace: null };
    const foreign = await revealApiKey(bert, { keyId: key.id }, sealingKeys).catch((error: unknown) => error);
    const missing = await revealApiKey(bert, { keyId: 'nothing' }, sealingKeys).catch((error: unknown) => error);
    expect(foreign).toMatchObject({ code: 'key-not-found', message: (missing as Error).message });
    const refusals: [Context, SealingKeys, string][] = [
      [agent, sealingKeys, 'permission-denied'],
      [visitor, sealingKeys, 'unauthenticated'],
      [ctx, [randomBytes(32)], 'key-unreadable'],
    ];
    for (const [who, keys, code] of refusals) {
      await expect(revealApiKey(who, { keyId: key.id }, keys)).rejects.toMatchObject({ code });
    }
    expect(await revokeApiKey(ctx, { keyId: key.id }, sealingKeys)).toMatchObject({ isRevealable: false });
    await expect(revealApiKey(ctx, { keyId: key.id }, sealingKeys)).rejects.toMatchObject({ code: 'key-revoked' });
    const audit = await ctx.db.query.selectFrom('auditLog').select('action').execute();
    expect(audit.map(({ action }) => action).sort()).toEqual(['key.create', 'key.revoke']);
  });

  test('each user can reveal a limited number of keys an hour', async () => {
    const ctx = await anna();
    const bert = contextOf(ctx.db, 'bert');
    const { key } = await createApiKey(ctx, { name: 'a' }, sealingKeys);
    const { key: other } = await createApiKey(bert, { name: 'b' }, sealingKeys);
    await revealApiKey(ctx, { keyId: key.id }, sealingKeys);
    ctx.clock.advance(600_000);
    for (let at = 1; at < limits.keyRevealsPerHourMax; at += 1) await revealApiKey(ctx, { keyId: key.id }, sealingKeys);
    await expect(revealApiKey(ctx, { keyId: key.id }, sealingKeys)).rejects.toMatchObject({
      code: 'rate-limited',
      message: 'Too many requests. Try again in 3,000 seconds.',
    });
    await revealApiKey(bert, { keyId: other.id }, sealingKeys);
    ctx.clock.advance(3_000_000);
    await revealApiKey(ctx, { keyId: key.id }, sealingKeys);
    await expect(revealApiKey(ctx, { keyId: key.id }, sealingKeys)).rejects.toMatchObject({ code: 'rate-limited' });
  });

  test('after the secret changes, former keys can still be revealed, and new ones need only the new secret', async () => {
    const ctx = await anna();
    const before = await createApiKey(ctx, { name: 'before' }, sealingKeys);
    const rotated: SealingKeys = [randomBytes(32), ...sealingKeys];
    const after = await createApiKey(ctx, { name: 'after' }, rotated);
    expect(await revealApiKey(ctx, { keyId: before.key.id }, rotated)).toEqual({ secret: before.secret });
    expect(await revealApiKey(ctx, { keyId: after.key.id }, [rotated[0]])).toEqual({ secret: after.secret });
    await expect(revealApiKey(ctx, { keyId: after.key.id }, sealingKeys)).rejects.toMatchObject({
      code: 'key-unreadable',
    });
  });

  test('a sealed key moved to another row cannot be revealed', async () => {
    const ctx = await anna();
    const { key } = await createApiKey(ctx, { name: 'a' }, sealingKeys);
    const { key: other } = await createApiKey(ctx, { name: 'b' }, sealingKeys);
    const row = await ctx.db.query.selectFrom('apiKeys').selectAll().where('id', '=', key.id).executeTakeFirstOrThrow();
    await ctx.db.query.updateTable('apiKeys').set({ keySealed: row.keySealed }).where('id', '=', other.id).execute();
    await expect(revealApiKey(ctx, { keyId: other.id }, sealingKeys)).rejects.toMatchObject({ code: 'key-unreadable' });
  });

  test('a key needs a verified email address, and a team key membership', async () => {
    const ctx = await anna();
    await ctx.db.query.updateTable('users').set({ emailVerifiedAt: null }).where('id', '=', 'anna').execute();
    await expect(createApiKey(ctx, { name: 'a' }, sealingKeys)).rejects.toMatchObject({
      code: 'email-not-verified',
      message: 'Verify your email',
    });
    await expect(createApiKey(ctx, { name: ' ' }, sealingKeys)).rejects.toMatchObject({ code: 'key-name-empty' });
    const bert = contextOf(ctx.db, 'bert');
    await expect(createApiKey(bert, { name: 'a', teamId: 't' }, sealingKeys)).rejects.toMatchObject({
      code: 'team-not-found',
    });
    await expect(listApiKeys(bert, { teamId: 't' }, sealingKeys)).rejects.toMatchObject({ code: 'team-not-found' });
    expect(await ctx.db.query.selectFrom('apiKeys').select('id').execute()).toEqual([]);
    expect(await listApiKeys(ctx, {}, sealingKeys)).toEqual([]);
  });

  test('the database does not contain the secret of a key', async () => {
    const ctx = await anna();
    const { secret } = await createApiKey(ctx, { name: 'a' }, sealingKeys);
    const rows = JSON.stringify([
      await ctx.db.query.selectFrom('apiKeys').selectAll().execute(),
      await ctx.db.query.selectFrom('auditLog').selectAll().execute(),
    ]);
    expect(rows).not.toContain(secret.slice(4, 20));
  });

  test('keys and visitors cannot create, list or revoke keys; a name is required', async () => {
    const ctx = await anna();
    const { key } = await createApiKey(ctx, { name: 'a' }, sealingKeys);
    const agent = contextOf(ctx.db, 'anna', { kind: 'key', userId: 'anna', keyId: key.id, clientKind: null });
    const visitor: Context = { ...ctx, actor: { kind: 'anonymous' }, workspace: null };
    for (const [who, code] of [
      [agent, 'permission-denied'],
      [visitor, 'unauthenticated'],
    ] as const) {
      await expect(createApiKey(who, { name: 'b' }, sealingKeys)).rejects.toMatchObject({ code });
      await expect(listApiKeys(who, {}, sealingKeys)).rejects.toMatchObject({ code });
      await expect(revokeApiKey(who, { keyId: key.id }, sealingKeys)).rejects.toMatchObject({ code });
    }
    await expect(createApiKey(ctx, { name: ' \t' }, sealingKeys)).rejects.toMatchObject({ code: 'key-name-empty' });
  });
});

test('a key works even if its use cannot be recorded', async () => {
  const ctx = contextOf(await freshDatabase(), 'anna');
  await withUsers(ctx.db, 'anna');
  const { key, secret } = await createApiKey(ctx, { name: 'a' }, sealingKeys);
  await sql`pragma query_only = 1`.execute(ctx.db.query);
  await expect(createApiKey(ctx, { name: 'b' }, sealingKeys)).rejects.toMatchObject({ code: 'read-only' });
  expect(await verifyApiKey(ctx, secret, address)).toMatchObject({ id: key.id, lastUsedAt: null });
});
