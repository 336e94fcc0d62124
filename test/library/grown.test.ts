import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type JobRun, libraryEndpoints } from '#contract/library.ts';
import { searchEndpoints } from '#contract/search.ts';
import { openBlobs } from '#server/platform/blobs/index.ts';
import { openDatabase } from '#server/platform/db/open-database.ts';
import { cli } from '../cli/run-cli.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../services/postgres.ts';
import { type S3Service, startS3 } from '../services/s3.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { until } from '../services/until.ts';
import { startSampleSite } from './sample-site.ts';
import { newDataFolder, type ServerProcess, startServerProcess } from './server-process.ts';

const waitMs = 60_000;

describe.skipIf(!hasPostgres())('an installation on PostgreSQL and S3', () => {
  let postgres: PostgresServer;
  let s3: S3Service;

  beforeAll(async () => {
    [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
    await postgres.createDatabase('grown');
  });

  afterAll(async () => {
    await Promise.all([postgres?.stop(), s3?.stop()]);
  });

  /** The operator's settings: nothing else tells the program where its rows and its index are. */
  function environment(): Record<string, string> {
    const { bucket, prefix, region, endpoint, credentials } = s3.config;
    return {
      DATABASE_URL: postgres.url('grown'),
      BLOB_STORE: `s3://${bucket}/${prefix}`,
      S3_ENDPOINT: endpoint ?? '',
      S3_REGION: region,
      S3_ACCESS_KEY_ID: credentials?.accessKeyId ?? '',
      S3_SECRET_ACCESS_KEY: credentials?.secretAccessKey ?? '',
      LECTERN_SECRET: 'ab'.repeat(32),
    };
  }

  const openRows = () => openDatabase({ kind: 'postgres', url: postgres.url('grown') });

  /** Simulates that the killed process's lease on its run has expired. */
  async function endLeases(): Promise<void> {
    const db = await openRows();
    await db.query.updateTable('jobRuns').set({ leaseUntil: 0 }).where('leaseOwner', 'is not', null).execute();
    await db.close();
  }

  function untilEnded(server: ServerProcess, { id }: JobRun): Promise<JobRun> {
    const ended = async () => {
      const { job } = await server.call(libraryEndpoints.getJob, { jobId: id });
      return job.endTime === null ? undefined : job;
    };
    return until('the run has ended', ended, waitMs);
  }

  test('is indexed, searched, killed, started again on another machine and deleted', async () => {
    const site = await startSampleSite(40);
    onTestFinished(() => site.close());
    const start = (dataFolder: string) => startServerProcess(dataFolder, site.host, environment());
    const index = async (server: ServerProcess) =>
      (await server.call(libraryEndpoints.startIndexJob, { source: site.url, moduleId: 'sample' })).job;
    const search = async (server: ServerProcess, query: string) =>
      (await server.call(searchEndpoints.search, { query, module: 'sample' })).text;

    const dataFolder = newDataFolder();
    let server = await start(dataFolder);
    expect(await untilEnded(server, await index(server))).toMatchObject({
      status: 'COMPLETE',
      fetched: 41,
      error: null,
    });
    expect(await search(server, 'chapter page7')).toContain('Original text 7.');
    const blobs = await openBlobs({ ...s3.config, cacheFolder: temporaryFolder() });
    expect((await blobs.list('')).filter((key) => key.endsWith('.seg'))).toHaveLength(1);

    for (const name of site.pages.keys()) site.pages.set(name, `New text of ${name}`);
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    let isReached = false;
    site.onRequest = (name) => {
      isReached ||= name === 'page30';
      return isReached ? held : undefined;
    };
    const refresh = await index(server);
    await until('the refresh is in the middle', () => isReached, waitMs);
    await server.kill();
    site.onRequest = undefined;
    letGo();
    await endLeases();

    // The data folder is not needed: rows and index are elsewhere.
    const elsewhere = newDataFolder();
    server = await start(elsewhere);
    expect(await search(server, 'chapter page39')).toMatch(/Original text 39|New text of page39/);
    expect(await untilEnded(server, refresh)).toMatchObject({ status: 'COMPLETE', error: null });
    expect(await search(server, 'chapter page39')).toContain('New text of page39.');
    const doctor = await cli(['doctor', '--data', elsewhere], { env: environment() });
    expect(doctor.output).toMatch(/^ok\s+database: PostgreSQL/m);
    expect(doctor.output).toMatch(/^ok\s+module sample: 41 pages/m);

    await server.call(libraryEndpoints.removeModule, { moduleId: 'sample' });
    expect(await server.call(libraryEndpoints.listModules, {})).toEqual({ modules: [] });
    await expect(search(server, 'chapter page39')).rejects.toThrow('module-unknown');
    await server.kill();
    const db = await openRows();
    expect(await db.query.selectFrom('modules').selectAll().execute()).toEqual([]);
    await db.close();
  }, 180_000);
});
