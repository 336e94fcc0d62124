import { existsSync, writeFileSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openBlobs } from '#server/platform/blobs/index.ts';
import { postgresBus } from '#server/platform/bus/postgres-bus.ts';
import { systemClock } from '#server/platform/clock.ts';
import { type Config, loadConfig } from '#server/platform/config/config.ts';
import { loadOrCreateSecret } from '#server/platform/data-folder.ts';
import { acquireDataFolderLock } from '#server/platform/data-folder-lock.ts';
import { sumTable } from '#server/platform/db/copy-rows.ts';
import type { Database } from '#server/platform/db/database.ts';
import { migrate } from '#server/platform/db/migrate.ts';
import { migrations } from '#server/platform/db/migrations.ts';
import { connectDatabase, openDatabase } from '#server/platform/db/open-database.ts';
import { tablesOf } from '#server/platform/db/tables-of.ts';
import { erasureRecord } from '#server/platform/erasure-record.ts';
import { createLogger } from '#server/platform/log.ts';
import { createClaim, storeClaimable } from '#server/platform/store-claim.ts';
import { cli } from '#test/cli/run-cli.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '#test/services/postgres.ts';
import { startS3 } from '#test/services/s3.ts';
import { openSmallDisk } from '#test/services/small-disk.ts';
import { temporaryFolder } from '#test/services/temporary-folder.ts';
import { moveInstallation } from './move-installation.ts';

type Variables = Record<string, string>;

const odd = [
  ['empty', ''],
  ['quotes', `it's "quoted" \\n %s $1 ; --`],
  ['wide', 'naïve 日本語 🪔 \u202e \u0001'],
  ['lines', 'a\r\nb\tc\n'],
  ['json', '{"n":9007199254740993,"s":"\\u0000","a":[null,true]}'],
] as const;
const wide = [9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n, 9_007_199_254_740_993n, 0n];

/** Creates a stopped installation whose rows and files are hard to copy. */
async function oddInstallation(variables: Variables = {}): Promise<Config> {
  const config = configOf({ LECTERN_DATA: join(temporaryFolder(), 'old'), ...variables });
  await mkdir(config.dataFolder, { recursive: true });
  if (config.secrets === undefined) await loadOrCreateSecret(config.dataFolder);
  await erasureRecord(config.dataFolder).add([{ userId: 'gone', at: 5 }]);
  const database = await openDatabase(config.database);
  await database.transaction(async (tx) => {
    for (const [name, value] of odd) await tx.insertInto('settings').values({ name, value }).execute();
    for (const [at, number] of wide.entries()) {
      const created = sql`cast(${String(number)} as ${sql.raw(config.database.kind === 'sqlite' ? 'integer' : 'bigint')})`;
      await sql`insert into users (id, email, created_at) values (${`u${at}`}, ${null}, ${created})`.execute(tx);
    }
    // More than a page of rows, whose two-part key is compared byte by byte.
    for (let n = 0; n < 450; n += 1) {
      const subject = `${n % 2 ? 'Z' : 'a'}${'é'.repeat(n % 3)}${n}`;
      await tx
        .insertInto('identities')
        .values({ provider: `p${n % 2}`, subject, userId: 'u0', createdAt: n })
        .execute();
    }
  });
  const blobs = await openBlobs(config.blobs);
  await createClaim({ db: database, clock: systemClock }, storeClaimable(blobs, config.blobs)).take();
  await database.close();
  await blobs.put('segments/empty.seg', new Uint8Array(0));
  await blobs.put('segments/one.seg', new Uint8Array(2_500_000).fill(7));
  await blobs.put('segments/two.seg', Uint8Array.from([0, 255, 10]));
  return config;
}

function configOf(variables: Variables): Config {
  return loadConfig({ LOG_LEVEL: 'silent', ...variables }).config;
}

async function held({ database: config, blobs }: Config) {
  const database = connectDatabase(config);
  try {
    const of = { kind: database.kind, queries: database.query };
    const rows: [string, unknown][] = [];
    for (const table of await tablesOf(database)) rows.push([table.name, await sumTable(of, table)]);
    return { rows: Object.fromEntries(rows), files: await (await openBlobs(blobs)).list('') };
  } finally {
    await database.close();
  }
}

const newFolder = () => configOf({ LECTERN_DATA: join(temporaryFolder(), 'new') });
const quietly = () => undefined;

describe('moving an installation to another folder', { timeout: 60_000 }, () => {
  test('keeps every value: large numbers, unusual texts, nulls', async () => {
    const [from, to] = [await oddInstallation(), newFolder()];
    const before = await held(from);
    const moved = await moveInstallation(from, to, quietly);
    expect(moved.files).toEqual({ files: 3, bytes: 2_500_003, kept: 0 });
    expect(moved.tables?.get('users')?.rows).toBe(4);
    expect(await held(to)).toEqual(before);
    expect(await held(from)).toEqual(before);
    const database = await openDatabase(to.database);
    onTestFinished(() => database.close());
    const numbers = await sql<{ at: string }>`select cast(created_at as text) as at from users order by id`.execute(
      database.query,
    );
    expect(numbers.rows.map(({ at }) => BigInt(at))).toEqual(wide);
    const texts = await database.query.selectFrom('settings').selectAll().execute();
    expect(texts).toEqual(expect.arrayContaining(odd.map(([name, value]) => ({ name, value }))));
    expect(await readFile(join(to.dataFolder, 'secret'), 'utf8')).toBe(
      await readFile(join(from.dataFolder, 'secret'), 'utf8'),
    );
    expect(await erasureRecord(to.dataFolder).list()).toEqual([{ userId: 'gone', at: 5 }]);
  });

  test('is refused while either side is in use, from nothing, and into a place that is not empty', async () => {
    const [from, to] = [await oddInstallation(), newFolder()];
    await expect(moveInstallation(from, from, quietly)).rejects.toThrow('already in their new place');
    await expect(moveInstallation(newFolder(), to, quietly)).rejects.toThrow('no installation to move');
    const lock = await acquireDataFolderLock(from.dataFolder, { purpose: 'the server' });
    await expect(moveInstallation(from, to, quietly)).rejects.toThrow('is in use by the server');
    await lock.release();
    const blobs = await openBlobs(to.blobs);
    await blobs.put('segments/other.seg', Uint8Array.from([1]));
    await expect(moveInstallation(from, to, quietly)).rejects.toThrow('already has other files (segments/other.seg)');
    await blobs.delete('segments/other.seg');
    const inSource = async (work: (db: Database) => Promise<unknown>) => {
      const db = await openDatabase(from.database);
      await work(db);
      await db.close();
    };
    await moveInstallation(from, to, quietly);
    // As after a move that was killed between its last write and its last message.
    await expect(moveInstallation(from, to, quietly)).rejects.toThrow('already has this installation');
    await inSource((db) => db.query.deleteFrom('settings').where('name', '=', 'installation-id').execute());
    await expect(moveInstallation(from, to, quietly)).rejects.toThrow('is not empty (');
  });

  test('leaves nothing in the new place and removes no foreign data if it is refused', async () => {
    const from = await oddInstallation();
    const to = newFolder();
    const secrets = [new Uint8Array(32)] as [Uint8Array];
    await expect(moveInstallation(from, { ...to, secrets }, quietly)).rejects.toThrow('lacks the key');
    expect(existsSync(to.dataFolder)).toBe(false);
    const folder = join(temporaryFolder(), 'theirs');
    await (await openBlobs({ kind: 'folder', folder })).put('other', Uint8Array.of(1));
    await writeFile(join(folder, '.incoming', 'half'), 'half');
    const foreign = { ...to, blobs: { kind: 'folder' as const, folder } };
    await expect(moveInstallation(from, foreign, quietly)).rejects.toThrow('already has other files (other)');
    expect(existsSync(to.dataFolder)).toBe(false);
    // An installation that appears while this move waits for a lock.
    const [late, other] = [newFolder(), await oddInstallation()];
    const lock = await acquireDataFolderLock(other.dataFolder, { purpose: 'the server' });
    const moving = expect(moveInstallation(other, late, quietly)).rejects.toThrow('has a different secret');
    await delay(50);
    await cp(from.dataFolder, late.dataFolder, { recursive: true });
    await lock.release();
    await moving;
    expect(await held(late)).toEqual(await held(from));
    await mkdir(to.dataFolder);
    await expect(moveInstallation(from, foreign, quietly)).rejects.toThrow('already has other files (other)');
    expect(await readdir(to.dataFolder)).toEqual(['lock']);
    expect(await readdir(folder, { recursive: true })).toEqual(['.incoming', 'other', '.incoming/half']);
  });

  test('is refused if sealed values in the rows could not be opened', async () => {
    const from = await oddInstallation();
    const to = { ...newFolder(), secrets: [new Uint8Array(32)] as [Uint8Array] };
    await expect(moveInstallation(from, to, quietly)).rejects.toThrow(
      /lacks the key .* encrypted the rows.*old\/secret/,
    );
    const secrets: [Uint8Array, Uint8Array] = [new Uint8Array(32), await loadOrCreateSecret(from.dataFolder)];
    const both = { ...to, secrets };
    await moveInstallation(from, both, quietly);
    expect(existsSync(join(to.dataFolder, 'secret'))).toBe(false);
  });

  test('is refused by every command if interrupted, continues when run again, and leaves no foreign files', async () => {
    const from = await oddInstallation();
    const before = await held(from);
    const to = newFolder();
    const file = join(temporaryFolder(), 'new.env');
    await writeFile(file, `LECTERN_DATA=${to.dataFolder}\n`);
    const move = (env: Variables = {}) => cli(['move', file, '--data', from.dataFolder], { env });
    const expectCut = async (n: number) => {
      const cut = await move({ ENVIRONMENT: 'test', LECTERN_FAIL_POINT: String(n) });
      expect([n, cut.code, cut.output]).toEqual([n, null, '']);
      const refused = await cli(['modules', '--data', to.dataFolder]);
      expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('did not finish')]);
    };
    // The first migration, with the mark, is the first write.
    await expectCut(2);
    // After the migrations: the mark again, two writes for the store record, and two for each file.
    for (const n of [1, 2, 5]) await expectCut(n);
    // As if all files had been copied and one had since disappeared from the old place.
    const [source, target] = [await openBlobs(from.blobs), await openBlobs(to.blobs)];
    await target.put('segments/empty.seg', new Uint8Array(0));
    await target.put('segments/one.seg', new Uint8Array(2_500_000).fill(7));
    await target.put('segments/two.seg', Uint8Array.from([0, 255, 10]));
    await source.delete('segments/two.seg');
    // Another user has since put files there, one of them in a folder of the installation.
    const theirs = ['backups/theirs', 'segments/theirs.seg'];
    for (const key of theirs) await target.put(key, Uint8Array.of(1));
    // The mark, the store record, and the transaction of the rows.
    await expectCut(5);
    const again = await move();
    expect([again.code, again.errors]).toEqual([0, expect.stringContaining('Copying the rows')]);
    const strange = [...theirs, 'segments/two.seg'];
    for (const key of strange) expect(again.errors).toContain(`The file ${key} is only in the new file store`);
    expect(again.output).toContain('2 files (2500000 bytes) are in place and verified by hash; 2 were there before.');
    const files = ['installation.json', 'segments/empty.seg', 'segments/one.seg', ...strange].sort();
    expect(await held(to)).toEqual({ ...before, files });
  }, 240_000);

  test('into a full disk, it leaves nothing that passes for whole, and the next try is', async (context) => {
    const disk = openSmallDisk(24);
    if (disk === undefined) return context.skip();
    const from = await oddInstallation();
    const to = configOf({ LECTERN_DATA: join(disk.folder, 'data') });
    for (const leftBytes of [0, 65_536, 1_500_000, 2_560_000]) {
      disk.fill(leftBytes);
      await expect(moveInstallation(from, to, quietly)).rejects.toThrow(/no space left|full/);
      const { code, output } = await cli(['modules', '--data', to.dataFolder]);
      expect([leftBytes, code, output]).toEqual([leftBytes, 1, '']);
    }
    disk.free();
    await moveInstallation(from, to, quietly);
    expect(await held(to)).toEqual(await held(from));
  }, 120_000);

  test('files on their way to another store are refused until all are there, and never mixed with others', async () => {
    const from = await oddInstallation();
    const before = await held(from);
    const s3 = await startS3();
    onTestFinished(() => s3.stop());
    const there = {
      ...{ LECTERN_DATA: from.dataFolder, BLOB_STORE: `s3://${s3.config.bucket}/moved` },
      ...{ S3_ENDPOINT: s3.config.endpoint ?? '', S3_ACCESS_KEY_ID: 'AKIDEXAMPLE', S3_SECRET_ACCESS_KEY: 'secret' },
    };
    const to = configOf(there);
    const file = join(temporaryFolder(), 'new.env');
    const lines = Object.entries(there).map(([name, value]) => `${name}=${value}\n`);
    await writeFile(file, lines.join(''));
    const move = (env: Variables = {}) => cli(['move', file, '--data', from.dataFolder], { env });
    const target = await openBlobs(to.blobs);
    // A foreign file under a name that the installation uses too.
    await target.put('segments/two.seg', Uint8Array.of(1));
    for (const _ of ['the first time', 'again']) {
      await expect(moveInstallation(from, to, quietly)).rejects.toThrow('already has other files (segments/two.seg)');
    }
    await target.delete('segments/two.seg');
    const cut = await move({ ENVIRONMENT: 'test', LECTERN_FAIL_POINT: '3' });
    expect([cut.code, cut.output]).toEqual([null, '']);
    for (const command of [['modules'], ['store', 'adopt']]) {
      const refused = await cli(command, { env: there });
      expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('did not finish')]);
    }
    const old = await cli(['modules', '--data', from.dataFolder]);
    expect(old.code).toBe(0);
    const onwards = configOf({ LECTERN_DATA: join(temporaryFolder(), 'onwards') });
    await expect(moveInstallation(to, onwards, quietly)).rejects.toThrow('cannot be moved');
    expect((await move()).code).toBe(0);
    expect((await held(to)).files).toEqual(before.files);
    expect((await cli(['modules'], { env: there })).code).toBe(0);
  }, 240_000);

  test('notices a file stored during the copy, and the next attempt is complete', async () => {
    const from = await oddInstallation();
    const to: Config = { ...from, blobs: { kind: 'folder', folder: join(temporaryFolder(), 'moved') } };
    const late = join(from.dataFolder, 'blobs', 'segments', 'late.seg');
    const moving = moveInstallation(from, to, (what) => {
      if (what.startsWith('Copying')) writeFileSync(late, 'late');
    });
    await expect(moving).rejects.toThrow('segments/late.seg was added to the old file store');
    await moveInstallation(from, to, quietly);
    expect((await held(to)).files).toEqual((await held(from)).files);
  });

  test('continues only with the store that it began to fill', async () => {
    const [from, to, other] = [await oddInstallation(), newFolder(), newFolder()];
    const stop = (what: string) => {
      if (what.startsWith('Copying the rows')) throw new Error('stopped');
    };
    await expect(moveInstallation(from, to, stop)).rejects.toThrow('stopped');
    const [source, copy] = [await openBlobs(from.blobs), await openBlobs(other.blobs)];
    const word = await source.open('installation.json');
    await copy.put('installation.json', word.read(0, word.byteLength));
    word.close();
    await copy.put('segments/strange.seg', Uint8Array.of(1));
    for (const _ of ['the first time', 'again']) {
      const moving = moveInstallation(from, { ...to, blobs: other.blobs }, quietly);
      await expect(moving).rejects.toThrow('already has other files (segments/strange.seg)');
    }
    await moveInstallation(from, to, quietly);
    expect(await held(to)).toEqual(await held(from));
  });

  test('refuses a database of an older version or another program without changing it', async () => {
    const from = await oddInstallation();
    for (const older of [true, false]) {
      const to = newFolder();
      await mkdir(to.dataFolder, { recursive: true });
      const database = connectDatabase(to.database);
      onTestFinished(() => database.close());
      if (older) await migrate(database, migrations.slice(0, 3));
      else await sql`create table parcels (id text primary key)`.execute(database.query);
      const before = await tablesOf(database);
      const why = older ? 'belongs to an older version' : 'is not empty (parcels)';
      for (const _ of ['the first time', 'again']) {
        await expect(moveInstallation(from, to, quietly)).rejects.toThrow(why);
      }
      expect(await tablesOf(database)).toEqual(before);
    }
  });
});

describe.skipIf(!hasPostgres())('moving an installation to and from PostgreSQL', { timeout: 60_000 }, () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres();
    await postgres.createDatabase('one');
    for (const name of ['two', 'three', 'four']) await postgres.createDatabase(name);
  }, 60_000);
  afterAll(() => postgres?.stop());

  test('keeps every value there and back, is refused while a server listens, and needs no database sequences', async () => {
    const first = await oddInstallation();
    const before = await held(first);
    // The folder stays: only the rows move.
    const there = configOf({ LECTERN_DATA: first.dataFolder, DATABASE_URL: postgres.url('one') });
    expect((await moveInstallation(first, there, quietly)).files).toBeUndefined();
    expect(await held(there)).toEqual(before);
    const bus = await postgresBus(postgres.url('one'), createLogger('silent'));
    const back = newFolder();
    await expect(moveInstallation(there, back, quietly)).rejects.toThrow('Stop every process');
    // The server ends while the move begins.
    await Promise.all([moveInstallation(there, back, quietly), delay(200).then(() => bus.close())]);
    expect(await held(back)).toEqual(before);
    const database = connectDatabase(there.database);
    onTestFinished(() => database.close());
    // No sequence could lag behind the copied rows.
    const counters = await sql`select 1 as one from pg_class where relkind = 'S'`.execute(database.query);
    expect(counters.rows).toEqual([]);
  });

  test('notices a server that starts while rows are copied, and the next attempt is complete', async () => {
    const from = await oddInstallation({ DATABASE_URL: postgres.url('three') });
    const to = configOf({ LECTERN_DATA: from.dataFolder, DATABASE_URL: postgres.url('four') });
    const target = await openDatabase(to.database);
    const { promise: isCopying, resolve } = Promise.withResolvers<void>();
    const tell = (what: string) => void (what.startsWith('Copying the rows') && resolve());
    let moving: Promise<unknown> | undefined;
    const bus = await target.transaction(async (tx) => {
      // No row can be inserted before this ends.
      await sql`lock table users in exclusive mode`.execute(tx);
      moving = expect(moveInstallation(from, to, tell)).rejects.toThrow('Stop every process');
      await isCopying;
      return postgresBus(postgres.url('three'), createLogger('silent'));
    });
    await moving;
    expect(await target.query.selectFrom('users').select('id').execute()).toEqual([]);
    await bus.close();
    await target.close();
    await moveInstallation(from, to, quietly);
    expect((await held(to)).rows).toEqual((await held(from)).rows);
  });

  test('leaves a database without rows after a failure, and the next attempt is complete', async () => {
    const from = await oddInstallation();
    const to = configOf({ LECTERN_DATA: from.dataFolder, DATABASE_URL: postgres.url('two') });
    const database = await openDatabase(to.database);
    await sql`alter table users add constraint small check (created_at < 5000)`.execute(database.query);
    await expect(moveInstallation(from, to, quietly)).rejects.toThrow(/refused a statement/);
    expect(await database.query.selectFrom('settings').select('name').execute()).toEqual([{ name: 'move-under-way' }]);
    await sql`alter table users drop constraint small`.execute(database.query);
    // A database that changes the values it is given.
    await sql`create function other() returns trigger language plpgsql as 'begin new.display_name = ''x''; return new; end'`.execute(
      database.query,
    );
    await sql`create trigger other before insert on users for each row execute function other()`.execute(
      database.query,
    );
    await expect(moveInstallation(from, to, quietly)).rejects.toThrow(
      'The copy of the table users is not what was read',
    );
    await sql`drop trigger other on users`.execute(database.query);
    await database.close();
    await moveInstallation(from, to, quietly);
    expect((await held(to)).rows).toEqual((await held(from)).rows);
  });
});
