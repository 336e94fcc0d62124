import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { findLastingKey, replaceLostLastingKey } from '#server/platform/lasting-key.ts';
import { lastingMailer } from '#server/platform/mail/lasting-mailer.ts';
import { openMailer } from '#server/platform/mail/open-mailer.ts';
import { type SealingKeys, unseal } from '#server/platform/sealing.ts';
import { freshDatabase, onEachDatabase } from '#test/services/database.ts';
import { silentLog } from '#test/services/log.ts';
import { startMailServer } from '#test/services/mail-server.ts';
import { fillSealed, sealedColumns } from '#test/services/sealed-rows.ts';
import { createSettableClock } from '#test/services/settable-clock.ts';
import { countSealed, renewSecrets, type SealCounts } from './renew-secrets.ts';

const [former, current, stranger] = [randomBytes(32), randomBytes(32), randomBytes(32)];
onEachDatabase('renewing secrets', (kind) => {
  test('everything is sealed with the new key and no longer needs the former one', async () => {
    const db = await freshDatabase(kind);
    await fillSealed(db, [former]);
    const both: SealingKeys = [current, former];
    const sums = (counts: SealCounts) => {
      const sumOf = (key: 'current' | 'former' | 'none') =>
        Object.values(counts).reduce((sum, one) => sum + one[key], 0);
      return [sumOf('current'), sumOf('former'), sumOf('none')];
    };
    expect(sums(await countSealed({ db }, both))).toEqual([0, 9, 0]);
    expect(sums(await renewSecrets({ db }, both))).toEqual([9, 0, 0]);
    // As servers use the keys from now on: each value opens under its own label.
    expect(sums(await countSealed({ db }, [current]))).toEqual([9, 0, 0]);
    const { keySealed } = await db.query.selectFrom('apiKeys').select('keySealed').executeTakeFirstOrThrow();
    expect(unseal([current], 'k1', keySealed)).toBe('lec_1');
    const tables = await db.query.selectFrom('sourceCredentials').selectAll().execute();
    expect(await renewSecrets({ db }, both)).toEqual(await countSealed({ db }, [current]));
    expect(await db.query.selectFrom('sourceCredentials').selectAll().execute()).toEqual(tables);
  });

  test('every sealed column is sealed again, and the key for webhooks and links stays the same', async () => {
    const db = await freshDatabase(kind);
    await fillSealed(db, [former]);
    const [before, key] = [await sealedColumns(db), await findLastingKey(db.query, [former])];
    await renewSecrets({ db }, [current, former]);
    const after = await sealedColumns(db);
    for (const [column, values] of before) {
      // A new column has a value in `fillSealed`, and is listed for renewal.
      expect(values, column).not.toEqual([]);
      for (const value of after.get(column) ?? []) expect(values, column).not.toContain(value);
    }
    expect(key).toBeDefined();
    expect(await findLastingKey(db.query, [current])).toEqual(key);
    expect(await findLastingKey(db.query, [former])).toBeUndefined();
  });

  test('values that no key opens are counted and left unchanged', async () => {
    const db = await freshDatabase(kind);
    await fillSealed(db, [stranger]);
    const before = await db.query.selectFrom('apiKeys').selectAll().execute();
    const counts = await renewSecrets({ db }, [current, former]);
    expect(Object.values(counts).every(({ none, current: done }) => none > 0 && done === 0)).toBe(true);
    expect(await db.query.selectFrom('apiKeys').selectAll().execute()).toEqual(before);
  });

  test('a webhook key that no key opens is replaced on request, and no other is', async () => {
    const db = await freshDatabase(kind);
    await fillSealed(db, [former]);
    const key = await findLastingKey(db.query, [former]);
    expect(await replaceLostLastingKey(db.query, [current, former])).toBe(false);
    expect(await findLastingKey(db.query, [former])).toEqual(key);
    const replaced = await Promise.all([1, 2].map(() => replaceLostLastingKey(db.query, [current])));
    expect(replaced).toContain(true);
    const made = await findLastingKey(db.query, [current]);
    expect(made).toHaveLength(32);
    expect(made).not.toEqual(key);
    expect(await replaceLostLastingKey(db.query, [current])).toBe(false);
    expect(await replaceLostLastingKey((await freshDatabase(kind)).query, [current])).toBe(false);
  });

  test('a queued mail survives a start with a wrong secret and is sent with the right one', async () => {
    const db = await freshDatabase(kind);
    const clock = createSettableClock();
    const server = await startMailServer();
    onTestFinished(() => server.stop());
    const from = 'Sample <sample@docs.example>';
    const withKeys = (sealingKeys: SealingKeys, url = server.url) =>
      lastingMailer({ mailer: openMailer({ kind: 'smtp', url, from }), db, clock, log: silentLog, sealingKeys });
    // No server listens on this port.
    await withKeys([former], 'smtp://127.0.0.1:1').send({ to: 'anna@docs.example', subject: 's', text: 't' });
    clock.advance(60_000);
    await withKeys([stranger]).sendDue();
    clock.advance(30 * 60_000);
    await withKeys([former]).sendDue();
    expect(server.received.map(({ envelopeTo }) => envelopeTo)).toEqual([['anna@docs.example']]);
  });
});
