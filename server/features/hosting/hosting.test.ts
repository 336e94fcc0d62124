import { expect, test } from 'vitest';
import type { Database } from '#server/platform/db/database.ts';
import { freshDatabase, onEachDatabase } from '#test/services/database.ts';
import { moduleRow, userRow } from '#test/services/rows.ts';
import {
  claimAttempt,
  claimRefresh,
  insertAttempt,
  markReconnect,
  putConnection,
  replaceTokens,
} from './connection-store.ts';
import { insertHosted, listHosted, listHostedBy, listHostedOf, markPaused, noteDelivery } from './repository-store.ts';

const tokens = { accessTokenSealed: 'a', accessExpiresAt: 1, refreshTokenSealed: 'r', refreshExpiresAt: null };

const aheadMs = 300 * 86_400_000;

async function withPerson(db: Database): Promise<void> {
  await db.query
    .insertInto('users')
    .values(userRow({ id: 'anna' }))
    .execute();
}

const connect = (db: Database, login = 'ada') =>
  db.transaction((tx) =>
    putConnection(tx, {
      ...{ userId: 'anna', method: 'app', accountId: '7', login, url: 'https://github.com/ada', scopes: '[]' },
      ...{ ...tokens, state: 'connected', refreshingUntil: null, connectedAt: 1, updatedAt: 1 },
    }),
  );

const hosted = (id: string, moduleId: string) => ({
  ...{ id, moduleId, repositoryId: '9', fullName: 'ada/handbook', url: 'u', cloneUrl: 'c', isPrivate: 1 },
  ...{ refKind: 'branch' as const, refName: 'main', folder: '', addedByUserId: 'anna', readerLogin: 'ada' },
  ...{ installationId: '5', pausedReason: null, pausedAt: null, checkedAt: 1, webhookId: null, stats: null },
  ...{ createdAt: 1, updatedAt: 1 },
});

onEachDatabase('the hosting store', (kind) => {
  test('an authorization attempt can be used once, by its session, before it expires', async () => {
    const db = await freshDatabase(kind);
    await withPerson(db);
    const attempt = { stateHash: 's', userId: 'anna', sessionId: 'one', method: 'oauth' as const, verifierSealed: 'v' };
    await insertAttempt(db.query, { ...attempt, cont: '/', createdAt: 1, expiresAt: 100, usedAt: null });
    const claim = (change: Partial<Parameters<typeof claimAttempt>[1]>) =>
      claimAttempt(db.query, { stateHash: 's', userId: 'anna', sessionId: 'one', now: 50, ...change });
    expect(await claim({ sessionId: 'two' })).toBeUndefined();
    expect(await claim({ userId: 'berta' })).toBeUndefined();
    expect(await claim({ now: 100 })).toBeUndefined();
    const claims = await Promise.all([1, 2, 3].map(() => claim({})));
    expect(claims.filter((row) => row !== undefined)).toHaveLength(1);
  });

  test('one of several concurrent claims gets the refresh, and updates for a former token change nothing', async () => {
    const db = await freshDatabase(kind);
    await withPerson(db);
    const first = await connect(db);
    const claims = await Promise.all([1, 2, 3].map(() => claimRefresh(db.query, first, { now: 10, until: 20 })));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await claimRefresh(db.query, first, { now: 21, until: 30 })).toBe(true);
    expect(await claimRefresh(db.query, first, { now: 25, until: 34 })).toBe(false);
    // From a clock that is ahead.
    expect(await claimRefresh(db.query, first, { now: aheadMs, until: aheadMs + 9 })).toBe(true);
    expect(await claimRefresh(db.query, first, { now: 25, until: 34 })).toBe(true);
    const second = await replaceTokens(db.query, first, { ...tokens, accessTokenSealed: 'b', updatedAt: 2 });
    expect(second).toMatchObject({ accessTokenSealed: 'b', refreshingUntil: null, version: first.version + 1 });
    expect(await replaceTokens(db.query, first, { ...tokens, updatedAt: 3 })).toBeUndefined();
    expect(await db.transaction((tx) => markReconnect(tx, first, 3))).toBeUndefined();
    const third = await connect(db, 'ben');
    expect(third).toMatchObject({ login: 'ben', version: first.version + 2 });
    expect(await db.transaction((tx) => markReconnect(tx, third, 4))).toMatchObject({ state: 'reconnect' });
  });

  test('a repository belongs to the workspace of its module, and moves and is deleted with it', async () => {
    const db = await freshDatabase(kind);
    await withPerson(db);
    await db.query
      .insertInto('modules')
      .values(moduleRow({ id: 'm', slug: 'handbook', workspace: 'user:anna', kind: 'git' }))
      .execute();
    const insert = () => db.transaction((tx) => insertHosted(tx, hosted(crypto.randomUUID(), 'm')));
    expect((await Promise.all([insert(), insert()])).filter(Boolean)).toHaveLength(1);
    const [row] = await listHosted(db.query, 'user:anna');
    expect(row).toMatchObject({ slug: 'handbook', workspace: 'user:anna' });
    expect(await listHosted(db.query, 'user:berta')).toEqual([]);
    expect(await listHostedOf(db.query, { repositoryIds: ['9'], installationId: undefined })).toHaveLength(1);
    expect(await listHostedOf(db.query, { repositoryIds: [], installationId: '5' })).toHaveLength(1);
    expect(await listHostedOf(db.query, { repositoryIds: [], installationId: undefined })).toEqual([]);
    const pause = () =>
      db.transaction((tx) => markPaused(tx, row?.id ?? '', { pausedReason: 'adder-left', pausedAt: 2, updatedAt: 2 }));
    expect((await Promise.all([pause(), pause()])).filter(Boolean)).toHaveLength(1);
    await db.query.updateTable('modules').set({ workspace: 'team:acme' }).where('id', '=', 'm').execute();
    expect(await listHostedBy(db.query, 'anna', 'team:acme')).toHaveLength(1);
    expect(await listHostedBy(db.query, 'anna', 'user:anna')).toEqual([]);
    await db.query.deleteFrom('modules').where('id', '=', 'm').execute();
    expect(await listHostedBy(db.query, 'anna')).toEqual([]);
  });

  test('a webhook delivery is recorded once', async () => {
    const db = await freshDatabase(kind);
    const note = () => noteDelivery(db.query, { deliveryId: 'd', event: 'push', receivedAt: 1 });
    expect((await Promise.all([note(), note(), note()])).filter(Boolean)).toHaveLength(1);
  });
});
