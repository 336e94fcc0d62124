import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { insertSegment } from '#server/features/catalog/module-store.ts';
import { type ArchivedFile, writeArchive } from '#server/platform/archive/write-archive.ts';
import { deleteGivenUp, giveUpBlobs } from '#server/platform/blobs/blob-deletions.ts';
import { openBlobs } from '#server/platform/blobs/index.ts';
import { moveToTrash } from '#server/platform/blobs/trash.ts';
import { systemClock } from '#server/platform/clock.ts';
import { type Config, loadConfig } from '#server/platform/config/config.ts';
import { loadOrCreateSecret } from '#server/platform/data-folder.ts';
import { acquireDataFolderLock } from '#server/platform/data-folder-lock.ts';
import { openDatabase } from '#server/platform/db/open-database.ts';
import { createClaim, storeClaimable } from '#server/platform/store-claim.ts';
import { silentLog } from '#test/services/log.ts';
import { moduleRow } from '#test/services/rows.ts';
import { openSmallDisk } from '#test/services/small-disk.ts';
import { temporaryFolder } from '#test/services/temporary-folder.ts';
import { backupInstallation } from './backup-installation.ts';
import { moveInstallation } from './move-installation.ts';
import { restoreInstallation } from './restore-installation.ts';
import { listNamedKeys, settleStore } from './settle-store.ts';

const now = Date.now();

function configOf(dataFolder: string, variables: Record<string, string> = {}): Config {
  return loadConfig({ LECTERN_DATA: dataFolder, ...variables }).config;
}

async function openParts(dataFolder: string) {
  const db = await openDatabase(configOf(dataFolder).database);
  const blobs = await openBlobs({ kind: 'folder', folder: join(dataFolder, 'blobs') });
  const ctx = { db, clock: systemClock, log: silentLog };
  return { db, blobs, ctx, claim: createClaim(ctx, storeClaimable(blobs, configOf(dataFolder).blobs)) };
}

/** Creates a data folder like a server's: claimed, with a secret, erasures and files referenced by rows. */
async function installation({ segments = 20, dataFolder = temporaryFolder() } = {}) {
  const parts = await openParts(dataFolder);
  await loadOrCreateSecret(dataFolder);
  writeFileSync(join(dataFolder, 'erasures.jsonl'), '{"userId":"gone","at":1}\n');
  await settleStore(parts.ctx, parts);
  await parts.db.query
    .insertInto('modules')
    .values(moduleRow({ id: 'kept', segments: '[]' }))
    .execute();
  for (let number = 0; number < segments; number += 1) await addSegment(parts, number);
  return { ...parts, dataFolder };
}

async function addSegment({ db, blobs }: Awaited<ReturnType<typeof openParts>>, number: number) {
  const blobKey = `segments/kept/${number}.seg`;
  await blobs.put(blobKey, Buffer.from(`content of ${number}`));
  await insertSegment(db.query, { id: `s${number}`, moduleId: 'kept', blobKey, createdAt: 0 });
}

async function expectWhole(dataFolder: string): Promise<string[]> {
  const { db, blobs, ctx, claim } = await openParts(dataFolder);
  try {
    // Restored elsewhere with its own files, it is not a copy that could do harm.
    expect(await claim.standing()).toBe('own');
    const named = (await listNamedKeys(ctx)).filter((key) => key.startsWith('segments/'));
    for (const key of named) {
      const blob = await blobs.open(key);
      const [number] = /\d+/.exec(key) ?? [];
      expect(Buffer.from(blob.read(0, blob.byteLength)).toString()).toBe(`content of ${number}`);
      blob.close();
    }
    return named;
  } finally {
    await db.close();
  }
}

describe('a backup', () => {
  test('contains rows, files, the secret and the erasures, and restores an installation that its store accepts', async () => {
    const { db, blobs, claim, dataFolder } = await installation();
    await blobs.put('trash/2026-01-01/segments/kept/x.seg', Buffer.from('trash'));
    // Meanwhile the server holds its data folder and marks its store.
    const lock = await acquireDataFolderLock(dataFolder, { purpose: 'the server' });
    const file = join(temporaryFolder(), 'made.tar');
    await claim.take();
    const backup = await backupInstallation(configOf(dataFolder), file, now);
    await claim.take();
    expect(backup).toMatchObject({ missing: [], hasSecret: true });
    expect(readdirSync(dataFolder).filter((name) => name.startsWith('.'))).toEqual([]);
    const target = join(temporaryFolder(), 'new', 'data');
    const restored = await restoreInstallation(configOf(target), file);
    expect(restored).toMatchObject({ files: backup.files, createdAt: now, missing: [] });
    for (const name of ['secret', 'erasures.jsonl']) {
      expect(readFileSync(join(target, name))).toEqual(readFileSync(join(dataFolder, name)));
    }
    expect(readdirSync(target)).not.toContain('.restore');
    expect(existsSync(join(target, 'blobs', 'trash'))).toBe(false);
    expect(await expectWhole(target)).toHaveLength(20);
    await lock.release();
    await db.close();
  });

  test('does not report an inaccessible installation as missing, and neither does a move', async () => {
    const dataFolder = temporaryFolder();
    symlinkSync('data.sqlite', join(dataFolder, 'data.sqlite'));
    const [from, to] = [configOf(dataFolder), configOf(join(temporaryFolder(), 'new'))];
    for (const attempt of [
      () => backupInstallation(from, join(temporaryFolder(), 'made.tar'), now),
      () => moveInstallation(from, to, () => {}),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'ELOOP' });
    }
  });

  test('can be made from a full disk, with or without an open database', async (context) => {
    const disk = openSmallDisk(24);
    if (disk === undefined) return context.skip();
    const { db, dataFolder } = await installation({ dataFolder: disk.folder });
    disk.fill();
    for (const name of ['open.tar', 'closed.tar']) {
      const file = join(temporaryFolder(), name);
      expect(await backupInstallation(configOf(dataFolder), file, now)).toMatchObject({ missing: [] });
      expect(readdirSync(dirname(file))).toEqual([name]);
      const target = join(temporaryFolder(), 'new');
      await restoreInstallation(configOf(target), file);
      expect(await expectWhole(target)).toHaveLength(20);
      await db.close();
      disk.fill();
    }
    const within = join(disk.folder, 'within.tar');
    await expect(backupInstallation(configOf(dataFolder), within, now)).rejects.toThrow(/no space left|ENOSPC|full/);
    expect(readdirSync(dataFolder).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('can be made from a disk that has become read-only', async (context) => {
    const disk = openSmallDisk(24);
    if (disk === undefined) return context.skip();
    const { db, dataFolder } = await installation({ dataFolder: disk.folder });
    await db.close();
    mkdirSync(join(dataFolder, '.lectern-backup-00000000-0000-4000-8000-000000000000'));
    utimesSync(join(dataFolder, '.lectern-backup-00000000-0000-4000-8000-000000000000'), 0, 0);
    execFileSync('mount', ['-o', 'remount,ro', disk.folder]);
    const file = join(temporaryFolder(), 'made.tar');
    expect(await backupInstallation(configOf(dataFolder), file, now)).toMatchObject({ missing: [] });
    expect(readdirSync(dirname(file))).toEqual(['made.tar']);
    const target = join(temporaryFolder(), 'new');
    await restoreInstallation(configOf(target), file);
    expect(await expectWhole(target)).toHaveLength(20);
  });

  test('is consistent while files are replaced and deleted', async () => {
    const parts = await installation();
    const { db, blobs, dataFolder } = parts;
    let isOver = false;
    const writing = (async () => {
      for (let number = 100; !isOver; number += 1) {
        await addSegment(parts, number);
        await db.transaction(async (tx) => {
          await tx
            .deleteFrom('segments')
            .where('id', '=', `s${number - 10}`)
            .execute();
          if (number % 2 === 0) await giveUpBlobs(tx, [`segments/kept/${number - 10}.seg`], now);
        });
        const log = silentLog;
        if (number % 2 === 0) await deleteGivenUp({ db, blobs, log });
        else await moveToTrash({ blobs, log }, `segments/kept/${number - 10}.seg`, { now, reason: 'replaced' });
        await delay(1);
      }
    })();
    const counts: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const file = join(temporaryFolder(), 'made.tar');
      const target = join(temporaryFolder(), 'data');
      expect((await backupInstallation(configOf(dataFolder), file, now)).missing).toEqual([]);
      await restoreInstallation(configOf(target), file);
      const named = await expectWhole(target);
      counts.push(named.length);
      expect(readdirSync(join(target, 'blobs', 'segments', 'kept')).length).toBeLessThan(named.length + 5);
    }
    isOver = true;
    await writing;
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(20);
    await db.close();
  }, 60_000);

  test('removes leftovers of a killed backup from the data folder and next to its archive after a day', async () => {
    const { db, dataFolder } = await installation({ segments: 1 });
    await db.close();
    const folder = temporaryFolder();
    const left = (place: string, number: number) =>
      join(place, `.lectern-backup-00000000-0000-4000-8000-00000000000${number}`);
    const ofUser = '.backup-of-mine';
    for (const place of [dataFolder, folder]) {
      mkdirSync(join(place, ofUser));
      for (const number of [0, 1]) writeFileSync(left(place, number), 'a part');
      for (const path of [join(place, ofUser), left(place, 0)]) utimesSync(path, 0, 0);
    }
    await backupInstallation(configOf(dataFolder), join(folder, 'made.tar'), now);
    for (const place of [dataFolder, folder]) {
      expect(readdirSync(place).filter((name) => name.startsWith('.'))).toEqual([ofUser, basename(left(place, 1))]);
    }
  });

  test('is restored including rows with damaged JSON', async () => {
    const { db, dataFolder } = await installation({ segments: 1 });
    await db.query.updateTable('modules').set({ source: '{"kind":"fol' }).execute();
    await db.close();
    const file = join(temporaryFolder(), 'made.tar');
    await backupInstallation(configOf(dataFolder), file, now);
    const target = join(temporaryFolder(), 'data');
    await restoreInstallation(configOf(target), file);
    await expectWhole(target);
  });

  test('continues despite missing files and names them', async () => {
    const { db, blobs, dataFolder } = await installation({ segments: 3 });
    await blobs.delete('segments/kept/1.seg');
    const file = join(temporaryFolder(), 'made.tar');
    expect((await backupInstallation(configOf(dataFolder), file, now)).missing).toEqual(['segments/kept/1.seg']);
    expect((await restoreInstallation(configOf(join(temporaryFolder(), 'data')), file)).missing).toEqual([
      'segments/kept/1.seg',
    ]);
    await db.close();
  });

  test('is refused without a data folder, with external rows or files, and over an existing file', async () => {
    const nowhere = join(temporaryFolder(), 'nowhere');
    const file = join(temporaryFolder(), 'made.tar');
    await expect(backupInstallation(configOf(nowhere), file, now)).rejects.toThrow(/nothing to back up/);
    expect(existsSync(nowhere)).toBe(false);
    const elsewhere = configOf(nowhere, { DATABASE_URL: 'postgres://127.0.0.1:1/x', LECTERN_SECRET: 'ab'.repeat(32) });
    await expect(backupInstallation(elsewhere, file, now)).rejects.toThrow(/DATABASE_URL or BLOB_STORE/);
    await expect(restoreInstallation(elsewhere, file)).rejects.toThrow(/DATABASE_URL and BLOB_STORE/);
    const { db, dataFolder } = await installation({ segments: 1 });
    writeFileSync(file, 'older');
    await expect(backupInstallation(configOf(dataFolder), file, now)).rejects.toThrow(/already exists/);
    expect(readFileSync(file, 'utf8')).toBe('older');
    expect(readdirSync(dataFolder).filter((name) => name.startsWith('.'))).toEqual([]);
    await db.close();
  });
});

describe('a restore', () => {
  test('writes nothing if the archive is damaged, truncated or something else', async () => {
    const { db, dataFolder } = await installation({ segments: 2 });
    const folder = temporaryFolder();
    const file = join(folder, 'made.tar');
    await backupInstallation(configOf(dataFolder), file, now);
    await db.close();
    const whole = readFileSync(file);
    const target = join(temporaryFolder(), 'data');
    const damagedAt = async (bytes: Buffer, message: RegExp) => {
      writeFileSync(join(folder, 'other.tar'), bytes);
      await expect(restoreInstallation(configOf(target), join(folder, 'other.tar'))).rejects.toThrow(message);
      expect(existsSync(target)).toBe(false);
    };
    for (const text of ['content of 1', 'SQLite format 3', '"files":']) {
      const bytes = Buffer.from(whole);
      const at = bytes.lastIndexOf(text);
      expect(at).toBeGreaterThan(0);
      bytes[at + 2] = (bytes[at + 2] ?? 0) ^ 1;
      await damagedAt(bytes, /is damaged|not a backup/);
    }
    await damagedAt(whole.subarray(0, whole.length - 1_024), /cut off/);
    await damagedAt(whole.subarray(0, 20_000), /cut off/);
    await damagedAt(Buffer.from('PK\u0003\u0004'.padEnd(2_000, 'x')), /not a backup/);
    await damagedAt(Buffer.alloc(0), /cut off/);
    await expect(restoreInstallation(configOf(target), join(folder, 'none.tar'))).rejects.toThrow(/ENOENT/);
  });

  test('refuses a folder that is not empty, except one left by an interrupted restore', async () => {
    const { db, dataFolder } = await installation({ segments: 2 });
    const file = join(temporaryFolder(), 'made.tar');
    await backupInstallation(configOf(dataFolder), file, now);
    await db.close();
    await expect(restoreInstallation(configOf(dataFolder), file)).rejects.toThrow(/is not empty/);
    const target = temporaryFolder();
    for (const name of ['.restore', '.write-test', `lock.json.${randomUUID()}.tmp`]) {
      copyFileSync(file, join(target, name));
    }
    await restoreInstallation(configOf(target), file);
    await expectWhole(target);
    // Interrupted right before the rows get their final name.
    mkdirSync(join(target, '.restore'));
    await expect(restoreInstallation(configOf(target), file)).rejects.toThrow(/is not empty/);
    rmSync(join(target, 'data.sqlite'));
    await restoreInstallation(configOf(target), file);
    await expectWhole(target);
  });

  test('leaves an empty folder if the disk is full and can be run again', async (context) => {
    const disk = openSmallDisk(24);
    if (disk === undefined) return context.skip();
    const { db, dataFolder } = await installation();
    const file = join(temporaryFolder(), 'made.tar');
    await backupInstallation(configOf(dataFolder), file, now);
    await db.close();
    const target = join(disk.folder, 'data');
    for (const leftBytes of [0, 65_536, 400_000]) {
      disk.fill(leftBytes);
      const restoring = restoreInstallation(configOf(target), file);
      await expect(restoring).rejects.toThrow(/no space left|is full/);
      expect((existsSync(target) ? readdirSync(target) : []).filter((name) => name !== 'lock')).toEqual([]);
    }
    disk.free();
    await restoreInstallation(configOf(target), file);
    expect(await expectWhole(target)).toHaveLength(20);
  });

  test('refuses an archive of a newer version and one with a file outside of the folder', async () => {
    const { db, dataFolder } = await installation({ segments: 2 });
    await sql`insert into schema_migrations (name, checksum, applied_at) values ('9999-later', 'x', 1)`.execute(
      db.query,
    );
    await db.close();
    const folder = temporaryFolder();
    const target = join(folder, 'data');
    const refusal = async (names: string[], format: number): Promise<unknown> => {
      const file = join(temporaryFolder(), 'strange.tar');
      await writeArchive({ file, temporary: `${file}.unfinished` }, now, async (archive) => {
        const files: ArchivedFile[] = [];
        for (const name of names) files.push(await archive.add(name, join(dataFolder, name.replace(/.*\//, ''))));
        const manifest = { format, version: '9', createdAt: now, missing: [], files };
        await archive.addText('backup.json', JSON.stringify(manifest));
      });
      return restoreInstallation(configOf(target), file).catch((error: Error) => error.message);
    };
    const rows = ['data.sqlite', 'secret'];
    expect(await refusal(rows, 2)).toContain('a newer version');
    for (const name of ['../secret', 'blobs/../../secret', 'blobs/./secret', '/tmp/secret', 'blobs//secret', ...rows]) {
      expect([name, await refusal([...rows, name], 1)]).toEqual([name, expect.stringContaining('is damaged')]);
    }
    expect(existsSync(target)).toBe(false);
    expect(await refusal(rows, 1)).toContain('A newer version of this program has changed the database');
    expect(readdirSync(folder)).toEqual([]);
    mkdirSync(target);
    expect(await refusal(rows, 1)).toContain('A newer version of this program has changed the database');
    expect(readdirSync(target)).toEqual(['lock']);
  });

  test('refuses a secret other than the one that stored secrets were encrypted with', async () => {
    const dataFolder = temporaryFolder();
    const { openInstallation } = await import('#server/main.ts');
    const { keyEndpoints } = await import('#contract/keys.ts');
    const secret = { LECTERN_SECRET: 'ab'.repeat(32) };
    const opened = await openInstallation(configOf(dataFolder, secret), { exclusive: { purpose: 'a test' } });
    await opened.call(keyEndpoints.createKey, { name: 'agent' });
    const file = join(temporaryFolder(), 'made.tar');
    expect(await backupInstallation(configOf(dataFolder, secret), file, now)).toMatchObject({ hasSecret: false });
    await opened.close();
    const target = join(temporaryFolder(), 'data');
    await expect(restoreInstallation(configOf(target), file)).rejects.toThrow(/had its secret in LECTERN_SECRET/);
    const other = configOf(target, { LECTERN_SECRET: 'cd'.repeat(32) });
    await expect(restoreInstallation(other, file)).rejects.toThrow(/not the one/);
    expect(existsSync(target)).toBe(false);
    await restoreInstallation(configOf(target, secret), file);
    await expectWhole(target);
  });

  test('restores an installation whose secret was lost and reports what cannot be opened', async () => {
    const dataFolder = temporaryFolder();
    const { openInstallation } = await import('#server/main.ts');
    const { keyEndpoints } = await import('#contract/keys.ts');
    for (const name of ['before', 'after']) {
      rmSync(join(dataFolder, 'secret'), { force: true });
      const opened = await openInstallation(configOf(dataFolder), {
        exclusive: { purpose: 'a test' },
        missingSecret: 'make',
      });
      await opened.call(keyEndpoints.createKey, { name });
      await opened.close();
    }
    const file = join(temporaryFolder(), 'made.tar');
    await backupInstallation(configOf(dataFolder), file, now);
    const target = join(temporaryFolder(), 'data');
    expect(await restoreInstallation(configOf(target), file)).toMatchObject({ unopened: ['1 API keys'] });
    await expectWhole(target);
  });
});
