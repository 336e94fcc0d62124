import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dropUnservedSegment, listModules } from '#server/features/catalog/index.ts';
import { listJobs } from '#server/features/indexing/index.ts';
import { deleteJobs, listSpoolsInUse } from '#server/features/indexing/job-store.ts';
import { refreshModule } from '#server/features/indexing/start-again.ts';
import { checkJson } from '#server/platform/db/check-database.ts';
import { jsonColumns } from '#server/platform/db/stored-json.ts';
import { temporaryFolder } from '#test/services/temporary-folder.ts';
import { openRig, type Rig } from './rig.ts';

const torn = '{"kind":"fol';

async function rigWith(...names: string[]): Promise<Rig> {
  const rig = await openRig();
  for (const name of names) {
    const folder = join(temporaryFolder(), name);
    mkdirSync(folder);
    writeFileSync(join(folder, 'page.md'), `# ${name}\n\nThread the heddles of ${name}.\n`);
    await rig.index(folder, { visibility: 'public' });
  }
  return rig;
}

test('a module with a damaged source is searched, named, and repaired by a refresh', async () => {
  const rig = await rigWith('looms', 'wheels');
  const { query } = rig.ctx.db;
  const sourceOf = () =>
    query.selectFrom('modules').select(['id', 'source']).where('slug', '=', 'looms').executeTakeFirstOrThrow();
  const { id, source } = await sourceOf();
  await query.updateTable('modules').set({ source: torn }).where('id', '=', id).execute();

  const readable = await rig.shelf.readableModules(rig.ctx);
  expect((await rig.shelf.openViews(readable)).map(({ module }) => module.moduleId)).toEqual(['looms', 'wheels']);
  expect((await listModules(rig.ctx)).map(({ moduleId, isSourceLost }) => [moduleId, isSourceLost])).toEqual([
    ['looms', true],
    ['wheels', false],
  ]);
  expect(await checkJson(rig.ctx.db)).toEqual([
    { detail: `the row ${id} of modules has no readable source; refresh the module` },
  ]);

  await refreshModule(rig.ctx, { moduleId: 'looms' }, rig.notices);
  expect((await rig.runNext()).status).toBe('COMPLETE');
  expect((await sourceOf()).source).toBe(source);
});

test('if no run has the address either, a refresh says what to do, and indexing it again repairs the row', async () => {
  const rig = await rigWith('looms');
  const { query } = rig.ctx.db;
  const { url } = await query.selectFrom('jobRuns').select('url').executeTakeFirstOrThrow();
  await query.updateTable('modules').set({ source: torn }).execute();
  await query.updateTable('jobRuns').set({ settings: torn, skipReasons: torn, quality: torn }).execute();
  await expect(refreshModule(rig.ctx, { moduleId: 'looms' }, rig.notices)).rejects.toThrow(
    'Index the address again with the id "looms"',
  );
  expect(await listJobs(rig.ctx)).toMatchObject([{ moduleId: 'looms', status: 'COMPLETE', skipReasons: [] }]);
  expect(await listSpoolsInUse(query, 0)).toEqual([]);
  expect((await rig.index(url, { visibility: 'public' })).status).toBe('COMPLETE');
  expect((await listModules(rig.ctx))[0]?.isSourceLost).toBe(false);
  await query.updateTable('jobRuns').set({ settings: torn }).execute();
  await rig.ctx.db.transaction((tx) => deleteJobs(tx, 'public', 0));
  expect(await query.selectFrom('jobRuns').select('id').execute()).toEqual([]);
});

test('the name of a damaged row is refused to another address, and accepted for its own', async () => {
  const rig = await rigWith('looms');
  const { query } = rig.ctx.db;
  const { url } = await query.selectFrom('jobRuns').select('url').executeTakeFirstOrThrow();
  const other = join(temporaryFolder(), 'looms');
  mkdirSync(other);
  writeFileSync(join(other, 'page.md'), '# Others\n\nSpin the wheel of others.\n');
  const start = (source: string, input = {}) => rig.start(source, { visibility: 'public', ...input });
  await query.updateTable('modules').set({ source: torn }).execute();
  await expect(start(other)).rejects.toThrow(`already exists, made from ${url}`);
  await expect(start('https://looms.example/', { moduleId: 'looms' })).rejects.toThrow(
    `already exists, made from ${url}`,
  );
  await query.updateTable('jobRuns').set({ settings: torn }).execute();
  await expect(start(other)).rejects.toThrow('--replace');
  await query.deleteFrom('jobRuns').execute();
  await expect(start(url)).rejects.toThrow('--replace');
  await start(url, { replace: true });
  expect((await rig.runNext()).status).toBe('COMPLETE');
});

test('a failed crawl with a damaged row starts from the beginning', async () => {
  const rig = await rigWith();
  const start = () => rig.index('http://127.0.0.1:9/', { moduleId: 'looms', visibility: 'private' });
  expect((await start()).status).toBe('FAILED');
  await rig.ctx.db.query.updateTable('jobRuns').set({ settings: torn }).execute();
  expect((await start()).status).toBe('FAILED');
});

test('a run with a damaged row ends, and does not block later runs of its module', async () => {
  const rig = await rigWith('looms');
  const { query } = rig.ctx.db;
  const { url } = await query.selectFrom('jobRuns').select('url').executeTakeFirstOrThrow();
  const { id } = await rig.start(url, { visibility: 'public' });
  await query.updateTable('jobRuns').set({ settings: torn }).where('id', '=', id).execute();
  expect((await rig.runNext()).status).toBe('FAILED');
  expect((await rig.index(url, { visibility: 'public' })).status).toBe('COMPLETE');
});

test('a module with a damaged segment list keeps its files, and the other modules are searched', async () => {
  const rig = await rigWith('looms', 'wheels');
  const { query } = rig.ctx.db;
  const looms = await query.selectFrom('modules').selectAll().where('slug', '=', 'looms').executeTakeFirstOrThrow();
  await query.updateTable('modules').set({ segments: torn }).where('id', '=', looms.id).execute();
  const { views, unreadable } = await rig.shelf.openSound(await rig.shelf.readableModules(rig.ctx));
  expect(views.map(({ module }) => module.moduleId)).toEqual(['wheels']);
  expect(unreadable).toMatchObject([{ module: { moduleId: 'looms' }, fault: { code: 'index-damaged' } }]);

  const [segmentId = ''] = JSON.parse(looms.segments) as string[];
  await rig.ctx.db.transaction((tx) => dropUnservedSegment(tx, segmentId, 1));
  expect(await query.selectFrom('segments').select('id').where('droppedAt', 'is not', null).execute()).toEqual([]);
  await refreshModule(rig.ctx, { moduleId: 'looms' }, rig.notices);
  expect((await rig.runNext()).status).toBe('COMPLETE');
  expect((await rig.shelf.openSound(await rig.shelf.readableModules(rig.ctx))).unreadable).toEqual([]);
});

test('every JSON column is checked', () => {
  const folder = join(import.meta.dirname, '../../server/platform/db/tables');
  const text = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  const told = [...text.matchAll(/\/\*\* JSON(?! of the secret|\. \*)[^\n]*\*\/\n\s*(\w+):/g)].map(([, name = '']) =>
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
  expect(new Set(Object.values(jsonColumns).flat())).toEqual(new Set(told));
});
