import { copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openBlobs } from '#server/platform/blobs/index.ts';
import { cli, startServer } from '../cli/run-cli.ts';
import { emptyDatabaseConfig, freshDatabaseConfig } from '../services/database.ts';
import { hasPostgres } from '../services/postgres.ts';
import { startS3 } from '../services/s3.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';

const quiet = { LOG_LEVEL: 'warn' };

function someDocumentation(): string {
  const folder = join(temporaryFolder(), 'handbook');
  mkdirSync(folder);
  writeFileSync(join(folder, 'flange.md'), '# Flanges\n\nA flange is tightened with eight bolts.\n');
  return folder;
}

/** A data folder with an index in it, at rest. */
async function indexedFolder(env: Record<string, string> = {}): Promise<string> {
  const data = join(temporaryFolder(), 'data');
  const indexed = await cli(['index', someDocumentation(), '--wait', '--data', data], { env: { ...quiet, ...env } });
  expect(indexed).toMatchObject({ code: 0 });
  return data;
}

async function contents(folder: string): Promise<string[]> {
  return (await openBlobs({ kind: 'folder', folder: join(folder, 'blobs') })).list('');
}

async function refusedStart(data: string, env: Record<string, string>): Promise<string> {
  const { code, errors } = await cli(['start', '--data', data, '--port', '0'], { env: { ...quiet, ...env } });
  expect(code).toBe(1);
  return errors;
}

test('a data folder whose database was lost is refused, and stays as it is until the store is adopted', async () => {
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
  // They were stored today.
  expect(output).toMatch(/^\d+ files? that no row names|stored after this database/m);
  expect(await contents(copy)).toEqual(before);
});

test('a database put back from a backup starts, and nothing that was stored since is deleted', async () => {
  const data = await indexedFolder();
  const backup = join(temporaryFolder(), 'data.sqlite');
  // A server that ran once more has marked the store since.
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
  // The file of a check stays, like every other.
  expect((await contents(data)).filter((key) => !key.startsWith('status/'))).toEqual(before);
});

describe.skipIf(!hasPostgres())('on PostgreSQL and S3', () => {
  test('a bucket is refused to an empty database and to that of a stranger, and keeps every object', async () => {
    const s3 = await startS3();
    try {
      const env = environmentOf(s3.config, await emptyUrl());
      const data = await indexedFolder(env);
      const blobs = await openBlobs(s3.config);
      const before = await blobs.entries('');
      expect(before.length).toBeGreaterThan(1);
      expect(await refusedStart(data, { ...env, DATABASE_URL: await emptyUrl() })).toContain('this database to none');
      const stranger = environmentOf({ ...s3.config, prefix: 'stranger' }, await emptyUrl());
      await indexedFolder(stranger);
      const refusal = await refusedStart(data, { ...env, DATABASE_URL: stranger.DATABASE_URL ?? '' });
      expect(refusal).toMatch(/to installation [\w-]+, and this database to installation/);
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
