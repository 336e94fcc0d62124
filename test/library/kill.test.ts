import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type JobRun, libraryEndpoints } from '#contract/library.ts';
import { searchEndpoints } from '#contract/search.ts';
import { openBlobs } from '#server/platform/blobs/index.ts';
import { openDatabase } from '#server/platform/db/open-database.ts';
import { cli } from '../cli/run-cli.ts';
import { until } from '../services/until.ts';
import { type SampleSite, startSampleSite } from './sample-site.ts';
import { newDataFolder, type ServerProcess, startServerProcess } from './server-process.ts';

const waitMs = 60_000;

async function openSite(pages: number): Promise<SampleSite> {
  const site = await startSampleSite(pages);
  onTestFinished(() => site.close());
  return site;
}

/** Makes the pages long enough that the index takes a while to build. */
function fillPages(site: SampleSite, word: string): void {
  for (const [at, name] of [...site.pages.keys()].entries()) {
    const sentences = Array.from({ length: 400 }, (_, line) => `${word} ${at} says ${line * at} about ${line % 97}`);
    site.pages.set(name, sentences.join('. '));
  }
}

async function startJob(server: ServerProcess, source: string): Promise<JobRun> {
  const { job } = await server.call(libraryEndpoints.startIndexJob, { source, moduleId: 'sample', maxPages: 500 });
  return job;
}

function untilJob(server: ServerProcess, jobId: string, is: (job: JobRun) => boolean): Promise<JobRun> {
  return until(
    'the run is as wanted',
    async () => {
      const { job } = await server.call(libraryEndpoints.getJob, { jobId });
      return is(job) ? job : undefined;
    },
    waitMs,
  );
}

async function readPage(server: ServerProcess, url: string): Promise<string> {
  return (await server.call(searchEndpoints.read, { url, budget: 6_000 })).text;
}

/** Extends the killed process's lease far into the future: only a start that knows it is alone resumes the run. */
async function holdLeaseForEver(dataFolder: string): Promise<void> {
  const db = await openDatabase({ kind: 'sqlite', file: join(dataFolder, 'data.sqlite') });
  await db.query
    .updateTable('jobRuns')
    .set({ leaseOwner: 'killed', leaseUntil: Date.UTC(2100, 0) })
    .execute();
  await db.close();
}

/**
 * Keys of the blobs that nothing in the database refers to; the server must not be running.
 */
async function orphansIn(dataFolder: string): Promise<string[]> {
  const db = await openDatabase({ kind: 'sqlite', file: join(dataFolder, 'data.sqlite') });
  const blobs = await openBlobs({ kind: 'folder', folder: join(dataFolder, 'blobs') });
  const known = (await db.query.selectFrom('segments').selectAll().execute()).map(({ blobKey }) => blobKey);
  const modules = (await db.query.selectFrom('modules').selectAll().execute()).map(({ id }) => `crawls/${id}.zst`);
  await db.close();
  const isOther = (key: string) => /^(status|trash)\/|^installation\.json$/.test(key);
  return (await blobs.list('')).filter((key) => !known.includes(key) && !modules.includes(key) && !isOther(key));
}

/** Returns the orphans that no sweep would ever find, after a server has started and stopped again. */
async function missedBySweeps(dataFolder: string): Promise<string[]> {
  const server = await startServerProcess(dataFolder, '127.0.0.1:9');
  await server.kill();
  const { removable, young } = await litterOf(dataFolder);
  const found = new Set([...removable, ...young]);
  return (await orphansIn(dataFolder)).filter((key) => !found.has(key));
}

async function litterOf(dataFolder: string, ...options: string[]): Promise<{ removable: string[]; young: string[] }> {
  const { output, errors, code } = await cli(['store', 'sweep', '--json', '--data', dataFolder, ...options]);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  return JSON.parse(output) as { removable: string[]; young: string[] };
}

test('a server killed during a crawl continues the run, and keeps serving the previous version', async () => {
  const site = await openSite(120);
  const dataFolder = newDataFolder();
  let server = await startServerProcess(dataFolder, site.host);
  const first = await startJob(server, site.url);
  await untilJob(server, first.id, ({ status }) => status === 'COMPLETE');

  for (const name of site.pages.keys()) site.pages.set(name, `New text of ${name}`);
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  let isReached = false;
  site.onRequest = (name) => {
    isReached ||= name === 'page90';
    return isReached ? held : undefined;
  };
  site.takeRequests();
  const refresh = await startJob(server, site.url);
  await until('the refresh is in the middle', () => isReached, waitMs);
  await until('its first pages are shown', async () =>
    (await readPage(server, `${site.url}page20.html`)).includes('New text'),
  );
  await server.kill();
  const askedBefore = site.takeRequests().length;
  site.onRequest = undefined;
  letGo();

  server = await startServerProcess(dataFolder, site.host);
  expect(await readPage(server, `${site.url}page20.html`)).toContain('New text of page20');
  expect(await readPage(server, `${site.url}page119.html`)).toMatch(/Original text 119|New text of page119/);
  const ended = await untilJob(server, refresh.id, ({ endTime }) => endTime !== null);
  expect(ended).toMatchObject({ status: 'COMPLETE', fetched: 120, unchanged: 1, error: null });
  expect(await readPage(server, `${site.url}page119.html`)).toContain('New text of page119');
  const askedAfter = site.takeRequests().map(({ name }) => name);
  expect(askedBefore).toBeGreaterThan(90);
  // Only pages that were not stored yet are requested again.
  expect(askedAfter.length).toBeLessThanOrEqual(121 - 48);
  expect(askedAfter).not.toContain('page20');
  await server.kill();
  expect(await missedBySweeps(dataFolder)).toEqual([]);
}, 180_000);

test('a server killed during a build finishes the index after the next start without the site', async () => {
  const site = await openSite(150);
  fillPages(site, 'old');
  const dataFolder = newDataFolder();
  let server = await startServerProcess(dataFolder, site.host);
  const first = await startJob(server, site.url);
  await untilJob(server, first.id, ({ status }) => status !== 'QUEUED' && status !== 'CRAWLING');
  await server.kill();
  await holdLeaseForEver(dataFolder);
  const { url } = site;
  site.takeRequests();

  server = await startServerProcess(dataFolder, site.host);
  const ended = await untilJob(server, first.id, ({ endTime }) => endTime !== null);
  expect(ended).toMatchObject({ status: 'COMPLETE', error: null });
  expect(site.takeRequests()).toEqual([]);
  expect(await readPage(server, `${url}page149.html`)).toContain('old 149 says');
  const { modules } = await server.call(libraryEndpoints.listModules, {});
  expect(modules).toMatchObject([{ moduleId: 'sample', pageCount: 151 }]);
  await server.kill();
  expect(await missedBySweeps(dataFolder)).toEqual([]);
}, 180_000);

test('unreferenced files of a killed process stay for a day and then move to the trash', async () => {
  const site = await openSite(3);
  const dataFolder = newDataFolder();
  const server = await startServerProcess(dataFolder, site.host);
  const first = await startJob(server, site.url);
  await untilJob(server, first.id, ({ status }) => status === 'COMPLETE');
  await server.kill();
  const blobs = await openBlobs({ kind: 'folder', folder: join(dataFolder, 'blobs') });
  const orphans = ['segments/gone/one.seg', 'crawls/gone.zst', 'runs/gone/00000000-aa.jsonl.zst'];
  for (const key of orphans) await blobs.put(key, Buffer.from('left behind'));
  // The kill itself may have left more files.
  expect(await orphansIn(dataFolder)).toEqual(expect.arrayContaining(orphans));
  expect(await missedBySweeps(dataFolder)).toEqual([]);
  expect(await litterOf(dataFolder, '--yes')).toMatchObject({ removable: [] });
  expect(await orphansIn(dataFolder)).toEqual(expect.arrayContaining(orphans));
  const before = new Date(Date.now() - 25 * 3_600_000);
  for (const key of orphans) utimesSync(join(dataFolder, 'blobs', key), before, before);
  expect((await litterOf(dataFolder)).removable.sort()).toEqual([...orphans].sort());
  expect(await orphansIn(dataFolder)).toEqual(expect.arrayContaining(orphans));
  await litterOf(dataFolder, '--yes');
  const left = await blobs.list('');
  for (const key of orphans)
    expect(left.filter((name) => name.endsWith(key))).toEqual([expect.stringMatching(/^trash/)]);
});
