import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import type { Actor, Context } from '#server/context.ts';
import { createSettableClock, type SettableClock } from '#server/platform/clock.ts';
import type { Database } from '#server/platform/db/database.ts';
import { freshDatabase, onEachDatabase } from '#test/services/database.ts';
import { silentLog } from '#test/services/log.ts';
import { createApiKey, listApiKeys, revokeApiKey, verifyApiKey } from './index.ts';
import { isWellFormedApiKey, maskApiKey, newApiKey } from './key-format.ts';
import { seal, unseal } from './seal.ts';

const sealingKey = randomBytes(32);
const address = 'https://docs.example';
type Sample = Context & { clock: SettableClock };

function contextOf(db: Database, userId: string, actor: Actor = { kind: 'user', userId }): Sample {
  const clock = createSettableClock();
  return { actor, workspace: `user:${userId}`, db, clock, log: silentLog, requestId: 'r' };
}

async function withUsers(db: Database, ...ids: string[]): Promise<void> {
  for (const id of ids) await db.query.insertInto('users').values({ id, createdAt: 0 }).execute();
}

test('a key has its form, and any single wrong character or swap is noticed', () => {
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

test('a sealed value opens with its own key and label only, and not after a change', () => {
  const sealed = seal(sealingKey, 'row-1', 'secret');
  expect(unseal(sealingKey, 'row-1', sealed)).toBe('secret');
  expect(seal(sealingKey, 'row-1', 'secret')).not.toBe(sealed);
  expect(() => unseal(sealingKey, 'row-2', sealed)).toThrow();
  expect(() => unseal(randomBytes(32), 'row-1', sealed)).toThrow();
  const bytes = Buffer.from(sealed, 'base64url');
  for (const at of [0, 12, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => unseal(sealingKey, 'row-1', changed.toString('base64url'))).toThrow();
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
    const { key, secret } = await createApiKey(ctx, { name: '  my agent ' }, sealingKey);
    expect(key).toMatchObject({ name: 'my agent', maskedKey: maskApiKey(secret), isActive: true, lastUsed: null });
    expect(await listApiKeys(ctx, sealingKey)).toEqual([key]);
    expect(await verifyApiKey(ctx, secret, address)).toMatchObject({ id: key.id, userId: 'anna' });
    const revoked = await revokeApiKey(ctx, { keyId: key.id }, sealingKey);
    expect(revoked.isActive).toBe(false);
    expect(await listApiKeys(ctx, sealingKey)).toMatchObject([{ id: key.id, isActive: false }]);
  });

  test('a revoked key is refused at once, exactly as one that never was; a typo is told apart', async () => {
    const ctx = await anna();
    const { key, secret } = await createApiKey(ctx, { name: 'a' }, sealingKey);
    await revokeApiKey(ctx, { keyId: key.id }, sealingKey);
    const revoked = (await verifyApiKey(ctx, secret, address).catch((error: unknown) => error)) as Error;
    const unknown = (await verifyApiKey(ctx, newApiKey(), address).catch((error: unknown) => error)) as Error;
    expect(revoked).toMatchObject({ code: 'key-refused', message: unknown.message });
    expect(revoked.message).toContain(`${address}/keys`);
    await expect(verifyApiKey(ctx, `${secret}x`, address)).rejects.toMatchObject({ code: 'key-malformed' });
  });

  test("another person's key looks like one that does not exist, to list and to revoke", async () => {
    const ctx = await anna();
    const bert = contextOf(ctx.db, 'bert');
    const { key, secret } = await createApiKey(ctx, { name: 'a' }, sealingKey);
    expect(await listApiKeys(bert, sealingKey)).toEqual([]);
    const foreign = await revokeApiKey(bert, { keyId: key.id }, sealingKey).catch((error: unknown) => error);
    const missing = await revokeApiKey(bert, { keyId: 'nothing' }, sealingKey).catch((error: unknown) => error);
    expect(foreign).toMatchObject({ code: 'key-not-found', message: (missing as Error).message });
    expect(await verifyApiKey(ctx, secret, address)).toMatchObject({ id: key.id });
  });

  test('a key of a team is not a personal key of whoever made it', async () => {
    const ctx = await anna();
    const { key } = await createApiKey(ctx, { name: 'a' }, sealingKey);
    await ctx.db.query.updateTable('apiKeys').set({ teamId: 'team' }).where('id', '=', key.id).execute();
    expect(await listApiKeys(ctx, sealingKey)).toEqual([]);
    await expect(revokeApiKey(ctx, { keyId: key.id }, sealingKey)).rejects.toMatchObject({ code: 'key-not-found' });
  });

  test('revoking twice at once leaves one time of revocation and one line in the audit', async () => {
    const ctx = await anna();
    const { key } = await createApiKey(ctx, { name: 'a' }, sealingKey);
    await Promise.all([1, 2, 3].map(() => revokeApiKey(ctx, { keyId: key.id }, sealingKey)));
    const before = await ctx.db.query.selectFrom('apiKeys').selectAll().executeTakeFirstOrThrow();
    ctx.clock.advance(1_000);
    await revokeApiKey(ctx, { keyId: key.id }, sealingKey);
    expect(await ctx.db.query.selectFrom('apiKeys').selectAll().executeTakeFirstOrThrow()).toEqual(before);
    const audit = await ctx.db.query.selectFrom('auditLog').selectAll().orderBy('action').execute();
    expect(audit.map(({ action, actorUserId }) => [action, actorUserId])).toEqual([
      ['key.create', 'anna'],
      ['key.revoke', 'anna'],
    ]);
  });

  test('the time of use is written at most every five minutes', async () => {
    const ctx = await anna();
    const { secret } = await createApiKey(ctx, { name: 'a' }, sealingKey);
    const everyMs = limits.keyLastUsedEveryMinutes * 60_000;
    const used: (number | null)[] = [];
    for (const wait of [0, everyMs - 1, 2, everyMs * 3]) {
      ctx.clock.advance(wait);
      await verifyApiKey(ctx, secret, address);
      used.push((await listApiKeys(ctx, sealingKey))[0]?.lastUsed ?? null);
    }
    const [first = 0, second, third, fourth] = used;
    expect([second, third, fourth]).toEqual([first, (first ?? 0) + everyMs + 1, (first ?? 0) + 4 * everyMs + 1]);
  });

  test('keys can be listed and revoked when the secret they were sealed with is lost', async () => {
    const ctx = await anna();
    const { key } = await createApiKey(ctx, { name: 'a' }, sealingKey);
    const other = randomBytes(32);
    expect(await listApiKeys(ctx, other)).toMatchObject([{ id: key.id, maskedKey: 'lec_????…????' }]);
    expect(await revokeApiKey(ctx, { keyId: key.id }, other)).toMatchObject({ isActive: false });
  });

  test('the secret of a key is nowhere in the database', async () => {
    const ctx = await anna();
    const { secret } = await createApiKey(ctx, { name: 'a' }, sealingKey);
    const rows = JSON.stringify([
      await ctx.db.query.selectFrom('apiKeys').selectAll().execute(),
      await ctx.db.query.selectFrom('auditLog').selectAll().execute(),
    ]);
    expect(rows).not.toContain(secret.slice(4, 20));
  });

  test('a key cannot make, list or revoke keys, nor can a visitor; a name is needed', async () => {
    const ctx = await anna();
    const { key } = await createApiKey(ctx, { name: 'a' }, sealingKey);
    const agent = contextOf(ctx.db, 'anna', { kind: 'key', userId: 'anna', keyId: key.id, clientKind: null });
    const visitor: Context = { ...ctx, actor: { kind: 'anonymous' }, workspace: null };
    for (const [who, code] of [
      [agent, 'permission-denied'],
      [visitor, 'unauthenticated'],
    ] as const) {
      await expect(createApiKey(who, { name: 'b' }, sealingKey)).rejects.toMatchObject({ code });
      await expect(listApiKeys(who, sealingKey)).rejects.toMatchObject({ code });
      await expect(revokeApiKey(who, { keyId: key.id }, sealingKey)).rejects.toMatchObject({ code });
    }
    await expect(createApiKey(ctx, { name: ' \t' }, sealingKey)).rejects.toMatchObject({ code: 'key-name-empty' });
  });
});

test('a key whose use cannot be written down is good all the same', async () => {
  const ctx = contextOf(await freshDatabase(), 'anna');
  await withUsers(ctx.db, 'anna');
  const { key, secret } = await createApiKey(ctx, { name: 'a' }, sealingKey);
  await sql`pragma query_only = 1`.execute(ctx.db.query);
  await expect(createApiKey(ctx, { name: 'b' }, sealingKey)).rejects.toMatchObject({ code: 'read-only' });
  expect(await verifyApiKey(ctx, secret, address)).toMatchObject({ id: key.id, lastUsedAt: null });
});
