import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { getJobLog } from '#server/features/indexing/job-log.ts';
import { getJob } from '#server/features/indexing/jobs.ts';
import { listProbes } from '#server/features/indexing/probes.ts';
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

test('a folder is found, listed, linked and read under its module’s address only', async () => {
  const rig = await openRig();
  const folder = await manual();
  await rig.index(folder);
  const { urls, all } = await told(rig);
  expect(urls).toEqual(addresses);
  expect(all).toContain('folder://manual/guide/lamps.md)');
  expect(all).toContain('folder://manual/beside/x.md)');
  expect(all).not.toContain('mallory');
  for (const address of addresses) expect(await rig.read(address, rig.as('stranger'))).toBeDefined();
  expect(await rig.read(pathToFileURL(join(folder, 'guide/a b über 100%.md')).href)).toContain('about quaggas');
  expect(await rig.read(pathToFileURL(join(folder, 'guide/lamps.md')).href, rig.as('stranger'))).toBeUndefined();
});

test('a run names the folder and its skipped pages by their module’s address', async () => {
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

test('a damaged index says how to rebuild it, without the folder’s path', async () => {
  const rig = await openRig();
  await rig.index(await manual());
  const served = await rig.ctx.db.query.selectFrom('segments').select('blobKey').executeTakeFirstOrThrow();
  rig.shelf.close();
  await rig.blobs.put(served.blobKey, new TextEncoder().encode('This is no segment.'.repeat(100)));
  await expect(rig.read('folder://manual/index.md', rig.as('stranger'))).rejects.toMatchObject({
    code: 'index-damaged',
    message: expect.stringContaining('Refresh it, or run "lectern index FOLDER --name manual"'),
  });
});
