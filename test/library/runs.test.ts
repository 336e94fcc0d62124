import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { getPrivateIndex, listModules } from '#server/features/catalog/index.ts';
import { hook } from '#server/features/feature.ts';
import { listJobs, recogniseSource } from '#server/features/indexing/index.ts';
import { takeIndexJob } from '#server/features/indexing/job-lease.ts';
import { getJobLog } from '#server/features/indexing/job-log.ts';
import { renameModule } from '#server/features/indexing/move-modules.ts';
import { runIndexJob } from '#server/features/indexing/run-index-job.ts';
import { createRunLog } from '#server/features/indexing/run-log.ts';
import { refreshModule, retryJob } from '#server/features/indexing/start-again.ts';
import { createLogger } from '#server/platform/log.ts';
import { onEachDatabase } from '#test/services/database.ts';
import { temporaryFolder } from '#test/services/temporary-folder.ts';
import { openRig } from './rig.ts';
import { type SampleSite, startSampleSite } from './sample-site.ts';

async function sampleSite(pages: number): Promise<SampleSite> {
  const site = await startSampleSite(pages);
  onTestFinished(() => site.close());
  return site;
}

onEachDatabase('runs', (kind) => {
  test('a failed run is retried with its settings, and only once at a time', async () => {
    const site = await sampleSite(3);
    const rig = await openRig({ kind, allowHosts: [site.host] });
    site.faults.set('', 404);
    const lines: string[] = [];
    rig.ctx.log = createLogger('info', { write: (line) => lines.push(line) });
    const failed = await rig.index(site.url, { moduleId: 'sample', displayName: 'The sample', maxPages: 2 });
    expect(failed).toMatchObject({
      status: 'FAILED',
      docsCount: 0,
      executionId: `${failed.id}:1`,
      stackName: 'default',
    });
    const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(logged).toMatchObject([
      { level: 'info', msg: 'a run was started', module: 'sample', workspace: 'public', attempt: 1 },
      { level: 'warn', msg: 'an index run failed', moduleId: 'sample', reason: failed.error },
      { level: 'info', msg: 'a run ended', module: 'sample', status: 'FAILED' },
    ]);
    site.faults.clear();
    const outcomes = await Promise.allSettled([1, 2].map(() => retryJob(rig.ctx, { jobId: failed.id }, rig.notices)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'job-already-running' },
    });
    const done = await rig.runNext();
    expect(done).toMatchObject({ status: 'COMPLETE', displayName: 'The sample', docsCount: 2, url: site.url });
    expect(done.limits.maxPages).toBe(2);
    expect((await listJobs(rig.ctx)).map(({ id }) => id)).toEqual([done.id, failed.id]);
  });

  test('a running run cannot be retried, and strangers find no run to retry and no log', async () => {
    const site = await sampleSite(1);
    const rig = await openRig({ kind, allowHosts: [site.host] });
    const { id: jobId } = await rig.start(site.url, { visibility: 'private' });
    await expect(retryJob(rig.ctx, { jobId }, rig.notices)).rejects.toMatchObject({ code: 'job-already-running' });
    const stranger = rig.as('stranger');
    await expect(retryJob(stranger, { jobId }, rig.notices)).rejects.toMatchObject({ code: 'job-not-found' });
    await expect(getJobLog(stranger, { jobId, limit: 10 })).rejects.toMatchObject({ code: 'job-not-found' });
    const visitor = { ...rig.ctx, actor: { kind: 'anonymous' as const }, workspace: null };
    await expect(retryJob(visitor, { jobId }, rig.notices)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test.each([
    ['for the first time', 0],
    ['again', 1],
  ])('a name given while a source is read %s stays, and retrying an earlier run keeps it', async (_, runsBefore) => {
    const site = await sampleSite(2);
    const rig = await openRig({ kind, allowHosts: [site.host] });
    const names = async () => {
      const jobs = await listJobs(rig.ctx);
      return [...(await listModules(rig.ctx)), ...jobs].map(({ displayName }) => displayName);
    };
    for (let run = 0; run < runsBefore; run += 1) {
      expect(await rig.index(site.url)).toMatchObject({ displayName: 'Sample documentation' });
    }
    const { id, moduleId } = await rig.start(site.url);
    const row = await takeIndexJob(rig.ctx, 'a process');
    if (row === undefined) throw new Error('no run is waiting');
    const renamed = await renameModule(rig.ctx, { moduleId, displayName: 'Ours' }, hook());
    expect(renamed).toMatchObject({ moduleId, displayName: 'Ours' });
    await runIndexJob(rig.ctx, row, rig.deps, new AbortController().signal);
    expect(new Set(await names())).toEqual(new Set(['Ours']));
    await retryJob(rig.ctx, { jobId: id }, rig.notices);
    await rig.runNext();
    expect(new Set(await names())).toEqual(new Set(['Ours']));
  });

  test('only the operator starts public modules and folders again', async () => {
    const site = await sampleSite(1);
    const rig = await openRig({ kind, allowHosts: [site.host] });
    const { id: jobId } = await rig.index(site.url, { moduleId: 'sample' });
    const stranger = rig.as('stranger');
    await expect(retryJob(stranger, { jobId }, rig.notices)).rejects.toMatchObject({ code: 'permission-denied' });
    await expect(refreshModule(stranger, { moduleId: 'sample' }, rig.notices)).rejects.toMatchObject({
      code: 'permission-denied',
    });
    expect(await refreshModule(rig.ctx, { moduleId: 'sample' }, rig.notices)).toMatchObject({ status: 'QUEUED' });
  });

  test('a site’s log lists failed and skipped pages, with paging and by reason', async () => {
    const site = await sampleSite(40);
    for (let page = 0; page < 30; page += 1) site.faults.set(`page${page}`, 410);
    const rig = await openRig({ kind, allowHosts: [site.host] });
    const job = await rig.index(site.url, { moduleId: 'sample', maxPages: 4 });
    expect(job.status).toBe('COMPLETE');
    const all = await getJobLog(rig.ctx, { jobId: job.id, limit: 100 });
    expect(all.entries.filter(({ reason }) => reason === 'http-410')).toHaveLength(30);
    expect(all).toMatchObject({ next: null, total: all.entries.length });
    for (const { reason, examples } of job.skipReasons) {
      const logged = all.entries.filter((entry) => entry.reason === reason).map(({ address }) => address);
      expect(logged).toEqual(expect.arrayContaining(examples));
    }
    const first = await getJobLog(rig.ctx, { jobId: job.id, limit: 2 });
    expect(first.entries).toEqual(all.entries.slice(0, 2));
    const rest = await getJobLog(rig.ctx, { jobId: job.id, limit: 100, after: first.next ?? -1 });
    expect(rest.entries).toEqual(all.entries.slice(2));
    const [{ reason } = { reason: '' }] = all.entries;
    const ofOne = await getJobLog(rig.ctx, { jobId: job.id, limit: 100, reason });
    expect(ofOne.entries).toEqual(all.entries.filter((entry) => entry.reason === reason));
    expect(ofOne.total).toBe(ofOne.entries.length);
  });

  test('a failed run has a log too, and only the newest five runs of a module keep theirs', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'picture.png'), 'no text');
    const rig = await openRig({ kind });
    const runs = [];
    for (let count = 0; count < 6; count += 1) runs.push(await rig.index(folder, { moduleId: 'f' }));
    expect(runs[0]).toMatchObject({ status: 'FAILED' });
    const logs = await Promise.all(runs.map(({ id }) => getJobLog(rig.ctx, { jobId: id, limit: 10 })));
    const picture = { address: 'picture.png', status: 'skipped', reason: 'not-documentation' };
    expect(logs.map(({ entries }) => entries)).toEqual([[], ...Array.from({ length: 5 }, () => [picture])]);
    // No page is read, so the log reports the module instead of the folder's path.
    rmSync(folder, { recursive: true });
    const unread = await rig.index(folder, { moduleId: 'f' });
    expect(unread).toMatchObject({ status: 'FAILED' });
    const { entries } = await getJobLog(rig.ctx, { jobId: unread.id, limit: 10 });
    expect(entries).toEqual([{ address: 'f', status: 'failed', reason: 'nothing-read' }]);
  });

  test('a private index contains its workspace’s modules and their pages', async () => {
    const site = await sampleSite(3);
    const rig = await openRig({ kind, allowHosts: [site.host] });
    const empty = { indexId: 'default', teamId: null, createdAt: null, updatedAt: null, totalDocs: 0, modules: [] };
    expect(await getPrivateIndex(rig.as('stranger'))).toMatchObject({ ...empty, uid: 'stranger' });
    await rig.index(site.url, { moduleId: 'mine', visibility: 'private' });
    await rig.index(site.url, { moduleId: 'everybodys', visibility: 'public' });
    const index = await getPrivateIndex(rig.ctx);
    expect(index).toMatchObject({ totalDocs: 4, modules: [{ moduleId: 'mine', pageCount: 4 }] });
    expect(index.updatedAt).toBe(index.modules[0]?.lastUpdated);
    expect(index.createdAt).toBeLessThanOrEqual(index.updatedAt ?? 0);
    const visitor = { ...rig.ctx, actor: { kind: 'anonymous' as const }, workspace: null };
    await expect(getPrivateIndex(visitor)).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});

test('an address is classified without a request to its host', async () => {
  const site = await sampleSite(1);
  const rig = await openRig({ allowHosts: [site.host] });
  await rig.index(site.url);
  site.takeRequests();
  const recognise = (address: string) => recogniseSource(rig.ctx, { address });
  expect(await recognise(site.url)).toMatchObject({ kind: 'site', url: site.url, isKnown: true });
  expect(await recognise('https://docs.example/guide/#top')).toMatchObject({
    ...{ kind: 'site', url: 'https://docs.example/guide/', moduleId: 'docs.example~guide', isKnown: false },
  });
  expect(await recognise('https://docs.example/Manual.PDF')).toMatchObject({
    kind: 'pdf',
    moduleId: 'docs.example~manual.pdf',
  });
  await expect(recognise('docs')).rejects.toMatchObject({ code: 'source-refused' });
  await expect(recognise('ftp://docs.example/')).rejects.toMatchObject({ code: 'source-refused' });
  expect(site.takeRequests()).toEqual([]);
});

test('a log lists each address once and ends at its limit', () => {
  const log = createRunLog();
  for (let count = 0; count < limits.jobLogEntriesMax + 5; count += 1) {
    log.add({ address: `/${count}`, status: 'skipped', reason: 'robots' });
    log.add({ address: `/${count}`, status: 'failed', reason: 'timeout' });
  }
  expect(log.entries()).toHaveLength(limits.jobLogEntriesMax);
  expect(log.entries()[0]).toEqual({ address: '/0', status: 'skipped', reason: 'robots' });
});
