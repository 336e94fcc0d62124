import { closeSync, existsSync, ftruncateSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CopyObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyEndpoints } from '#contract/keys.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { pdfSetEndpoints } from '#contract/pdf-sets.ts';
import { searchEndpoints } from '#contract/search.ts';
import { copySqliteFile } from '#server/platform/db/sqlite-file.ts';
import { cli, startCli } from '../cli/run-cli.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../services/postgres.ts';
import { type S3Service, startS3 } from '../services/s3.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { until } from '../services/until.ts';
import { openLives, start } from './lives.ts';

type Variables = Record<string, string>;
type Lives = Awaited<ReturnType<typeof openLives>>;

/** Makes the server index its source again, with other text, during a backup. */
async function refresh({ server, sender, site }: Lives): Promise<void> {
  site.pages.set('page0', `${site.pages.get('page0')} of another day`);
  const { modules } = await server.ask(libraryEndpoints.listModules, {}, sender);
  const own = modules.find(({ moduleId }) => moduleId === 'own');
  const again = { source: site.url, moduleId: own?.moduleId ?? '', visibility: 'private' } as const;
  const { job } = await server.ask(libraryEndpoints.startIndexJob, again, sender);
  await until('the run has ended', async () => {
    return (await server.ask(libraryEndpoints.getJob, { jobId: job.id }, sender)).job.endTime ?? undefined;
  });
}

/** Moves replaced segments to the trash, as the server does once no search reads them. */
async function clearReplaced({ server }: Lives): Promise<void> {
  const { features, operatorContext } = server.running.installation;
  const ctx = operatorContext();
  const job = features.indexing.scheduledJobs.find(({ name }) => name === 'delete replaced segments');
  const clock = { ...ctx.clock, now: () => ctx.clock.now() + 60 * 60_000 };
  await job?.run({ ...ctx, clock }, new AbortController().signal);
}

/** Requires that nothing is damaged and earlier searches return the same results. */
async function expectSameLife(lives: Lives, variables: Variables): Promise<void> {
  const env = { ...lives.environment, ...variables };
  const doctor = await cli(['doctor', '--deep', '--json'], { env });
  const { findings } = JSON.parse(doctor.output) as { findings: { state: string; what: string; detail: string }[] };
  expect(findings.filter(({ state }) => state === 'fail')).toEqual([]);
  const server = await start(variables['LECTERN_DATA'] ?? '', env);
  const answer = await server.ask(searchEndpoints.search, lives.search, lives.agent);
  expect(answer.text).toContain('DOCS-CANARY');
  const { keys } = await server.ask(keyEndpoints.listKeys, {}, lives.sender);
  const shown = keys.map(({ id }) => server.ask(keyEndpoints.revealKey, { keyId: id }, lives.sender));
  expect((await Promise.all(shown)).map(({ secret }) => secret)).toContain(lives.key);
  await server.running.close();
}

describe('an installation in one folder', () => {
  test('is backed up and restored while its server runs and indexes', async () => {
    const lives = await openLives();
    const file = join(temporaryFolder(), 'lectern.tar');
    const refreshed = refresh(lives);
    const backup = await cli(['backup', file, '--data', lives.dataFolder]);
    expect([backup.code, backup.errors]).toEqual([0, '']);
    await refreshed;
    const target = join(temporaryFolder(), 'restored');
    const restored = await cli(['restore', file, '--data', target]);
    expect([restored.code, restored.errors]).toEqual([0, '']);
    expect(restored.output).toContain('Start the server');
    await lives.server.running.close();
    await expectSameLife(lives, { LECTERN_DATA: target });
    const again = await cli(['backup', file, '--data', target]);
    expect([again.code, again.errors]).toEqual([
      1,
      `lectern: ${file} already exists. Name another file, or remove it first.\n`,
    ]);
  }, 180_000);

  test('leaves a complete archive or none if it is killed during a backup', async () => {
    const lives = await openLives();
    for (const ms of [300, 600, 900]) {
      const folder = temporaryFolder();
      const { child, ended } = startCli(['backup', join(folder, 'lectern.tar'), '--data', lives.dataFolder]);
      await new Promise((fulfil) => setTimeout(fulfil, ms));
      child.kill('SIGKILL');
      if ((await ended).code === 0) continue;
      const target = join(temporaryFolder(), 'restored');
      const { code, errors } = await cli(['restore', join(folder, 'lectern.tar'), '--data', target]);
      // It may have been killed between the finished archive and the last line of output.
      if (code !== 0) expect(errors).toContain('ENOENT');
    }
  }, 120_000);

  test('leaves a killed backup’s files until the next backup, which does not touch those of a running one', async () => {
    const lives = await openLives();
    const { dataFolder } = lives;
    await lives.server.running.close();
    const kept = openSync(join(dataFolder, 'blobs', 'large'), 'w');
    ftruncateSync(kept, 500_000_000);
    closeSync(kept);
    const target = temporaryFolder();
    const unfinished = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('.lectern-backup-'));
    const begin = async (folder: string) => {
      const before = unfinished(folder).length;
      const command = startCli(['backup', join(folder, 'lectern.tar'), '--data', dataFolder]);
      await until('it writes', () => unfinished(folder).length > before);
      command.child.kill('SIGSTOP');
      return command;
    };
    const other = temporaryFolder();
    const [killed, slow] = [await begin(target), await begin(other)];
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect([unfinished(target).length, unfinished(dataFolder).length]).toEqual([1, 2]);
    // To another folder, like one per day.
    const next = await cli(['backup', join(temporaryFolder(), 'lectern.tar'), '--data', dataFolder]);
    expect([next.code, next.errors]).toEqual([0, '']);
    expect([unfinished(target).length, unfinished(other).length, unfinished(dataFolder).length]).toEqual([0, 1, 1]);
    slow.child.kill('SIGCONT');
    expect(await slow.ended).toMatchObject({ code: 0, errors: '' });
    expect([unfinished(other), unfinished(dataFolder)]).toEqual([[], []]);
  }, 120_000);

  test('is restored by a second attempt wherever the first is killed, and never over a running one', async () => {
    const lives = await openLives();
    const file = join(temporaryFolder(), 'lectern.tar');
    expect(await cli(['backup', file, '--data', lives.dataFolder])).toMatchObject({ code: 0 });
    expect(await cli(['restore', file, '--data', lives.dataFolder])).toMatchObject({
      code: 1,
      errors: expect.stringContaining('is not empty'),
    });
    await lives.server.running.close();
    await expectSameLife(lives, { LECTERN_DATA: lives.dataFolder });
    let target = '';
    for (const sign of ['lock', '.restore', '.restore/blobs', 'secret', 'blobs', 'data.sqlite']) {
      target = join(temporaryFolder(), 'restored');
      const { child, ended } = startCli(['restore', file, '--data', target]);
      await until('it is so far, or over', () => existsSync(join(target, sign)) || child.exitCode !== null);
      child.kill('SIGKILL');
      await ended;
      if (existsSync(join(target, 'data.sqlite'))) continue;
      if (existsSync(join(target, '.restore'))) {
        // No new installation may be created where the old one will be restored.
        const { code, errors } = await cli(['link', '--data', target]);
        expect([code, errors]).toEqual([1, expect.stringContaining('lectern restore')]);
      }
      expect(await cli(['restore', file, '--data', target])).toMatchObject({ code: 0, errors: '' });
    }
    await expectSameLife(lives, { LECTERN_DATA: target });
  }, 180_000);
});

describe.skipIf(!hasPostgres())('an installation on PostgreSQL and S3', () => {
  let postgres: PostgresServer;
  let s3: S3Service;
  beforeAll(async () => {
    [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
  }, 60_000);
  afterAll(async () => {
    await Promise.all([postgres?.stop(), s3?.stop()]);
  });

  test('starts in a data folder with an interrupted restore into another database', async () => {
    await postgres.createDatabase('beside');
    const data = temporaryFolder();
    mkdirSync(join(data, '.restore'));
    const { code, errors } = await cli(['mcp', '--data', data], { env: services('beside', 'beside') });
    expect([code, errors]).toEqual([0, '']);
  });

  function services(database: string, prefix: string): Variables {
    return {
      DATABASE_URL: postgres.url(database),
      BLOB_STORE: `s3://${s3.config.bucket}/${prefix}`,
      S3_ENDPOINT: s3.config.endpoint ?? '',
      S3_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      S3_SECRET_ACCESS_KEY: 'S3-CANARY',
      LECTERN_SECRET: 'ab'.repeat(32),
    };
  }

  /**
   * Copies like `aws s3 sync` without --delete: skips objects deleted after they were listed, and returns their number.
   */
  async function sync(from: string, to: string, onceListed = async () => undefined as void): Promise<number> {
    const { endpoint, region, credentials, bucket } = s3.config;
    const client = new S3Client({
      ...{ region, forcePathStyle: true },
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(credentials === undefined ? {} : { credentials }),
    });
    const listed = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: `${from}/` }));
    await onceListed();
    let missed = 0;
    for (const { Key = '' } of listed.Contents ?? []) {
      const copy = { Bucket: bucket, Key: `${to}${Key.slice(from.length)}`, CopySource: `${bucket}/${Key}` };
      await client.send(new CopyObjectCommand(copy)).catch((error: unknown) => {
        if ((error as Error).name !== 'NoSuchKey') throw error;
        missed += 1;
      });
    }
    client.destroy();
    return missed;
  }

  test('is backed up with the manual’s commands while its server runs and indexes', async () => {
    await postgres.createDatabase('backed_up');
    const lives = await openLives(services('backed_up', 'live'));
    const dump = join(temporaryFolder(), 'lectern.dump');
    await sync('live', 'backup');
    // Files are replaced between the first copy and the dump, and during the second copy.
    await refresh(lives);
    await postgres.program('pg_dump', ['--format=custom', `--file=${dump}`, postgres.url('backed_up')]);
    const replaced = () => refresh(lives).then(() => clearReplaced(lives));
    expect(await sync('live', 'backup', replaced)).toBeGreaterThan(0);
    // By now a segment named in the dump's rows is in the trash.
    await until('nothing is missed', async () => ((await sync('live', 'backup')) === 0 ? true : undefined));
    await lives.server.running.close();
    expect(readFileSync(dump).byteLength).toBeGreaterThan(10_000);
    await postgres.createDatabase('restored');
    await postgres.program('pg_restore', ['--no-owner', `--dbname=${postgres.url('restored')}`, dump]);
    await sync('backup', 'restored');
    const dataFolder = join(temporaryFolder(), 'data');
    const variables = { ...services('restored', 'restored'), LECTERN_DATA: dataFolder };
    // Files replaced meanwhile are restored from the trash.
    expect(await cli(['store', 'adopt'], { env: variables })).toMatchObject({ code: 0 });
    await expectSameLife(lives, variables);
  }, 240_000);

  test.each(['sqlite', 'postgres'])(
    'deletes files from only one of two servers, if each has a copy of one %s database',
    async (kind) => {
      const shared = services(`first_${kind}`, `shared-${kind}`);
      const { DATABASE_URL: _, ...onSqlite } = shared;
      if (kind === 'postgres') await postgres.createDatabase(`first_${kind}`);
      const lives = await openLives(kind === 'postgres' ? shared : onSqlite);
      const dataFolder = join(temporaryFolder(), 'copy');
      const env: Variables = { ...lives.environment, LECTERN_DATA: dataFolder };
      if (kind === 'postgres') {
        const dump = join(temporaryFolder(), 'lectern.dump');
        await postgres.program('pg_dump', ['--format=custom', `--file=${dump}`, postgres.url(`first_${kind}`)]);
        await postgres.createDatabase('copied');
        await postgres.program('pg_restore', ['--no-owner', `--dbname=${postgres.url('copied')}`, dump]);
        env['DATABASE_URL'] = postgres.url('copied');
      } else {
        mkdirSync(dataFolder);
        await copySqliteFile(join(lives.dataFolder, 'data.sqlite'), join(dataFolder, 'data.sqlite'));
      }
      const copy = await start(dataFolder, env);
      const { sets } = await copy.ask(pdfSetEndpoints.listPdfSets, {}, lives.sender);
      const { blobs } = lives.server.running.installation;
      const files = await blobs.list('pdfs/');
      expect(files).not.toEqual([]);
      await copy.ask(pdfSetEndpoints.removePdfSet, { setId: sets[0]?.setId ?? '' }, lives.sender);
      expect(await copy.ask(pdfSetEndpoints.listPdfSets, {}, lives.sender)).toMatchObject({ sets: [] });
      expect(await blobs.list('pdfs/')).toEqual(files);
      const refused = { code: 1, errors: expect.stringMatching(/Nothing is deleted|lectern store adopt/) };
      expect(await cli(['store', 'sweep', '--yes'], { env })).toMatchObject(refused);
      // As the scheduled job does every minute.
      await lives.server.running.installation.storeClaim.take();
      const { storeClaim } = copy.running.installation;
      expect([await lives.server.running.installation.storeClaim.standing(), await storeClaim.standing()]).toEqual([
        'own',
        'other',
      ]);
      const doctor = await cli(['doctor'], { env });
      expect([doctor.code, doctor.output]).toEqual([
        1,
        expect.stringMatching(/fail +file store: .*lectern store adopt/),
      ]);
      await Promise.all([lives.server.running.close(), copy.running.close()]);
      // Removed files are deleted once the operator has confirmed the installation.
      expect(await cli(['store', 'adopt'], { env })).toMatchObject({ code: 0 });
      const adopted = await start(dataFolder, env);
      await until('the files are deleted', async () => ((await blobs.list('pdfs/')).length === 0 ? true : undefined));
      await adopted.running.close();
    },
    240_000,
  );
});
