import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { listModules } from '#server/features/catalog/index.ts';
import { createSearch } from '#server/features/search/index.ts';
import { cli } from '../cli/run-cli.ts';
import { ordinaryUser } from '../services/postgres.ts';
import { sampleRecord, storeChunk } from '../services/sample-records.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { openRig, type Rig } from './rig.ts';

async function guideFolder(files: Record<string, string>): Promise<string> {
  const folder = join(temporaryFolder(), 'guide');
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

const page = (subject: string) => `# ${subject}\n\nAll that is known about ${subject} stands here.\n`;
const readFile = (rig: Rig, folder: string, name: string) => rig.read(pathToFileURL(join(folder, name)).href);

test('a folder is indexed, and a refresh processes changed, added and removed files', async () => {
  const folder = await guideFolder({ 'a.md': page('lamps'), 'b.md': page('wicks'), 'c/d.md': page('oil') });
  const rig = await openRig();
  expect(await rig.index(folder)).toMatchObject({ status: 'COMPLETE', fetched: 3, moduleId: 'guide' });
  expect(await readFile(rig, folder, 'c/d.md')).toContain('about oil');
  const blobs = await rig.blobKeys();
  expect(await rig.index(folder)).toMatchObject({ status: 'COMPLETE', fetched: 0, unchanged: 3 });
  expect(await rig.blobKeys()).toEqual(blobs);
  await writeFile(join(folder, 'a.md'), page('lanterns'));
  await writeFile(join(folder, 'e.md'), page('flints'));
  await rm(join(folder, 'b.md'));
  expect(await rig.index(folder)).toMatchObject({ status: 'COMPLETE', fetched: 2, unchanged: 1 });
  expect(await readFile(rig, folder, 'a.md')).toContain('about lanterns');
  expect(await readFile(rig, folder, 'e.md')).toContain('about flints');
  expect(await readFile(rig, folder, 'c/d.md')).toContain('about oil');
  expect(await readFile(rig, folder, 'b.md')).toBeUndefined();
  expect(await listModules(rig.ctx)).toMatchObject([{ pageCount: 3, kind: 'folder', url: folder }]);
});

test('a file’s includes are read from inside the folder, and never from outside', async () => {
  const folder = await guideFolder({
    'a.rst':
      'Lamps\n=====\n\n.. literalinclude:: src/lamp.js\n\n.. include:: ../outside.rst\n\n.. include:: linked.rst\n',
    'src/lamp.js': 'light(1);\n',
    '../outside.rst': 'Secret words.',
  });
  symlinkSync(join(folder, '../outside.rst'), join(folder, 'linked.rst'));
  const rig = await openRig();
  await rig.index(folder);
  expect(await readFile(rig, folder, 'a.rst')).toContain('```js\nlight(1);\n```');
  expect(await readFile(rig, folder, 'a.rst')).not.toContain('Secret');
  await writeFile(join(folder, 'src/lamp.js'), 'light(2);\n');
  expect(await rig.index(folder)).toMatchObject({ status: 'COMPLETE', fetched: 1 });
  expect(await readFile(rig, folder, 'a.rst')).toContain('light(2)');
});

test('a refresh keeps the names that unchanged files give to others', async () => {
  const folder = await guideFolder({
    'a.md': `${page('lamps')}\nSee [flugelhorn maintenance](b.md) too.\n`,
    'b.md': page('wicks'),
    'c.md': page('oil'),
  });
  const rig = await openRig();
  const search = createSearch({ shelf: rig.shelf });
  const urlOf = (name: string) => `folder://guide/${name}`;
  const pagesFor = async (query: string) => {
    const { results } = await search.searchDocs(rig.ctx, { query, module: 'guide' }, undefined);
    return results.map(({ url }) => url.replace(/#.*$/, ''));
  };
  await rig.index(folder, { maxPages: 50 });
  expect(await listModules(rig.ctx)).toMatchObject([{ limits: { maxPages: 50, depth: null, seeds: [] } }]);
  expect(await pagesFor('flugelhorn maintenance')).toContain(urlOf('b.md'));
  for (const subject of ['petroleum', 'paraffin']) {
    await writeFile(join(folder, 'c.md'), page(subject));
    expect(await rig.index(folder)).toMatchObject({ status: 'COMPLETE', fetched: 1, unchanged: 2 });
    expect(await pagesFor('flugelhorn maintenance')).toContain(urlOf('b.md'));
  }
});

test('a file removed between two attempts is not in the index', async () => {
  const folder = await guideFolder({ 'a.md': page('lamps'), 'b.md': page('wicks') });
  const rig = await openRig();
  const { id } = await rig.start(folder);
  // Written by an earlier attempt, whose process was killed.
  const url = pathToFileURL(join(folder, 'gone.md')).href;
  await storeChunk(rig.blobs, `runs/${id}/00000000-00.jsonl.zst`, [sampleRecord(url, 'gone')]);
  expect(await rig.runNext()).toMatchObject({ status: 'COMPLETE', fetched: 2 });
  expect(await rig.read(url)).toBeUndefined();
  expect(await listModules(rig.ctx)).toMatchObject([{ pageCount: 2 }]);
});

test.each([
  ['is not there', async () => join(temporaryFolder(), 'nothing'), 'There is no folder'],
  ['is a file', async () => join(await guideFolder({ 'a.md': 'x' }), 'a.md'), 'is a file'],
  ['holds no documentation', async () => guideFolder({ 'a.bin': '\0\0\0' }), 'a.bin (not a documentation file)'],
])('a folder that %s fails the run with its reason', async (_how, make, words) => {
  const rig = await openRig();
  const ended = await rig.index(await make());
  expect(ended).toMatchObject({ status: 'FAILED', isCancelled: false });
  expect(ended.error).toContain(words);
  expect(await listModules(rig.ctx)).toEqual([]);
});

test('an unwritable index fails the run with advice, and the served version stays', async () => {
  const folder = await guideFolder({ 'a.md': page('lamps') });
  const data = join(temporaryFolder(), 'data');
  mkdirSync(data);
  chmodSync(join(data, '..'), 0o755);
  const user = await ordinaryUser();
  for (const path of [data, folder, join(folder, '..')]) {
    if (user !== undefined) await chown(path, user.uid, user.gid);
  }
  const index = () => cli(['index', folder, '--name', 'lamps', '--data', data], { user });
  expect(await index()).toMatchObject({ code: 0 });
  await writeFile(join(folder, 'a.md'), page('lanterns'));
  const kept = ['crawls', 'segments'].map((name) => join(data, 'blobs', name));
  for (const path of kept) chmodSync(path, 0o555);
  onTestFinished(() => kept.forEach((path) => chmodSync(path, 0o755)));
  const failed = await index();
  expect(failed.code).toBe(1);
  expect(failed.errors).toMatch(/lamps was not indexed: The folder .+ cannot be written\. Give this user write access/);
  const found = await cli(['search', 'known about', '--data', data], { user });
  expect(found.output).toContain('about lamps');
});
