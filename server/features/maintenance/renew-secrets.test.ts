import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createSettableClock } from '#server/platform/clock.ts';
import type { Database } from '#server/platform/db/database.ts';
import { tablesOf } from '#server/platform/db/tables-of.ts';
import { findLastingKey, requireLastingKey } from '#server/platform/lasting-key.ts';
import { lastingMailer } from '#server/platform/mail/lasting-mailer.ts';
import { openMailer } from '#server/platform/mail/open-mailer.ts';
import { type SealingKeys, seal, unseal } from '#server/platform/sealing.ts';
import { freshDatabase, onEachDatabase } from '#test/services/database.ts';
import { silentLog } from '#test/services/log.ts';
import { startMailServer } from '#test/services/mail-server.ts';
import { userRow } from '#test/services/rows.ts';
import { countSealed, renewSecrets, type SealCounts } from './renew-secrets.ts';

const [former, current, stranger] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const times = { createdAt: 1, updatedAt: 1 };

/** One of everything that is stored encrypted, under these keys. */
async function fill({ query }: Database, keys: SealingKeys): Promise<void> {
  await query
    .insertInto('users')
    .values(userRow({ id: 'anna' }))
    .execute();
  const key = { id: 'k1', userId: 'anna', name: 'k', keyHash: 'h', createdAt: 1, clientKind: null, teamId: null };
  await query
    .insertInto('apiKeys')
    .values({ ...key, keySealed: seal(keys, 'k1', 'lec_1') })
    .execute();
  const origin = 'https://docs.example';
  await query
    .insertInto('sourceCredentials')
    .values({
      ...{ id: 'c1', workspace: 'user:anna', kind: 'token', origin, label: 'l', createdAt: 1, createdByUserId: 'anna' },
      sealed: seal(keys, `source-credential:c1:${origin}`, '{}'),
    })
    .execute();
  await query.insertInto('teams').values({ id: 't1', name: 'Looms', createdAt: 1, createdBy: 'anna' }).execute();
  await query
    .insertInto('teamSignOns')
    .values({
      ...{ ...times, teamId: 't1', domain: 'docs.example', domainToken: 'd', issuer: 'i', clientId: 'c' },
      ...{ defaultRole: 'reader', clientSecretSealed: seal(keys, 'team-sign-on:t1', 'secret') },
    })
    .execute();
  await query
    .insertInto('codeHostConnections')
    .values({
      ...{ userId: 'anna', method: 'oauth', accountId: 'a1', login: 'anna', url: 'u', connectedAt: 1, updatedAt: 1 },
      accessTokenSealed: seal(keys, 'code-host:anna:a1:access', 'token'),
      refreshTokenSealed: seal(keys, 'code-host:anna:a1:refresh', 'token'),
    } as never)
    .execute();
  await query
    .insertInto('codeHostRevocations')
    .values({ id: 'r1', method: 'oauth', createdAt: 1, tokenSealed: seal(keys, 'code-host-revocation:r1', 'old') })
    .execute();
  const mail = { id: 'm1', recipientHash: 'h', createdAt: 1, nextAttemptAt: 1 };
  await query
    .insertInto('waitingMails')
    .values({ ...mail, sealed: seal(keys, 'waiting-mail:m1', '{}') })
    .execute();
  await query
    .insertInto('codeHostAttempts')
    .values({
      ...{ stateHash: 's1', userId: 'anna', sessionId: 'one', method: 'oauth', cont: '/', createdAt: 1, expiresAt: 2 },
      ...{ usedAt: null, verifierSealed: seal(keys, 'code-host-attempt:s1', 'verifier') },
    })
    .execute();
  await requireLastingKey(query, keys);
}

/** Everything in columns whose name says that they are sealed, and the one sealed setting: by table and column. */
async function sealedColumns(db: Database): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const { name, columns } of await tablesOf(db)) {
    for (const column of columns.filter((one) => one.name.includes('sealed'))) {
      const { rows } = await sql<{ value: string | null }>`
        select ${sql.ref(column.name)} as value from ${sql.table(name)}`.execute(db.query);
      found.set(
        `${name}.${column.name}`,
        rows.flatMap(({ value }) => value ?? []),
      );
    }
  }
  const settings = await db.query.selectFrom('settings').select('value').where('name', '=', 'lasting-key').execute();
  return found.set(
    'settings.lasting-key',
    settings.map(({ value }) => value),
  );
}

onEachDatabase('another secret', (kind) => {
  test('everything is sealed with the new key, and nothing needs the former one then', async () => {
    const db = await freshDatabase(kind);
    await fill(db, [former]);
    const both: SealingKeys = [current, former];
    const sums = (counts: SealCounts) => {
      const sumOf = (key: 'current' | 'former' | 'none') =>
        Object.values(counts).reduce((sum, one) => sum + one[key], 0);
      return [sumOf('current'), sumOf('former'), sumOf('none')];
    };
    expect(sums(await countSealed({ db }, both))).toEqual([0, 9, 0]);
    expect(sums(await renewSecrets({ db }, both))).toEqual([9, 0, 0]);
    // As the servers have it from now on: each is opened under its own label.
    expect(sums(await countSealed({ db }, [current]))).toEqual([9, 0, 0]);
    const { keySealed } = await db.query.selectFrom('apiKeys').select('keySealed').executeTakeFirstOrThrow();
    expect(unseal([current], 'k1', keySealed)).toBe('lec_1');
    const tables = await db.query.selectFrom('sourceCredentials').selectAll().execute();
    expect(await renewSecrets({ db }, both)).toEqual(await countSealed({ db }, [current]));
    expect(await db.query.selectFrom('sourceCredentials').selectAll().execute()).toEqual(tables);
  });

  test('every sealed column is sealed anew, and what webhooks and links are made with stays the same', async () => {
    const db = await freshDatabase(kind);
    await fill(db, [former]);
    const [before, key] = [await sealedColumns(db), await findLastingKey(db.query, [former])];
    await renewSecrets({ db }, [current, former]);
    const after = await sealedColumns(db);
    for (const [column, values] of before) {
      // A new column has a value in `fill`, and is listed for renewal.
      expect(values, column).not.toEqual([]);
      for (const value of after.get(column) ?? []) expect(values, column).not.toContain(value);
    }
    expect(key).toBeDefined();
    expect(await findLastingKey(db.query, [current])).toEqual(key);
    expect(await findLastingKey(db.query, [former])).toBeUndefined();
  });

  test('what no key opens is counted and left as it is', async () => {
    const db = await freshDatabase(kind);
    await fill(db, [stranger]);
    const before = await db.query.selectFrom('apiKeys').selectAll().execute();
    const counts = await renewSecrets({ db }, [current, former]);
    expect(Object.values(counts).every(({ none, current: done }) => none > 0 && done === 0)).toBe(true);
    expect(await db.query.selectFrom('apiKeys').selectAll().execute()).toEqual(before);
  });

  test('a mail that waits outlives a start with a wrong secret, and goes out with the right one', async () => {
    const db = await freshDatabase(kind);
    const clock = createSettableClock();
    const server = await startMailServer();
    onTestFinished(() => server.stop());
    const from = 'Sample <sample@docs.example>';
    const withKeys = (sealingKeys: SealingKeys, url = server.url) =>
      lastingMailer({ mailer: openMailer({ kind: 'smtp', url, from }), db, clock, log: silentLog, sealingKeys });
    // No one listens there.
    await withKeys([former], 'smtp://127.0.0.1:1').send({ to: 'anna@docs.example', subject: 's', text: 't' });
    clock.advance(60_000);
    await withKeys([stranger]).sendDue();
    clock.advance(30 * 60_000);
    await withKeys([former]).sendDue();
    expect(server.received.map(({ envelopeTo }) => envelopeTo)).toEqual([['anna@docs.example']]);
  });
});
