import { expect, onTestFinished, test } from 'vitest';
import { decodeSpoolChunk } from '#server/ingest/build/spool.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import { until } from '#test/services/until.ts';
import { openRig, type Rig } from './rig.ts';
import { type SampleSite, startSampleSite } from './sample-site.ts';

/** Creates a module of a site in which two pages have changed since; its next run stores with `put`. */
async function changedSite(put: (blobs: Blobs) => Blobs['put']): Promise<{ rig: Rig; site: SampleSite }> {
  const site = await startSampleSite(8);
  onTestFinished(() => site.close());
  const rig = await openRig({ allowHosts: [site.host] });
  await rig.index(site.url, { moduleId: 'sample' });
  site.pages.set('page2', 'Rewritten text 2');
  site.pages.set('page5', 'Rewritten text 5');
  rig.deps.blobs = { ...rig.blobs, put: put(rig.blobs) };
  return { rig, site };
}

const isChunk = (key: string) => key.startsWith('runs/');

test('a changed page is searchable before the run’s record is on disk, and the record is kept', async () => {
  const disk = Promise.withResolvers<void>();
  const { rig, site } = await changedSite((blobs) => async (key, content) => {
    if (isChunk(key)) await disk.promise;
    return blobs.put(key, content);
  });
  const last = Promise.withResolvers<void>();
  site.onRequest = (name) => (name === 'page7' ? last.promise : undefined);
  await rig.start(site.url, { moduleId: 'sample' });
  const running = rig.runNext();
  await until('the change is found', async () =>
    (await rig.read(`${site.url}page2.html`))?.includes('Rewritten text 2.'),
  );
  expect((await rig.blobKeys()).filter(isChunk)).toEqual([]);
  disk.resolve();
  await until('the page is remembered', async () => {
    const urls = (await rig.blobKeys()).filter(isChunk).map((key) => urlsIn(rig.blobs, key));
    return (await Promise.all(urls)).flat().includes(`${site.url}page2.html`);
  });
  last.resolve();
  expect(await running).toMatchObject({ status: 'COMPLETE', fetched: 2, unchanged: 7 });
  expect(await rig.read(`${site.url}page5.html`)).toContain('Rewritten text 5.');
  expect((await rig.blobKeys()).filter(isChunk)).toEqual([]);
});

test('pages that could not be stored for lack of space are stored by the next write, and none is lost', async () => {
  const refused = Promise.withResolvers<void>();
  let refusals = 0;
  const { rig, site } = await changedSite((blobs) => (key, content) => {
    if (!isChunk(key) || refusals > 0) return blobs.put(key, content);
    refusals += 1;
    refused.resolve();
    return Promise.reject(new Error('no room'));
  });
  // The run itself writes only at its end: until then only changed pages are stored.
  site.onRequest = (name) => (name === 'page7' ? refused.promise : undefined);
  expect(await rig.index(site.url, { moduleId: 'sample' })).toMatchObject({ status: 'COMPLETE', fetched: 2 });
  expect(refusals).toBe(1);
  for (const index of [0, 1, 2, 3, 4, 5, 6, 7]) {
    const text = [2, 5].includes(index) ? 'Rewritten' : 'Original';
    expect(await rig.read(`${site.url}page${index}.html`)).toContain(`${text} text ${index}.`);
  }
});

async function urlsIn(blobs: Blobs, key: string): Promise<string[]> {
  const blob = await blobs.open(key);
  try {
    return decodeSpoolChunk(blob.read(0, blob.byteLength)).map(({ url }) => url);
  } finally {
    blob.close();
  }
}
