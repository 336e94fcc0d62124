import { describe, expect, onTestFinished, test } from 'vitest';
import type { JobRun } from '#contract/library.ts';
import { listModules } from '#server/features/catalog/index.ts';
import { removeModule } from '#server/features/indexing/remove-module.ts';
import { refreshModule, retryFailedPages } from '#server/features/indexing/start-again.ts';
import { type Clock, systemClock } from '#server/platform/clock.ts';
import { until } from '#test/services/until.ts';
import { openRig, type Rig } from './rig.ts';
import { type SampleSite, startSampleSite } from './sample-site.ts';

async function indexedSite(pages: number): Promise<{ rig: Rig; site: SampleSite; first: JobRun }> {
  const site = await startSampleSite(pages);
  onTestFinished(() => site.close());
  const rig = await openRig({ allowHosts: [site.host] });
  const first = await rig.index(site.url, { moduleId: 'sample' });
  return { rig, site, first };
}

async function segmentsOf(rig: Rig): Promise<string[]> {
  const row = await rig.ctx.db.query.selectFrom('modules').select('segments').executeTakeFirstOrThrow();
  return JSON.parse(row.segments) as string[];
}

function readPages(site: SampleSite): string[] {
  return site
    .takeRequests()
    .filter(({ status }) => status === 200)
    .map(({ name }) => name);
}

test('a site is indexed completely and served from one segment', async () => {
  const { rig, site, first } = await indexedSite(60);
  expect(first).toMatchObject({ status: 'COMPLETE', error: null, found: 61, fetched: 61, failed: 0 });
  expect(first.endTime).not.toBeNull();
  expect(await segmentsOf(rig)).toHaveLength(1);
  const [module] = await listModules(rig.ctx);
  expect(module).toMatchObject({ moduleId: 'sample', pageCount: 61, snippetCount: first.snippets, url: site.url });
  for (const index of [0, 31, 59]) {
    expect(await rig.read(`${site.url}page${index}.html`)).toContain(`Original text ${index}.`);
  }
  expect(await rig.blobKeys()).toHaveLength(2);
});

test('a refresh without changes parses no page and builds nothing', async () => {
  const { rig, site } = await indexedSite(20);
  site.pages.set('empty', '');
  await rig.index(site.url, { moduleId: 'sample' });
  const before = { segments: await segmentsOf(rig), blobs: await rig.blobKeys() };
  const [module] = await listModules(rig.ctx);
  site.takeRequests();
  const again = await rig.index(site.url, { moduleId: 'sample' });
  expect(again).toMatchObject({ status: 'COMPLETE', fetched: 0, unchanged: 22, snippets: module?.snippetCount });
  expect(site.takeRequests().filter(({ status }) => status !== 304)).toEqual([]);
  expect({ segments: await segmentsOf(rig), blobs: await rig.blobKeys() }).toEqual(before);
  expect((await listModules(rig.ctx))[0]?.lastUpdated).toBeGreaterThanOrEqual(module?.lastUpdated ?? 0);
});

test('a changed page is searchable before the refresh ends, and the refresh ends with one segment', async () => {
  const { rig, site } = await indexedSite(12);
  site.pages.set('page2', 'Rewritten text 2');
  site.pages.set('page3', 'Rewritten text 3');
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  site.onRequest = (name) => (name === 'page11' ? held : undefined);
  await rig.start(site.url, { moduleId: 'sample' });
  const running = rig.runNext();
  await until('the changes are found', async () => {
    const texts = await Promise.all(['page2', 'page3'].map((name) => rig.read(`${site.url}${name}.html`)));
    return texts.every((text) => text?.includes('Rewritten'));
  });
  // One segment on top of the served version, for any number of changes.
  expect(await segmentsOf(rig)).toHaveLength(2);
  expect(await rig.read(`${site.url}page4.html`)).toContain('Original text 4.');
  letGo();
  expect(await running).toMatchObject({ status: 'COMPLETE', fetched: 2, unchanged: 11 });
  expect(await segmentsOf(rig)).toHaveLength(1);
  expect(await rig.read(`${site.url}page2.html`)).toContain('Rewritten text 2.');
  expect(await rig.read(`${site.url}page4.html`)).toContain('Original text 4.');
});

test('a removed page is no longer found; a failing page is kept as it was', async () => {
  const { rig, site } = await indexedSite(6);
  site.pages.delete('page1');
  site.faults.set('page2', 410);
  site.faults.set('page3', 403);
  site.faults.set('page4', 400);
  const again = await rig.index(site.url, { moduleId: 'sample' });
  expect(again).toMatchObject({ status: 'COMPLETE', fetched: 1 });
  const texts = await Promise.all([0, 1, 2, 3, 4, 5].map((index) => rig.read(`${site.url}page${index}.html`)));
  expect(texts.map((text) => text !== undefined)).toEqual([true, false, false, false, true, true]);
  expect((await listModules(rig.ctx))[0]).toMatchObject({ pageCount: 4 });
  // Once it responds again, that page is read again.
  site.faults.delete('page4');
  site.takeRequests();
  await rig.index(site.url, { moduleId: 'sample' });
  expect(readPages(site)).toContain('page4');
});

test('pages linked only from a failing page stay in the index through several refreshes', async () => {
  const { rig, site } = await indexedSite(2);
  site.linkOnly.set('page1', ['deep']).set('deep', ['deeper']);
  await rig.index(site.url, { moduleId: 'sample' });
  expect(await rig.read(`${site.url}deeper.html`)).toContain('Hidden text deeper.');
  site.faults.set('page1', 400);
  site.faults.set('deep', 400);
  for (let turn = 0; turn < 3; turn++) {
    // Another page has changed, so that a new version is built each time.
    site.pages.set('page0', `Changed text ${turn}`);
    expect(await rig.index(site.url, { moduleId: 'sample' })).toMatchObject({ status: 'COMPLETE', failed: 2 });
    for (const name of ['page1', 'deep', 'deeper']) {
      expect({ turn, name, text: await rig.read(`${site.url}${name}.html`) }).toMatchObject({
        text: expect.stringContaining('text'),
      });
    }
  }
  site.faults.set('page1', 404);
  await rig.index(site.url, { moduleId: 'sample' });
  expect(await rig.read(`${site.url}deeper.html`)).toBeUndefined();
});

test('if the site is down during a refresh, the run says so and the old version is still served', async () => {
  const { rig, site } = await indexedSite(4);
  const { url } = site;
  await site.close();
  const failed = await rig.index(url, { moduleId: 'sample' });
  expect(failed).toMatchObject({ status: 'FAILED', isCancelled: false });
  expect(failed.error).toContain('could not be reached');
  expect(await rig.read(`${url}page1.html`)).toContain('Original text 1.');
  const [module] = await listModules(rig.ctx);
  expect(module).toMatchObject({ moduleId: 'sample', pageCount: 5, url });
});

test('a site that sends empty pages once keeps its version, and the next run reads it from the start', async () => {
  const { rig, site } = await indexedSite(4);
  site.everywhere = '';
  expect(await rig.index(site.url, { moduleId: 'sample' })).toMatchObject({ status: 'FAILED', fetched: 0 });
  site.everywhere = undefined;
  expect(await rig.index(site.url, { moduleId: 'sample' })).toMatchObject({ status: 'COMPLETE', unchanged: 5 });
  expect(await rig.read(`${site.url}page1.html`)).toContain('Original text 1.');
});

test('a version with only an empty page does not replace the served version', async () => {
  const { rig, site } = await indexedSite(1);
  const start = `${site.url}menu.html`;
  site.pages.set('menu', '');
  site.linkOnly.set('menu', ['chapter']);
  expect(await rig.index(start, { moduleId: 'menu' })).toMatchObject({ status: 'COMPLETE', fetched: 1, skipped: 1 });
  site.faults.set('chapter', 404);
  expect(await rig.index(start, { moduleId: 'menu' })).toMatchObject({ status: 'FAILED', unchanged: 1 });
  expect(await rig.read(`${site.url}chapter.html`)).toContain('Hidden text chapter.');
});

test('starting with a wrong address changes neither the source nor the name of the module', async () => {
  const { rig, site } = await indexedSite(2);
  const wrong = `${site.origin}/docs/nothing.html`;
  const failed = await rig.index(wrong, { moduleId: 'sample', replace: true, displayName: 'Renamed' });
  expect(failed).toMatchObject({ status: 'FAILED', displayName: 'Renamed' });
  expect((await listModules(rig.ctx))[0]).toMatchObject({ url: site.url, displayName: 'sample' });
  await rig.index(site.url, { moduleId: 'sample', displayName: 'Renamed' });
  expect((await listModules(rig.ctx))[0]).toMatchObject({ url: site.url, displayName: 'Renamed' });
  await rig.index(site.url, { moduleId: 'sample' });
  expect((await listModules(rig.ctx))[0]).toMatchObject({ displayName: 'Renamed' });
});

test('a retry reads only failed pages, and the other pages keep their read time', async () => {
  const site = await startSampleSite(10);
  onTestFinished(() => site.close());
  const rig = await openRig({ allowHosts: [site.host] });
  site.faults.set('page3', 400);
  expect(await rig.index(site.url, { moduleId: 'sample' })).toMatchObject({ fetched: 10, failed: 1 });
  const timeOf = async (name: string) => {
    const found = await rig.shelf.findPage(rig.ctx, `${site.url}${name}.html`);
    return found?.segment.page(found.pageIndex).fetchedAt;
  };
  const before = await timeOf('page4');
  site.faults.clear();
  site.takeRequests();
  await refreshModule(rig.ctx, { moduleId: 'sample', onlyFailed: true }, rig.notices);
  expect(await rig.runNext()).toMatchObject({ status: 'COMPLETE', fetched: 1, unchanged: 10, failed: 0 });
  expect(site.takeRequests()).toEqual([{ name: 'page3', status: 200 }]);
  expect(await rig.read(`${site.url}page3.html`)).toContain('Original text 3');
  expect(await rig.read(`${site.url}page4.html`)).toContain('Original text 4');
  expect(await timeOf('page4')).toBe(before);
});

test('a retry requests a failed page again even if its earlier version is served', async () => {
  const { rig, site } = await indexedSite(4);
  site.pages.set('page1', 'Rewritten text 1');
  site.faults.set('page1', 501);
  expect(await rig.index(site.url, { moduleId: 'sample' })).toMatchObject({ status: 'COMPLETE', failed: 1 });
  site.faults.clear();
  site.takeRequests();
  await refreshModule(rig.ctx, { moduleId: 'sample', onlyFailed: true }, rig.notices);
  expect(await rig.runNext()).toMatchObject({ status: 'COMPLETE', fetched: 1, failed: 0 });
  expect(site.takeRequests()).toEqual([{ name: 'page1', status: 200 }]);
  expect(await rig.read(`${site.url}page1.html`)).toContain('Rewritten text 1');
});

describe('failed pages', () => {
  const minuteMs = 60_000;
  const failing = async () => {
    const site = await startSampleSite(4);
    onTestFinished(() => site.close());
    let shiftMs = 0;
    const clock: Clock = { ...systemClock, now: () => systemClock.now() + shiftMs };
    const rig = await openRig({ allowHosts: [site.host], clock });
    site.faults.set('page3', 501);
    const first = await rig.index(site.url, { moduleId: 'sample' });
    return { site, rig, first, later: (minutes: number) => void (shiftMs += minutes * minuteMs) };
  };

  test('are retried automatically, each time after three times the delay, until they are read', async () => {
    const { site, rig, first, later } = await failing();
    expect(first).toMatchObject({ status: 'COMPLETE', failed: 1, isRetry: false });
    expect(first.retryAt).toBe((first.endTime ?? 0) + 10 * minuteMs);
    expect(await retryFailedPages(rig.ctx, rig.notices)).toBe(0);
    later(11);
    site.takeRequests();
    expect(await Promise.all([0, 1].map(() => retryFailedPages(rig.ctx, rig.notices)))).toEqual([1, 0]);
    const second = await rig.runNext();
    expect(second).toMatchObject({ status: 'COMPLETE', failed: 1, unchanged: 4, isRetry: true });
    expect(new Set(site.takeRequests().map(({ name }) => name))).toEqual(new Set(['page3']));
    expect(second.retryAt).toBe((second.endTime ?? 0) + 30 * minuteMs);
    site.faults.clear();
    later(31);
    expect(await retryFailedPages(rig.ctx, rig.notices)).toBe(1);
    expect(await rig.runNext()).toMatchObject({ status: 'COMPLETE', fetched: 1, failed: 0, retryAt: null });
    expect(await rig.read(`${site.url}page3.html`)).toContain('Original text 3');
  });

  test('are not retried after the source was refreshed or removed', async () => {
    const { site, rig, later } = await failing();
    site.faults.clear();
    expect(await rig.index(site.url, { moduleId: 'sample' })).toMatchObject({ failed: 0, retryAt: null });
    later(11);
    expect(await retryFailedPages(rig.ctx, rig.notices)).toBe(0);
    site.faults.set('page2', 501);
    expect(await rig.index(site.url, { moduleId: 'sample' })).toMatchObject({ retryAt: expect.any(Number) });
    await removeModule(rig.ctx, { moduleId: 'sample' }, rig.notices);
    later(11);
    expect(await retryFailedPages(rig.ctx, rig.notices)).toBe(0);
  });
});

test('an id used for one address is not reused for another without "replace"', async () => {
  const { rig, site } = await indexedSite(2);
  const other = await startSampleSite(3);
  onTestFinished(() => other.close());
  await expect(rig.start(other.url, { moduleId: 'sample' })).rejects.toThrow(
    `The module "sample" already exists, made from ${site.url}. Give this one another id with --name, or replace that one with --replace.`,
  );
  expect(await rig.read(`${site.url}page1.html`)).toContain('Original text 1');
  await expect(rig.start(`${site.url}index.html`, { moduleId: 'sample', replace: true })).resolves.toMatchObject({
    status: 'QUEUED',
  });
});
