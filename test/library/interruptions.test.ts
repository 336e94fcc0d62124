import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openSegment } from '#server/engine/index.ts';
import { listModules } from '#server/features/catalog/index.ts';
import { takeIndexJob } from '#server/features/indexing/job-lease.ts';
import { cancelJob, getJob } from '#server/features/indexing/jobs.ts';
import { removeModule } from '#server/features/indexing/remove-module.ts';
import { runIndexJob } from '#server/features/indexing/run-index-job.ts';
import { createSegmentBuilds } from '#server/ingest/build/segment-builds.ts';
import { temporaryFolder } from '#test/services/temporary-folder.ts';
import { until } from '#test/services/until.ts';
import { openRig, type Rig } from './rig.ts';
import { type SampleSite, startSampleSite } from './sample-site.ts';

async function openParts(pages: number): Promise<{ rig: Rig; site: SampleSite }> {
  const site = await startSampleSite(pages);
  onTestFinished(() => site.close());
  return { rig: await openRig({ allowHosts: [site.host] }), site };
}

/** Holds the responses of all pages from this name on, until `letGo` is called. */
function holdAt(site: SampleSite, name: string): { reached: () => boolean; letGo: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isReached = false;
  site.onRequest = (asked) => {
    isReached ||= asked === name;
    return isReached ? promise : undefined;
  };
  return {
    reached: () => isReached,
    letGo() {
      site.onRequest = undefined;
      resolve();
    },
  };
}

function workerOf(text: string): URL {
  const file = join(temporaryFolder(), 'worker.mjs');
  writeFileSync(file, text);
  return pathToFileURL(file);
}

test('a cancelled run ends with a message, and the next one continues without requesting a page again', async () => {
  const { rig, site } = await openParts(80);
  const hold = holdAt(site, 'page60');
  const { id } = await rig.start(site.url);
  const running = rig.runNext();
  await until('the run is in the middle', hold.reached);
  expect(await cancelJob(rig.ctx, { jobId: id }, rig.notices)).toMatchObject({ isCancelled: true });
  const cancelled = await running;
  expect(cancelled).toMatchObject({ status: 'FAILED', isCancelled: true });
  expect(cancelled.error).toBe('Cancelled. The next run continues from here.');
  expect(await listModules(rig.ctx)).toEqual([]);
  hold.letGo();
  const fetchedBefore = cancelled.fetched;
  expect(fetchedBefore).toBeGreaterThan(20);
  site.takeRequests();
  const resumed = await rig.index(site.url);
  expect(resumed).toMatchObject({ status: 'COMPLETE', fetched: 81, isCancelled: false });
  const asked = site.takeRequests().map(({ name }) => name);
  expect(new Set(asked).size).toBe(asked.length);
  expect(asked.length).toBe(81 - fetchedBefore);
  expect((await listModules(rig.ctx))[0]).toMatchObject({ pageCount: 81 });
  await expect(cancelJob(rig.ctx, { jobId: id }, rig.notices)).rejects.toMatchObject({ code: 'job-finished' });
});

test('a run continues in the next process after a stop, and this does not count as an attempt', async () => {
  const { rig, site } = await openParts(80);
  const hold = holdAt(site, 'page60');
  const { id } = await rig.start(site.url);
  const stopping = new AbortController();
  const running = rig.runNext(stopping.signal);
  await until('the run is in the middle', hold.reached);
  stopping.abort();
  expect(await running).toMatchObject({ status: 'CRAWLING', error: null, endTime: null });
  const row = await rig.ctx.db.query.selectFrom('jobRuns').selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ leaseOwner: null, attempt: 0 });
  hold.letGo();
  site.takeRequests();
  expect(await rig.runNext()).toMatchObject({ id, status: 'COMPLETE', fetched: 81 });
  expect(site.takeRequests().map(({ name }) => name)).not.toContain('page10');
});

test('a queued run is cancelled at once', async () => {
  const { rig, site } = await openParts(1);
  const { id } = await rig.start(site.url);
  expect(await cancelJob(rig.ctx, { jobId: id }, rig.notices)).toMatchObject({ status: 'FAILED', isCancelled: true });
  await expect(rig.runNext()).rejects.toThrow('no run is waiting');
  expect(await rig.index(site.url)).toMatchObject({ status: 'COMPLETE' });
});

test('a run that lost its lease writes nothing more, neither rows nor blobs', async () => {
  const { rig, site } = await openParts(80);
  const hold = holdAt(site, 'page60');
  const { id } = await rig.start(site.url);
  const running = rig.runNext();
  await until('the run is in the middle', hold.reached);
  await until('the first pages are stored', async () => (await rig.blobKeys()).length > 0);
  const taken = { leaseOwner: 'another', leaseUntil: Date.now() + 60_000, found: 7 };
  await rig.ctx.db.query.updateTable('jobRuns').set(taken).where('id', '=', id).execute();
  const blobs = await rig.blobKeys();
  await running;
  hold.letGo();
  const row = await rig.ctx.db.query.selectFrom('jobRuns').selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ ...taken, status: 'CRAWLING', error: null, endTime: null });
  expect(await rig.blobKeys()).toEqual(blobs);
});

test('a module that is removed while it is indexed is gone, and its run ends', async () => {
  const { rig, site } = await openParts(60);
  await rig.index(site.url, { moduleId: 'sample' });
  site.pages.set('page1', 'Changed');
  const hold = holdAt(site, 'page50');
  await rig.start(site.url, { moduleId: 'sample' });
  const running = rig.runNext();
  await until('the run is in the middle', hold.reached);
  await removeModule(rig.ctx, { moduleId: 'sample' }, rig.notices);
  expect(await rig.read(`${site.url}page1.html`)).toBeUndefined();
  expect(await running).toMatchObject({ status: 'FAILED', isCancelled: true });
  hold.letGo();
  expect(await listModules(rig.ctx)).toEqual([]);
  const segments = await rig.ctx.db.query.selectFrom('segments').selectAll().execute();
  expect(segments.every(({ droppedAt }) => droppedAt !== null)).toBe(true);
  expect(await rig.index(site.url, { moduleId: 'sample' })).toMatchObject({ status: 'COMPLETE', fetched: 61 });
});

test.each([
  ['cannot be loaded', "import './nowhere.ts';"],
  [
    'ends in the middle',
    "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => process.exit(1));",
  ],
])('a build thread that %s fails the run with its reason, and fetched pages are kept', async (_fault, text) => {
  const { rig, site } = await openParts(10);
  await rig.index(site.url, { moduleId: 'sample' });
  const before = await rig.blobKeys();
  site.pages.set('page1', 'Changed text');
  const builds = createSegmentBuilds({ kind: 'folder', folder: rig.blobFolder }, { workerFile: workerOf(text) });
  onTestFinished(() => builds.close());
  await rig.start(site.url, { moduleId: 'sample' });
  const row = await takeIndexJob(rig.ctx, randomUUID());
  if (row === undefined) throw new Error('no run');
  await runIndexJob(rig.ctx, row, { ...rig.deps, builds }, new AbortController().signal);
  const failed = await getJob(rig.ctx, { jobId: row.id });
  expect(failed).toMatchObject({ status: 'FAILED', isCancelled: false });
  expect(failed.error).toMatch(/^The index could not be built: .+ Start it again: fetched pages are kept\.$/);
  expect(await rig.read(`${site.url}page1.html`)).toContain('Original text 1.');
  expect((await rig.blobKeys()).filter((key) => !key.startsWith('runs/'))).toEqual(before);
  site.takeRequests();
  expect(await rig.index(site.url, { moduleId: 'sample' })).toMatchObject({ status: 'COMPLETE' });
  expect(site.takeRequests()).toEqual([]);
  expect(await rig.read(`${site.url}page1.html`)).toContain('Changed text.');
});

test('a run whose process is killed repeatedly is given up with its reason', async () => {
  const { rig, site } = await openParts(1);
  await rig.start(site.url);
  await rig.ctx.db.query.updateTable('jobRuns').set({ attempt: 5 }).execute();
  const given = await rig.runNext();
  expect(given).toMatchObject({ status: 'FAILED' });
  expect(given.error).toBe(
    "The process ended 5 times during this run. See the server's log, then start the run again.",
  );
});

async function segmentFile(rig: Rig): Promise<string> {
  const { blobKey } = await rig.ctx.db.query
    .selectFrom('segments')
    .select('blobKey')
    .where('droppedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return join(rig.blobFolder, blobKey);
}

/** Changes a byte that is only read with the texts of pages. */
function damageTexts(bytes: Buffer): Buffer {
  const isReadable = (read: () => unknown) => {
    try {
      read();
      return true;
    } catch {
      return false;
    }
  };
  for (let at = 0; at < bytes.length; at += 500) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 255;
    const source = {
      byteLength: changed.length,
      read: (start: number, length: number) => new Uint8Array(changed.subarray(start, start + length)),
    };
    if (!isReadable(() => [...openSegment(source).pages()])) continue;
    const { pageCount, pageSnippets } = openSegment(source);
    const pages = Array.from({ length: pageCount }, (_, page) => page);
    if (!isReadable(() => pages.map((page) => pageSnippets(page)))) return changed;
  }
  throw new Error('no such byte');
}

test.each(['lost', 'no segment any more', 'damaged in the texts of some pages'])(
  'a module whose segment is %s is complete again after re-indexing',
  async (how) => {
    const { rig, site } = await openParts(40);
    for (const [at, name] of [...site.pages.keys()].entries()) {
      const words = Array.from({ length: 300 }, (_, word) => ((word + 1) * (at + 7) * 7919).toString(36));
      site.pages.set(name, `Original text ${at}. ${words.join(' ')}`);
    }
    await rig.index(site.url, { moduleId: 'sample' });
    const file = await segmentFile(rig);
    if (how === 'lost') await rm(file);
    else if (how === 'no segment any more') await writeFile(file, Buffer.alloc(10_000, 1));
    else await writeFile(file, damageTexts(await readFile(file)));
    rig.shelf.closeAllBut(new Set());
    // No page of an unreadable module counts as unchanged, although most are.
    site.pages.set('page0', 'Changed text');
    expect(await rig.index(site.url, { moduleId: 'sample' })).toMatchObject({ status: 'COMPLETE', fetched: 41 });
    expect(await rig.read(`${site.url}page0.html`)).toContain('Changed text.');
    expect(await rig.read(`${site.url}page39.html`)).toContain('Original text 39.');
    expect((await rig.index(site.url, { moduleId: 'sample' })).unchanged).toBe(41);
  },
);

test('unreadable records of an earlier attempt fail one run, and the next starts from the beginning', async () => {
  const { rig, site } = await openParts(80);
  const hold = holdAt(site, 'page60');
  const { id } = await rig.start(site.url);
  const running = rig.runNext();
  await until('the run is in the middle', hold.reached);
  await cancelJob(rig.ctx, { jobId: id }, rig.notices);
  await running;
  hold.letGo();
  const chunk = (await rig.blobKeys()).find((key) => key.startsWith('runs/')) ?? '';
  await rig.blobs.put(chunk, Buffer.from('damaged'));
  expect(await rig.index(site.url)).toMatchObject({ status: 'FAILED', error: expect.stringContaining('our side') });
  expect(await rig.index(site.url)).toMatchObject({ status: 'COMPLETE', fetched: 81 });
});
