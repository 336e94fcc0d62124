import { copyFileSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pdfSetEndpoints } from '#contract/pdf-sets.ts';
import { insertSegment } from '#server/features/catalog/module-store.ts';
import { addPdfPart } from '#server/features/pdf-sets/add-part.ts';
import { type Installation, openInstallation } from '#server/main.ts';
import { openBlobs } from '#server/platform/blobs/index.ts';
import { cli, startServer } from '../cli/run-cli.ts';
import { configOf } from '../http/http-rig.ts';
import { inPieces } from '../pdf-sets/pdf-rig.ts';
import { emptyDatabaseConfig, freshDatabaseConfig } from '../services/database.ts';
import { makePdf, textLines } from '../services/make-pdf.ts';
import { hasPostgres } from '../services/postgres.ts';
import { moduleRow } from '../services/rows.ts';
import { startS3 } from '../services/s3.ts';
import { fillSealed, sealedColumns } from '../services/sealed-rows.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { until } from '../services/until.ts';

const quiet = { LOG_LEVEL: 'warn' };

function someDocumentation(): string {
  const folder = join(temporaryFolder(), 'handbook');
  mkdirSync(folder);
  writeFileSync(join(folder, 'flange.md'), '# Flanges\n\nA flange is tightened with eight bolts.\n');
  return folder;
}

/** Creates a data folder with an index and no running server. */
async function indexedFolder(env: Record<string, string> = {}): Promise<string> {
  const data = join(temporaryFolder(), 'data');
  const indexed = await cli(['index', someDocumentation(), '--wait', '--data', data], { env: { ...quiet, ...env } });
  expect(indexed).toMatchObject({ code: 0 });
  return data;
}

/** Lists the stored files, except that of the status check, which a server that stops early has not written. */
async function contents(folder: string): Promise<string[]> {
  const keys = await (await openBlobs({ kind: 'folder', folder: join(folder, 'blobs') })).list('');
  return keys.filter((key) => !key.startsWith('status/'));
}

async function refusedStart(data: string, env: Record<string, string>): Promise<string> {
  const { code, errors } = await cli(['start', '--data', data, '--port', '0'], { env: { ...quiet, ...env } });
  expect(code).toBe(1);
  return errors;
}

test('a data folder without its database is refused and left unchanged until the store is adopted', async () => {
  const data = await indexedFolder();
  const before = await contents(data);
  expect(before.some((key) => key.startsWith('segments/'))).toBe(true);
  const copy = join(temporaryFolder(), 'copy');
  mkdirSync(copy);
  cpSync(join(data, 'blobs'), join(copy, 'blobs'), { recursive: true });
  expect(await refusedStart(copy, {})).toMatch(/belongs to installation .*lectern store adopt/);
  expect(await contents(copy)).toEqual(before);
  expect(await cli(['search', 'flange', '--data', copy], { env: quiet })).toMatchObject({ code: 1 });
  expect(await cli(['store', 'adopt', '--data', copy], { env: quiet })).toMatchObject({ code: 0 });
  const server = await startServer(copy, { env: quiet });
  server.child.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);
  expect(await contents(copy)).toEqual(before);
  const { output } = await cli(['store', 'sweep', '--data', copy], { env: quiet });
  // The files were stored today.
  expect(output).toMatch(/^\d+ files? that no row names|stored after this database/m);
  expect(await contents(copy)).toEqual(before);
});

test('after restoring a database backup the server starts and deletes no newer files', async () => {
  const data = await indexedFolder();
  const backup = join(temporaryFolder(), 'data.sqlite');
  // The backup lacks the store mark that a later server run writes.
  copyFileSync(join(data, 'data.sqlite'), backup);
  expect(
    await cli(['index', someDocumentation(), '--wait', '--name', 'later', '--data', data], { env: quiet }),
  ).toMatchObject({ code: 0 });
  const before = await contents(data);
  copyFileSync(backup, join(data, 'data.sqlite'));
  const server = await startServer(data, { env: quiet });
  server.child.kill('SIGTERM');
  const { output } = await server.ended;
  expect(output).toContain('lectern store adopt');
  expect(await contents(data)).toEqual(before);
});

test('a server whose database lost its store mark reports it and restores its rows’ files without a restart', async () => {
  const data = await indexedFolder();
  const installation = await openOn(data);
  const { base, blobs, features, operatorContext, storeClaim } = installation;
  const [key = ''] = await blobs.list('segments/');
  // Like a failover to a standby without the last minute, in which the segment was replaced.
  await blobs.move(key, `trash/${new Date().toISOString().slice(0, 10)}/${key}`);
  await base.db.query.deleteFrom('settings').where('name', 'like', 'store-mark:%').execute();
  await until('it is noticed', async () => !(await storeClaim.isOwn()));
  await runJobs(installation, 0);
  expect(await blobs.list('segments/')).toEqual([key]);
  const { checks } = await features.status.getStatus(operatorContext());
  expect(checks.find(({ part }) => part === 'files')).toMatchObject({ state: 'degraded' });
  await installation.close();
  expect(await cli(['doctor', '--data', data], { env: quiet })).toMatchObject({
    code: 1,
    output: expect.stringMatching(/fail +file store: .*lectern store adopt/),
  });
}, 60_000);

const dayMs = 24 * 60 * 60_000;

/** The database used with the files, and whether the program accepts it. */
const otherDatabases: Record<
  string,
  { from: 'nothing' | 'before' | 'elsewhere'; isTaken: boolean; isAdopted?: boolean; secret?: string }
> = {
  empty: { from: 'nothing', isTaken: false },
  'empty, adopted': { from: 'nothing', isTaken: true, isAdopted: true },
  "a stranger's": { from: 'elsewhere', isTaken: false },
  "a stranger's, adopted": { from: 'elsewhere', isTaken: true, isAdopted: true },
  older: { from: 'before', isTaken: true },
  'older, adopted': { from: 'before', isTaken: true, isAdopted: true },
  'older, with another secret': { from: 'before', isTaken: true, secret: 'ab'.repeat(32) },
};

test.each(Object.entries(otherDatabases))(
  'no cleanup deletes files of the data folder or stored secrets if the database is %s',
  async (_, { from, isTaken, isAdopted, secret }) => {
    const data = await indexedFolder();
    await storeMuch(data);
    const [rows, backup] = [join(data, 'data.sqlite'), join(temporaryFolder(), 'data.sqlite')];
    copyFileSync(rows, backup);
    await storeToday(data);
    leaveElsewhere(data);
    const before = filesIn(data);
    expect(new Set(before.map((file) => file.replace(/^blobs./, '').split('/')[0]))).toEqual(
      new Set([
        ...['crawls', 'installation.json', 'pdfs', 'runs', 'segments', 'status', 'trash', 'vectors'],
        ...['erasures.jsonl', 'error-reports.jsonl', 'git', 'outbox', 'secret'],
      ]),
    );
    rmSync(rows);
    if (from !== 'nothing') copyFileSync(from === 'before' ? backup : join(await indexedFolder(), 'data.sqlite'), rows);
    if (secret !== undefined) writeFileSync(join(data, 'secret'), secret);
    if (isAdopted) expect(await cli(['store', 'adopt', '--data', data], { env: quiet })).toMatchObject({ code: 0 });
    const opening = openOn(data);
    if (!isTaken) await expect(opening).rejects.toThrow('lectern store adopt');
    else {
      const installation = await opening;
      const sealed = await sealedColumns(installation.base.db);
      for (const later of [0, dayMs, 40 * dayMs]) await runJobs(installation, later);
      // A token that could not be revoked at its host is given up after 30 days.
      if (from === 'before') sealed.set('code_host_revocations.token_sealed', []);
      expect(await sealedColumns(installation.base.db)).toEqual(sealed);
      expect([...sealed.values()].flat().length).toBe(from === 'before' ? 8 : 0);
      await installation.close();
    }
    const after = new Set(filesIn(data));
    // The trash was filled by the store's former database and is emptied for its new one.
    const stays = (file: string) => isAdopted !== true || !/^blobs.(trash|status)/.test(file);
    expect(before.filter((file) => stays(file) && !after.has(file))).toEqual([]);
  },
  120_000,
);

/** Returns every file except the database and the lock files. */
function filesIn(data: string): string[] {
  return readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(data, join(entry.parentPath, entry.name)))
    .filter((file) => !/^(data\.sqlite|lock|server\.json)/.test(file));
}

/** Adds the files outside the file store: a user's repository, an email, the erasure record and error reports. */
function leaveElsewhere(data: string): void {
  for (const file of ['git/mirror/HEAD', 'outbox/mail.eml', 'erasures.jsonl', 'error-reports.jsonl']) {
    mkdirSync(dirname(join(data, file)), { recursive: true });
    writeFileSync(join(data, file), '');
  }
}

function openOn(data: string): Promise<Installation> {
  return openInstallation(configOf(data), { exclusive: { purpose: 'the server' }, isWorker: false });
}

/** Stores many files, so that one day's files are a small share, and one of each encrypted value. */
async function storeMuch(data: string): Promise<void> {
  const { base, blobs, sealingKeys, close } = await openOn(data);
  await fillSealed(base.db, sealingKeys);
  await base.db.query
    .insertInto('modules')
    .values(moduleRow({ id: 'much', segments: '[]' }))
    .execute();
  for (let number = 0; number < 80; number += 1) {
    const blobKey = `segments/much/${number}.seg`;
    await blobs.put(blobKey, Buffer.alloc(10_000));
    await insertSegment(base.db.query, { id: `much-${number}`, moduleId: 'much', blobKey, createdAt: 0 });
  }
  await close();
}

/** Stores files of users and runs: a second source, a PDF file, an unfinished upload, and a run's fetched pages. */
async function storeToday(data: string): Promise<void> {
  const again = ['index', someDocumentation(), '--wait', '--name', 'later', '--data', data];
  expect(await cli(again, { env: quiet })).toMatchObject({ code: 0 });
  const installation = await openOn(data);
  const [ctx, { base, blobs, call }] = [installation.operatorContext(), installation];
  const { set } = await call(pdfSetEndpoints.createPdfSet, { displayName: 'Manuals' });
  const bytes = makePdf({ pages: [textLines(['About the loom.'])] });
  for (const isWhole of [true, false]) {
    const about = { setId: set.setId, fileName: `${isWhole}.pdf`, sizeBytes: bytes.byteLength };
    const { upload } = await call(pdfSetEndpoints.startPdfUpload, about);
    const { uploadId } = upload;
    await addPdfPart(ctx, { uploadId, offset: 0 }, inPieces(bytes.subarray(0, isWhole ? bytes.byteLength : 300)), {
      blobs,
    });
    if (isWhole) await call(pdfSetEndpoints.completePdfUpload, { uploadId });
  }
  const [segment] = await base.db.query.selectFrom('segments').select('id').where('id', 'not like', 'much-%').execute();
  const unnamed = '6f1c9d1e-2b1f-4f43-8a3b-6a3e7f3f2d11';
  for (const key of [
    `runs/${unnamed}/00000000-aaaaaaaa.jsonl.zst`,
    ...[`vectors/${segment?.id}/model/0`, `vectors/${unnamed}/model/0`],
    ...[`trash/2026-01-01/segments/${unnamed}/0.seg`, 'status/0a1b2c3d-1'],
  ]) {
    await blobs.put(key, bytes);
  }
  await installation.close();
}

/** Runs all scheduled jobs once, with a clock this much later. */
async function runJobs({ features, operatorContext }: Installation, later: number): Promise<void> {
  const ctx = operatorContext();
  const clock = { ...ctx.clock, now: () => ctx.clock.now() + later };
  for (const { scheduledJobs } of Object.values(features)) {
    for (const job of scheduledJobs) await job.run({ ...ctx, clock }, new AbortController().signal);
  }
}

describe.skipIf(!hasPostgres())('on PostgreSQL and S3', () => {
  test('a bucket is refused with an empty or foreign database, and keeps every object', async () => {
    const s3 = await startS3();
    try {
      const env = environmentOf(s3.config, await emptyUrl());
      const data = await indexedFolder(env);
      const blobs = await openBlobs(s3.config);
      const before = await blobs.entries('');
      expect(before.length).toBeGreaterThan(1);
      expect(await refusedStart(data, { ...env, DATABASE_URL: await emptyUrl() })).toContain(
        'this database belongs to none',
      );
      const stranger = environmentOf({ ...s3.config, prefix: 'stranger' }, await emptyUrl());
      await indexedFolder(stranger);
      const refusal = await refusedStart(data, { ...env, DATABASE_URL: stranger.DATABASE_URL ?? '' });
      expect(refusal).toMatch(/to installation [\w-]+, but this database to installation/);
      expect(await blobs.entries('')).toEqual(before);
    } finally {
      await s3.stop();
    }
  });
});

async function emptyUrl(): Promise<string> {
  await freshDatabaseConfig('postgres');
  const config = await emptyDatabaseConfig('postgres');
  return config.kind === 'postgres' ? config.url : '';
}

function environmentOf(s3: Awaited<ReturnType<typeof startS3>>['config'], url: string): Record<string, string> {
  return {
    ...{ DATABASE_URL: url, BLOB_STORE: `s3://${s3.bucket}/${s3.prefix}`, LECTERN_SECRET: 'ab'.repeat(32) },
    ...{ S3_ENDPOINT: s3.endpoint ?? '', S3_REGION: s3.region },
    S3_ACCESS_KEY_ID: s3.credentials?.accessKeyId ?? '',
    S3_SECRET_ACCESS_KEY: s3.credentials?.secretAccessKey ?? '',
  };
}
