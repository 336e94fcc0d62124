import { AsyncResource } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import type { Database, Queries, Transaction } from '#server/platform/db/database.ts';
import { connectDatabase } from '#server/platform/db/open-database.ts';
import { freshDatabase, freshDatabaseConfig, onEachDatabase } from '#test/services/database.ts';
import { startProgram } from '#test/services/programs.ts';
import { moduleRow } from '#test/services/rows.ts';

onEachDatabase('transactions', (kind) => {
  let db: Database;
  beforeEach(async () => {
    db = await freshDatabase(kind);
    await db.query
      .insertInto('modules')
      .values([moduleRow({ id: 'a' }), moduleRow({ id: 'b' })])
      .execute();
  });

  const rename = (queries: Queries, id: string, displayName: string) =>
    queries.updateTable('modules').set({ displayName }).where('id', '=', id).execute();
  const nameOf = async (id: string) =>
    (await db.query.selectFrom('modules').select('displayName').where('id', '=', id).executeTakeFirst())?.displayName;
  const addOne = (tx: Transaction) =>
    tx
      .updateTable('modules')
      .set((column) => ({ revision: column('revision', '+', 1) }))
      .where('id', '=', 'a')
      .execute();

  test('are committed on return and rolled back on throw', async () => {
    expect(await db.transaction(async (tx) => (await rename(tx, 'a', 'kept'), 7))).toBe(7);
    const failing = db.transaction(async (tx) => {
      await rename(tx, 'b', 'lost');
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect([await nameOf('a'), await nameOf('b')]).toEqual(['kept', 'b']);
  });

  test('do not block other reads, which see the last commit', async () => {
    await db.transaction(async (tx) => {
      await rename(tx, 'a', 'new');
      // Started outside the transaction, like another request.
      expect(await outside(() => nameOf('a'))).toBe('a');
    });
    expect(await nameOf('a')).toBe('new');
  });

  test('take effect for all simultaneous writers', async () => {
    await Promise.all(Array.from({ length: 25 }, () => db.transaction(addOne)));
    const row = await db.query.selectFrom('modules').select('revision').where('id', '=', 'a').executeTakeFirst();
    expect(row?.revision).toBe(25);
  });

  test('do not fail a statement outside them that locks the same rows in another order', async () => {
    let hasBegun = () => {};
    const begun = new Promise<void>((resolve) => {
      hasBegun = resolve;
    });
    const transaction = db.transaction(async (tx) => {
      await rename(tx, 'b', 'inside');
      hasBegun();
      // The statement outside has locked the other row by now; PostgreSQL ends the one that has waited for a second.
      await delay(200);
      await rename(tx, 'a', 'inside');
    });
    await begun;
    const both = db.query.updateTable('modules').set({ displayName: 'outside' }).where('id', 'in', ['a', 'b']);
    await Promise.all([transaction, both.execute()]);
    expect([await nameOf('a'), await nameOf('b')]).toEqual(['outside', 'outside']);
  });

  // With SQLite no statement shows the durability; test/faults/slow-disk.test.ts tests it by blocking the disk.
  test.skipIf(kind === 'sqlite')('skip the wait for the disk only if they ask to', async () => {
    const waitsForDisk = async (tx: Transaction): Promise<boolean> => {
      const asked = sql<{ answer: unknown }>`select current_setting('synchronous_commit') as answer`;
      const { rows } = await asked.execute(tx);
      return rows[0]?.answer === 'on';
    };
    const light = { durability: 'process' } as const;
    const [one, other] = await Promise.all([db.transaction(waitsForDisk, light), db.transaction(waitsForDisk)]);
    expect([one, other]).toEqual([false, true]);
    expect(await db.transaction(waitsForDisk)).toBe(true);
  });

  test('take effect for simultaneous writers of both durabilities', async () => {
    await Promise.all(
      Array.from({ length: 30 }, (_, at) => db.transaction(addOne, { durability: at % 2 === 0 ? 'disk' : 'process' })),
    );
    const row = await db.query.selectFrom('modules').select('revision').where('id', '=', 'a').executeTakeFirst();
    expect(row?.revision).toBe(30);
  });

  test('cannot be nested, even deep in the call stack', async () => {
    const innerVerb = async () => db.transaction(async () => 1);
    const nested = db.transaction(async () => innerVerb());
    await expect(nested).rejects.toMatchObject({ code: 'transaction-nested' });
  });

  test('block the database itself inside them, and it works again afterwards', async () => {
    const careless = db.transaction(async () => rename(db.query, 'a', 'x'));
    await expect(careless).rejects.toMatchObject({ code: 'outside-transaction' });
    await rename(db.query, 'a', 'y');
    expect(await nameOf('a')).toBe('y');
  });

  test('let work started inside them use the database after they end', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let later: Promise<unknown> = Promise.resolve();
    await db.transaction(async () => {
      later = promise.then(() => rename(db.query, 'a', 'later'));
    });
    resolve();
    await later;
    expect(await nameOf('a')).toBe('later');
  });

  test('can only be rolled back after a failed statement', async () => {
    const swallowing = db.transaction(async (tx) => {
      await rename(tx, 'b', 'lost');
      await tx
        .insertInto('modules')
        .values(moduleRow({ id: 'a' }))
        .execute()
        .catch(() => undefined);
      await rename(tx, 'b', 'lost too');
    });
    await expect(swallowing).rejects.toMatchObject({ code: 'transaction-aborted' });
    const hiding = db.transaction(async (tx) => {
      await rename(tx, 'b', 'lost');
      await tx
        .insertInto('modules')
        .values(moduleRow({ id: 'a' }))
        .execute()
        .catch(() => undefined);
    });
    await expect(hiding).rejects.toMatchObject({ code: 'transaction-aborted' });
    expect(await nameOf('b')).toBe('b');
    await db.transaction((tx) => rename(tx, 'b', 'works'));
    expect(await nameOf('b')).toBe('works');
  });

  test('lose no update when several processes write at once', { timeout: 60_000 }, async () => {
    const config = await freshDatabaseConfig(kind);
    const mine = connectDatabase(config);
    await mine.query
      .insertInto('modules')
      .values(moduleRow({ id: 'counter' }))
      .execute();
    const programs = await Promise.all(
      [1, 2, 3].map(() => startProgram('ports/programs/count-up.ts', { config, times: 40 })),
    );
    const counts = (await Promise.all(programs.map((program) => program.rest()))).flat();
    expect(counts.toSorted((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 120 }, (_, at) => at + 1));
    await mine.close();
  });

  test.each(['disk', 'process'] as const)(
    'keep everything that a process committed before it was killed, for the %s',
    {
      timeout: 60_000,
    },
    async (durability) => {
      const config = await freshDatabaseConfig(kind);
      const mine = connectDatabase(config);
      await mine.query
        .insertInto('modules')
        .values(moduleRow({ id: 'counter' }))
        .execute();
      const program = await startProgram('ports/programs/count-up.ts', {
        ...{ config, durability, times: 1_000_000 },
      });
      let last = 0;
      while (last < 30) last = Number(await program.nextAnswer());
      await program.kill();
      for (const answer of await program.rest()) last = Number(answer);
      const row = await mine.query
        .selectFrom('modules')
        .select('revision')
        .where('id', '=', 'counter')
        .executeTakeFirst();
      expect(row?.revision).toBeGreaterThanOrEqual(last);
      await mine.transaction((tx) => rename(tx, 'counter', 'still writable'));
      await mine.close();
    },
  );

  test.runIf(kind === 'postgres')('that lock each other out both succeed', async () => {
    const bothHoldOne = barrier(2);
    const runs = { first: 0, second: 0 };
    const move = (name: 'first' | 'second', from: string, to: string) =>
      db.transaction(async (tx) => {
        runs[name]++;
        await rename(tx, from, name);
        if (runs[name] === 1) await bothHoldOne();
        await rename(tx, to, name);
      });
    await Promise.all([move('first', 'a', 'b'), move('second', 'b', 'a')]);
    expect(await nameOf('a')).toBe(await nameOf('b'));
    expect(runs.first + runs.second).toBeGreaterThan(2);
  });
});

const rootContext = new AsyncResource('another request');

/** Runs work as if called from outside the transaction that is open here. */
function outside<T>(work: () => T): T {
  return rootContext.runInAsyncScope(work);
}

function barrier(parties: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let arrived = 0;
  return () => {
    arrived++;
    if (arrived === parties) resolve();
    return promise;
  };
}
