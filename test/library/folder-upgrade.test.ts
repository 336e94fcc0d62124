import { randomUUID } from 'node:crypto';
import { mkdir, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { createSegmentBuilder, openSegment, type PageRecord } from '#server/engine/index.ts';
import { getJob, getJobLog, listProbes, setProbes } from '#server/features/indexing/index.ts';
import { createSearch } from '#server/features/search/index.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { openRig, type Rig } from './rig.ts';

const subjects = ['lamps', 'wicks', 'oil', 'flints', 'mirrors', 'shutters', 'chimneys', 'brackets'];
const page = (subject: string) =>
  `# ${subject}\n\n${`All that is known about ${subject} stands here, in many words. `.repeat(12)}\n`;

async function manual(): Promise<string> {
  const folder = join(temporaryFolder(), 'home-of-mallory', 'manual');
  await mkdir(join(folder, 'guide'), { recursive: true });
  const links = subjects.map((subject) => `- [about ${subject}](guide/${subject}.md)`).join('\n');
  await writeFile(join(folder, 'index.md'), `# Contents\n\n${links}\n- [beside](../beside/x.md)\n`);
  await writeFile(join(folder, 'guide', 'a b über 100%.md'), page('quaggas'));
  for (const subject of subjects) await writeFile(join(folder, 'guide', `${subject}.md`), page(subject));
  return folder;
}

/**
 * Indexes a folder and puts what is served, and its questions, back to how they were kept while pages were addressed by where
 * their files lie: of what a run leaves, this is what the addresses stand in.
 */
async function indexedBefore(rig: Rig, folder: string): Promise<void> {
  await rig.index(folder);
  const real = pathToFileURL(await realpath(folder)).href;
  const { query } = rig.ctx.db;
  const { id } = await query.selectFrom('modules').select('id').executeTakeFirstOrThrow();
  await replaceSegments(rig, id, (pages) => [
    pages.map((one) => ({
      ...one,
      url: one.url.replace('folder://manual', real),
      snippets: one.snippets.map((snippet) => ({
        ...snippet,
        text: snippet.text
          .replaceAll('folder://manual/beside', `${real.replace(/\/[^/]*$/, '')}/beside`)
          .replaceAll('folder://manual', real),
      })),
    })),
  ]);
  for (const probe of await query.selectFrom('moduleProbes').selectAll().execute()) {
    const address = probe.address.replace('folder://manual', real);
    await query.updateTable('moduleProbes').set({ address }).where('id', '=', probe.id).execute();
  }
  await rig.blobs.delete(`crawls/${id}.zst`);
}

/** Builds other segments from all pages that a module serves, and puts them in place. */
async function replaceSegments(
  rig: Rig,
  moduleId: string,
  made: (pages: PageRecord[]) => PageRecord[][],
): Promise<void> {
  const { query } = rig.ctx.db;
  const [served] = await query.selectFrom('segments').selectAll().where('droppedAt', 'is', null).execute();
  if (served === undefined) throw new Error('nothing is served');
  const blob = await rig.blobs.open(served.blobKey);
  const segment = openSegment(blob);
  const pages = Array.from(segment.pages(), ({ firstSnippet: _first, snippetCount: _count, ...one }, at) => ({
    ...one,
    snippets: segment.pageSnippets(at),
  }));
  blob.close();
  const ids: string[] = [];
  for (const records of made(pages)) {
    const builder = createSegmentBuilder();
    for (const record of records) builder.addPage(record);
    const id = randomUUID();
    const blobKey = `segments/${moduleId}/${id}.seg`;
    await rig.blobs.put(blobKey, builder.finish());
    await query
      .insertInto('segments')
      .values({ ...served, id, blobKey })
      .execute();
    ids.push(id);
  }
  await query.updateTable('segments').set({ droppedAt: 0 }).where('id', '=', served.id).execute();
  await query
    .updateTable('modules')
    .set({ segments: JSON.stringify(ids) })
    .execute();
}

async function told(
  rig: Rig,
  questions = ['quaggas', 'contents of the manual'],
): Promise<{ urls: string[]; all: string }> {
  const search = createSearch({ shelf: rig.shelf });
  const ctx = rig.as('stranger');
  const answers = [];
  for (const query of questions) answers.push(await search.searchDocs(ctx, { query }, undefined));
  const index = await search.readUrl(ctx, { url: 'folder://manual/index.md' }, undefined);
  const pages = await search.listPages(ctx, { moduleId: 'manual', from: 0, count: 100 });
  const probes = await listProbes(ctx, { moduleId: 'manual' });
  const urls = pages?.pages.map(({ url }) => url) ?? [];
  return { urls: urls.sort(), all: JSON.stringify([answers, index, urls, probes]) };
}

const addresses = [
  'folder://manual/guide/a%20b%20%C3%BCber%20100%25.md',
  ...subjects.map((subject) => `folder://manual/guide/${subject}.md`),
  'folder://manual/index.md',
].sort();

test('what was indexed by the paths of files is found, listed, linked and read by its module and nothing else', async () => {
  const rig = await openRig();
  const folder = await manual();
  await indexedBefore(rig, folder);
  const { urls, all } = await told(rig);
  expect(urls).toEqual(addresses);
  expect(all).toContain('folder://manual/guide/lamps.md)');
  expect(all).toContain('folder://manual/beside/x.md)');
  expect(all).not.toContain('mallory');
  for (const address of addresses) expect(await rig.read(address, rig.as('stranger'))).toBeDefined();
  expect(await rig.read(pathToFileURL(join(folder, 'guide/a b über 100%.md')).href)).toContain('about quaggas');
  expect(await rig.read(pathToFileURL(join(folder, 'guide/lamps.md')).href, rig.as('stranger'))).toBeUndefined();
});

test('a run of before, with the pages it missed and left out, is told by its module', async () => {
  const rig = await openRig();
  const folder = await manual();
  const { id: jobId } = await rig.index(folder);
  const address = pathToFileURL(join(folder, 'guide/lamps.md')).href;
  const score = { answered: 1, tokens: 9 };
  const quality = { probes: 9, before: score, after: score, missed: [{ question: 'lamps', address }] };
  const { query } = rig.ctx.db;
  await query
    .updateTable('jobRuns')
    .set({ quality: JSON.stringify(quality), error: `There is no documentation in ${folder}. Left out: a.bin.` })
    .execute();
  const entry = { jobId, position: 0, address, status: 'failed', reason: 'not-answered-any-more' } as const;
  await query.insertInto('jobLogEntries').values(entry).execute();
  const stranger = rig.as('stranger');
  expect(await getJob(stranger, { jobId })).toMatchObject({
    url: 'folder://manual/',
    error: 'There is no documentation in folder://manual/. Left out: a.bin.',
    quality: { missed: [{ question: 'lamps', address: 'folder://manual/guide/lamps.md' }] },
  });
  const { entries } = await getJobLog(stranger, { jobId, limit: 9 });
  expect(entries).toMatchObject([{ address: 'folder://manual/guide/lamps.md' }]);
});

test('an index that is damaged says how to make it anew without the path', async () => {
  const rig = await openRig();
  await rig.index(await manual());
  const served = await rig.ctx.db.query.selectFrom('segments').select('blobKey').executeTakeFirstOrThrow();
  rig.shelf.close();
  await rig.blobs.put(served.blobKey, new TextEncoder().encode('This is no segment.'.repeat(100)));
  await expect(rig.read('folder://manual/index.md', rig.as('stranger'))).rejects.toMatchObject({
    code: 'index-damaged',
    message: expect.stringContaining('Index it again with "lectern index FOLDER --name manual"'),
  });
});

test('the first refresh after an upgrade reads every file once, is judged by the questions there were, and is put in service', async () => {
  const rig = await openRig();
  const folder = await manual();
  await indexedBefore(rig, folder);
  const probes = [
    { question: 'what is a quagga', address: pathToFileURL(join(folder, 'guide/a b über 100%.md')).href },
  ];
  await setProbes(rig.ctx, { moduleId: 'manual', probes });
  await writeFile(join(folder, 'guide', 'new.md'), page('snuffers'));
  const run = await rig.index(folder);
  expect(run).toMatchObject({ status: 'COMPLETE', fetched: 11, isHeld: false, quality: { missed: [] } });
  expect(run.quality?.after.answered).toBe(run.quality?.before.answered);
  expect(run.quality?.before.answered).toBe(run.quality?.probes);
  expect((await told(rig)).urls).toEqual([...addresses, 'folder://manual/guide/new.md'].sort());
  const kept = await rig.ctx.db.query.selectFrom('moduleProbes').select('address').execute();
  expect(JSON.stringify(kept)).not.toContain('file:');
  expect(await rig.index(folder)).toMatchObject({ status: 'COMPLETE', fetched: 0, unchanged: 11 });
});

test('the first refresh after an upgrade is held back where its pages have lost their text', async () => {
  const rig = await openRig();
  const folder = await manual();
  await indexedBefore(rig, folder);
  for (const subject of subjects) await writeFile(join(folder, 'guide', `${subject}.md`), `# ${subject}\n\nMoved.\n`);
  const held = await rig.index(folder);
  expect(held).toMatchObject({ status: 'FAILED', isHeld: true });
  expect(held.quality?.missed.length).toBeGreaterThanOrEqual(5);
  const { entries } = await getJobLog(rig.as('stranger'), { jobId: held.id, limit: 50 });
  expect(entries.map(({ address }) => address)).toContain('folder://manual/guide/lamps.md');
  expect((await told(rig)).all).not.toContain('mallory');
  expect(await rig.read('folder://manual/guide/lamps.md')).toContain('All that is known about lamps');
});

test('a page that a run shows over what was indexed before the upgrade is there once, as it is now', async () => {
  const rig = await openRig();
  const folder = await manual();
  await indexedBefore(rig, folder);
  const { id } = await rig.ctx.db.query.selectFrom('modules').select('id').executeTakeFirstOrThrow();
  await replaceSegments(rig, id, (pages) => [
    pages,
    pages
      .filter(({ url }) => url.endsWith('/guide/lamps.md'))
      .map((one) => ({
        ...one,
        url: 'folder://manual/guide/lamps.md',
        snippets: one.snippets.map((snippet) => ({ ...snippet, text: 'Lanterns took the place of lamps.' })),
      })),
  ]);
  expect((await told(rig)).urls).toEqual(addresses);
  expect(await rig.read('folder://manual/guide/lamps.md')).toBe('Lanterns took the place of lamps.');
});

test.each([
  ['leads elsewhere by now', true],
  ['is gone', false],
])('a folder whose path %s is told by its pages all the same', async (_how, isThere) => {
  const rig = await openRig();
  const folder = await manual();
  const link = join(temporaryFolder(), 'manual');
  await symlink(folder, link);
  await indexedBefore(rig, link);
  expect((await told(rig)).urls).toEqual(addresses);
  const moved = join(folder, '..', 'newer');
  await rename(folder, moved);
  await rm(link);
  if (isThere) await symlink(moved, link);
  rig.shelf.close();
  const { urls, all } = await told(rig);
  expect(urls).toEqual(addresses);
  expect(all).not.toContain('mallory');
  if (isThere) expect(await rig.index(link)).toMatchObject({ status: 'COMPLETE', quality: { missed: [] } });
});
