import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CrawlFileWriter, openCrawlFile } from '#server/ingest/build/crawl-file.ts';
import { createPdfParser } from '#server/ingest/pdf/index.ts';
import { makePdf, textLines } from '../services/make-pdf.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { openRig, type Rig } from './rig.ts';
import { startSampleSite } from './sample-site.ts';

/** Marks the pages of the only module as read by an earlier version of the program. */
async function readByAnother(rig: Rig, urls: string[]): Promise<void> {
  const key = (await rig.blobKeys()).find((one) => one.startsWith('crawls/')) as string;
  const crawl = openCrawlFile(await rig.blobs.open(key));
  const writer = new CrawlFileWriter();
  for (const url of urls) {
    const page = crawl.find(url);
    if (page === undefined) throw new Error(`Nothing is known of ${url}.`);
    writer.add({ ...page, status: 'unchanged', depth: 0, fetchedAt: 0, contentBytes: 0, readBy: '0.0.1' }, false);
  }
  crawl.close();
  await rig.blobs.put(key, Buffer.concat(writer.finish()));
}

test('unchanged pages of a site are read once more if another program version read them', async () => {
  const site = await startSampleSite(3);
  onTestFinished(() => site.close());
  const rig = await openRig({ allowHosts: [site.host] });
  await rig.index(site.url, { moduleId: 'sample' });
  const urls = ['', 'page0.html', 'page1.html', 'page2.html'].map((name) => `${site.url}${name}`);
  await readByAnother(rig, urls);
  site.faults.set('page1', 500);
  expect(await rig.index(site.url, { moduleId: 'sample' })).toMatchObject({ fetched: 3, unchanged: 0, failed: 1 });
  expect(await rig.read(urls[2] as string)).toContain('Original text 1');
  site.faults.clear();
  // The failed page was kept as it was read before.
  expect(await rig.index(site.url, { moduleId: 'sample' })).toMatchObject({ fetched: 1, unchanged: 3 });
  expect(await rig.index(site.url, { moduleId: 'sample' })).toMatchObject({ fetched: 0, unchanged: 4 });
});

test('files are read once more if another program version read them', async () => {
  const folder = join(temporaryFolder(), 'guide');
  await mkdir(folder);
  await writeFile(join(folder, 'a.md'), '# Lamps\n\nAll that is known about lamps stands here.\n');
  await writeFile(join(folder, 'b.pdf'), makePdf({ pages: [textLines(['All that is known about oil stands here.'])] }));
  const rig = await openRig();
  rig.deps.pdfParser = createPdfParser({ atOnce: 1 });
  await rig.index(folder);
  await readByAnother(rig, ['folder://guide/a.md', 'folder://guide/b.pdf']);
  expect(await rig.index(folder)).toMatchObject({ fetched: 2, unchanged: 0 });
  expect(await rig.index(folder)).toMatchObject({ fetched: 0, unchanged: 2 });
});
