import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { postgresBus } from '#server/platform/bus/postgres-bus.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { connectDatabase, openDatabase } from '#server/platform/db/open-database.ts';
import { emptyDatabaseConfig, freshDatabase, freshDatabaseConfig } from '#test/services/database.ts';
import { silentLog } from '#test/services/log.ts';
import { hasPostgres } from '#test/services/postgres.ts';
import { startProgram } from '#test/services/programs.ts';
import { moduleRow } from '#test/services/rows.ts';
import { until } from '#test/services/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'db-faults-'));
afterAll(() => {
  chmodSync(folder, 0o755);
  rmSync(folder, { recursive: true, force: true });
});

describe('SQLite file errors', () => {
  test('a file that is not a database is refused and left unchanged', async () => {
    const file = join(folder, 'notes.txt');
    writeFileSync(file, 'remember the milk\n'.repeat(300));
    await expect(openDatabase({ kind: 'sqlite', file })).rejects.toMatchObject({
      code: 'not-a-database',
      message: expect.stringContaining(file),
    });
    expect(statSync(file).size).toBe(18 * 300);
  });

  test('a missing folder is named', async () => {
    const file = join(folder, 'nowhere', 'x.sqlite');
    await expect(openDatabase({ kind: 'sqlite', file })).rejects.toMatchObject({
      code: 'cannot-open',
      message: expect.stringContaining(file),
    });
  });

  test('a file that was moved away refuses writes, and accepts them again once it is back', async () => {
    const config = await freshDatabaseConfig();
    const file = config.kind === 'sqlite' ? config.file : '';
    const db = await openDatabase(config);
    const write = (queries: Queries, id: string) => queries.insertInto('modules').values(moduleRow({ id })).execute();
    await write(db.query, 'before');
    const refusal = { code: 'cannot-open', message: expect.stringContaining('while it was open') };
    for (const other of [undefined, 'another file']) {
      renameSync(file, `${file}-away`);
      if (other !== undefined) writeFileSync(file, other);
      await expect(write(db.query, 'lost')).rejects.toMatchObject(refusal);
      await expect(db.transaction((tx) => write(tx, 'lost'))).rejects.toMatchObject(refusal);
      renameSync(`${file}-away`, file);
    }
    await db.transaction((tx) => write(tx, 'after'));
    const rows = await db.query.selectFrom('modules').select('id').orderBy('id').execute();
    expect(rows.map(({ id }) => id)).toEqual(['after', 'before']);
    await db.close();
  });

  test('a write waits, without blocking the process, while another process locks the file', async () => {
    const config = await freshDatabaseConfig();
    const file = config.kind === 'sqlite' ? config.file : '';
    const other = new DatabaseSync(file);
    other.exec('begin immediate');
    const db = connectDatabase(config);
    const begun = performance.now();
    const writes = [
      db.query
        .insertInto('modules')
        .values(moduleRow({ id: 'a' }))
        .execute(),
      db.transaction((tx) =>
        tx
          .insertInto('modules')
          .values(moduleRow({ id: 'b' }))
          .execute(),
      ),
    ];
    // Longer than SQLite's own wait.
    await until('the lock has been held for a while', () => performance.now() - begun > 300);
    other.exec('commit');
    await Promise.all(writes);
    expect(await db.query.selectFrom('modules').select('id').execute()).toHaveLength(2);
    other.close();
    await db.close();
  });

  test('a commit that the disk does not confirm is reported as an error, and others’ writes are unaffected', async () => {
    const config = await freshDatabaseConfig();
    const log = config.kind === 'sqlite' ? `${config.file}-wal` : '';
    const db = connectDatabase(config);
    const insert = (id: string, options?: { durability: 'process' }) =>
      db.transaction((tx) => tx.insertInto('modules').values(moduleRow({ id })).execute(), options);
    await insert('a', { durability: 'process' });
    renameSync(log, `${log}.away`);
    const unconfirmed = insert('b');
    const told = expect(unconfirmed).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringContaining('the disk'),
    });
    await db.transaction(
      async (tx) => {
        await tx
          .insertInto('modules')
          .values(moduleRow({ id: 'c' }))
          .execute();
        await told;
      },
      { durability: 'process' },
    );
    renameSync(`${log}.away`, log);
    await insert('d');
    const rows = await db.query.selectFrom('modules').select('id').orderBy('id').execute();
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(['a', 'c', 'd']));
    await db.close();
  });

  test('a full disk refuses the write, keeps existing data and allows reads', async () => {
    const db = await freshDatabase();
    await db.query
      .insertInto('modules')
      .values(moduleRow({ id: 'a' }))
      .execute();
    const { rows } = await sql<{ pageCount: number }>`pragma page_count`.execute(db.query);
    await sql`pragma max_page_count = ${sql.lit(rows[0]?.pageCount)}`.execute(db.query);
    const fill = db.transaction(async (tx) => {
      for (let at = 0; at < 100; at++) {
        await tx
          .insertInto('settings')
          .values({ name: `n${at}`, value: 'x'.repeat(10_000) })
          .execute();
      }
    });
    await expect(fill).rejects.toMatchObject({ code: 'disk-full', message: expect.stringContaining('Free some') });
    expect(await db.query.selectFrom('settings').selectAll().execute()).toEqual([]);
    await sql`pragma max_page_count = 100000`.execute(db.query);
    await db.query.insertInto('settings').values({ name: 'n', value: 'fits now' }).execute();
  });

  test('a read-only folder is refused', async () => {
    const config = await freshDatabaseConfig();
    const file = join(folder, 'read-only.sqlite');
    const db = connectDatabase({ kind: 'sqlite', file: config.kind === 'sqlite' ? config.file : '' });
    await sql`vacuum into ${file}`.execute(db.query);
    await db.close();
    chmodSync(folder, 0o555);
    const program = await startProgram(
      'ports/programs/open-database.ts',
      { kind: 'sqlite', file },
      { asOrdinaryUser: true },
    );
    expect(await program.rest()).toMatchObject([
      { opened: false, code: expect.stringMatching(/read-only|cannot-open/) },
    ]);
    chmodSync(folder, 0o755);
  });

  test('a damaged file is reported as damaged', async () => {
    const config = await freshDatabaseConfig();
    const file = config.kind === 'sqlite' ? config.file : '';
    const handle = openSync(file, 'r+');
    const { size } = statSync(file);
    for (let at = 4096; at < size; at += 4096) writeSync(handle, Buffer.alloc(4096, 0xa5), 0, 4096, at);
    closeSync(handle);
    await expect(openDatabase(config)).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining('backup'),
    });
  });
});

describe.skipIf(!hasPostgres())('PostgreSQL server errors', () => {
  test('an unreachable server is named without its password', async () => {
    const opening = openDatabase({ kind: 'postgres', url: 'postgres://me:hush@127.0.0.1:1/lib' });
    await expect(opening).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('127.0.0.1:1/lib'),
    });
    await expect(opening).rejects.toSatisfy((error: Error) => !error.message.includes('hush'));
  });

  test('a missing database and an unknown user are distinguished', async () => {
    const config = await emptyDatabaseConfig('postgres');
    const url = config.kind === 'postgres' ? config.url : '';
    const missing = openDatabase({ kind: 'postgres', url: url.replace(/[^/]+$/, 'missing') });
    await expect(missing).rejects.toMatchObject({ code: 'cannot-open' });
    const stranger = openDatabase({ kind: 'postgres', url: url.replace('postgres@', 'stranger:hush@') });
    await expect(stranger).rejects.toMatchObject({ code: 'wrong-credentials' });
  });

  test('a canceled statement, a missing permission and too few connections are reported separately', async () => {
    const config = await freshDatabaseConfig('postgres');
    const url = config.kind === 'postgres' ? config.url : '';
    const [db, user] = [await openDatabase(config), `user_${randomUUID().slice(0, 8)}`];
    const slow = db.transaction(async (tx) => {
      await sql`set local statement_timeout = '10ms'`.execute(tx);
      await sql`select pg_sleep(5)`.execute(tx);
    });
    await expect(slow).rejects.toMatchObject({ code: 'busy', message: expect.stringContaining('statement timeout') });
    await sql`create role ${sql.ref(user)} login connection limit 0`.execute(db.query);
    const other = url.replace('postgres@', `${user}@`);
    await expect(postgresBus(other, silentLog)).rejects.toMatchObject({ code: 'unreachable' });
    await sql`alter role ${sql.ref(user)} connection limit -1`.execute(db.query);
    await expect(openDatabase({ kind: 'postgres', url: other })).rejects.toMatchObject({
      code: 'no-right',
      message: expect.stringContaining('Make the user of DATABASE_URL the owner'),
    });
    await sql`drop role ${sql.ref(user)}`.execute(db.query);
    await db.close();
  });

  test('a process that stops in the middle of a transaction loses it, and another can write its rows', async () => {
    const config = await freshDatabaseConfig('postgres');
    const [frozen, other] = [await openDatabase(config), await openDatabase(config)];
    const { promise: woken, resolve: wake } = Promise.withResolvers<void>();
    const { promise: held, resolve: hold } = Promise.withResolvers<void>();
    const rename = (queries: Queries, displayName: string) =>
      queries.updateTable('modules').set({ displayName }).where('id', '=', 'a').execute();
    await other.query
      .insertInto('modules')
      .values(moduleRow({ id: 'a' }))
      .execute();
    const late = frozen.transaction(async (tx) => {
      await rename(tx, 'late');
      hold();
      await woken;
      await rename(tx, 'later');
    });
    const refused = expect(late).rejects.toMatchObject({ code: 'unreachable' });
    await held;
    await rename(other.query, 'other');
    wake();
    await refused;
    const rows = await other.query.selectFrom('modules').select('displayName').execute();
    expect(rows).toEqual([{ displayName: 'other' }]);
    await frozen.close();
    await other.close();
  }, 90_000);

  test('connections closed by the server are replaced', async () => {
    const db = await freshDatabase('postgres');
    const backend = async () =>
      (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db.query)).rows[0]?.pid;
    const before = await backend();
    const dropped = sql`select pg_terminate_backend(pg_backend_pid())`.execute(db.query);
    await expect(dropped).rejects.toMatchObject({ code: 'unreachable' });
    expect(await backend()).not.toBe(before);
  });
});
