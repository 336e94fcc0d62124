import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { SegmentBuilder } from '#server/engine/index.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import type { Workspace } from '#server/platform/db/schema.ts';
import { openRig, type Rig } from '#test/library/rig.ts';
import { moduleRow } from '#test/services/rows.ts';
import { samplePage } from '#test/services/sample-records.ts';
import { until } from '#test/services/until.ts';
import { insertSegment } from './module-store.ts';
import { OpenShelf } from './shelf.ts';
import type { FoundPage } from './shelf-types.ts';

const at = (path: string) => `https://docs.example/${path}`;
const source = JSON.stringify({ kind: 'site', url: at(''), seeds: [], maxPages: 10 });
type Pages = Record<string, string>;

/** Counts the opened blobs. */
function counting(blobs: Blobs): { blobs: Blobs; opened: string[]; openCount: () => number } {
  const opened: string[] = [];
  let open = 0;
  const counted: Blobs = {
    ...blobs,
    async open(key) {
      const blob = await blobs.open(key);
      opened.push(key);
      open += 1;
      const { byteLength, file } = blob;
      let isOpen = true;
      return {
        byteLength,
        file,
        read: (offset, length) => blob.read(offset, length),
        readInto: (target, offset) => blob.readInto(target, offset),
        close() {
          if (isOpen) open -= 1;
          isOpen = false;
          blob.close();
        },
      };
    },
  };
  return { blobs: counted, opened, openCount: () => open };
}

async function storeSegment(rig: Rig, moduleId: string, pages: Pages, fetchedAt = 1): Promise<string> {
  const builder = new SegmentBuilder();
  for (const [path, text] of Object.entries(pages)) builder.addPage({ ...samplePage(at(path), text), fetchedAt });
  const id = randomUUID();
  const blobKey = `segments/${moduleId}/${id}.seg`;
  const byteCount = await rig.blobs.put(blobKey, builder.finish());
  await insertSegment(rig.ctx.db.query, { id, moduleId, blobKey, byteCount, createdAt: 0 });
  return id;
}

async function addModule(rig: Rig, id: string, workspace: Workspace, versions: Pages[], fetchedAt = 1): Promise<void> {
  const segments: string[] = [];
  for (const pages of versions) segments.push(await storeSegment(rig, id, pages, fetchedAt));
  const row = moduleRow({ id, workspace, source, segments: JSON.stringify(segments), lastUpdatedAt: 1 });
  await rig.ctx.db.query.insertInto('modules').values(row).execute();
}

async function textAt(shelf: OpenShelf, ctx: Context, path: string): Promise<string | undefined> {
  const found = await shelf.findPage(ctx, at(path));
  return found?.segment.pageSnippets(found.pageIndex)[0]?.text;
}

const visitorOf = (rig: Rig): Context => ({ ...rig.ctx, actor: { kind: 'anonymous' }, workspace: null });

test('a private segment is not opened for other users', async () => {
  const rig = await openRig();
  await addModule(rig, 'open', 'public', [{ shared: 'for all' }]);
  await addModule(rig, 'secret', 'user:anna', [{ hidden: 'for anna', shared: 'as anna sees it' }]);
  const { blobs, opened } = counting(rig.blobs);
  const shelf = new OpenShelf({ db: rig.ctx.db, blobs });
  for (const stranger of [rig.as('bert'), visitorOf(rig), rig.ctx]) {
    const modules = await shelf.readableModules(stranger);
    expect(modules.map(({ moduleId }) => moduleId)).toEqual(['open']);
    expect((await shelf.openViews(modules)).map(({ module }) => module.moduleId)).toEqual(['open']);
    expect(await textAt(shelf, stranger, 'hidden')).toBeUndefined();
    expect(await textAt(shelf, stranger, 'shared')).toBe('for all');
  }
  expect(opened.filter((key) => key.includes('secret'))).toEqual([]);
  const anna = rig.as('anna');
  expect((await shelf.readableModules(anna)).map(({ moduleId }) => moduleId)).toEqual(['secret', 'open']);
  expect(await textAt(shelf, anna, 'hidden')).toBe('for anna');
  expect(await textAt(shelf, anna, 'shared')).toBe('as anna sees it');
  expect(await textAt(shelf, rig.as('bert'), 'hidden')).toBeUndefined();
  shelf.close();
});

test('a later segment hides the pages that it replaces or deletes', async () => {
  const rig = await openRig();
  const base = { a: 'old a', b: 'old b', c: 'old c' };
  await addModule(rig, 'guide', 'public', [base, { b: 'newer b', c: '' }, { b: 'newest b' }]);
  expect(await textAt(rig.shelf, rig.ctx, 'a')).toBe('old a');
  expect(await textAt(rig.shelf, rig.ctx, 'b')).toBe('newest b');
  expect(await textAt(rig.shelf, rig.ctx, 'c')).toBeUndefined();
  const views = await rig.shelf.openViews(await rig.shelf.readableModules(rig.ctx));
  expect(views.map(({ hiddenPages }) => hiddenPages)).toEqual([Uint8Array.of(0b110), Uint8Array.of(0b001), undefined]);
});

test('if several modules have a page, the private one wins, then the latest one', async () => {
  const rig = await openRig();
  await addModule(rig, 'first', 'public', [{ page: 'read early' }], 100);
  await addModule(rig, 'second', 'public', [{ page: 'read late' }], 300);
  await addModule(rig, 'third', 'public', [{ page: 'read between' }], 200);
  expect(await textAt(rig.shelf, rig.ctx, 'page')).toBe('read late');
  await addModule(rig, 'own', 'user:anna', [{ page: 'own' }], 50);
  expect(await textAt(rig.shelf, rig.as('anna'), 'page')).toBe('own');
});

test('concurrent requests open each segment once', async () => {
  const rig = await openRig();
  await addModule(rig, 'guide', 'public', [{ a: 'text' }, { b: 'text' }]);
  const { blobs, opened, openCount } = counting(rig.blobs);
  const shelf = new OpenShelf({ db: rig.ctx.db, blobs });
  const modules = await shelf.readableModules(rig.ctx);
  await Promise.all([1, 2, 3, 4].map(() => shelf.openViews(modules)));
  expect(opened).toHaveLength(2);
  shelf.close();
  await Promise.resolve();
  expect(openCount()).toBe(0);
});

test('the next search sees a new version and a new name, while the old version can still be read', async () => {
  const rig = await openRig();
  await addModule(rig, 'guide', 'public', [{ a: 'old text' }]);
  const modules = await rig.shelf.readableModules(rig.ctx);
  const [before] = await rig.shelf.openViews(modules);
  const segment = await storeSegment(rig, 'guide', { a: 'new text' });
  const change = { segments: JSON.stringify([segment]), displayName: 'The guide' };
  await rig.ctx.db.query.updateTable('modules').set(change).execute();
  expect(await textAt(rig.shelf, rig.ctx, 'a')).toBe('new text');
  const [after] = await rig.shelf.openViews(await rig.shelf.readableModules(rig.ctx));
  expect(after?.name).toBe('guide The guide');
  expect(before?.segment.pageSnippets(0)[0]?.text).toBe('old text');
});

test.each(['damaged', 'lost', 'without a row'])(
  'a module whose segment is %s is reported with a remedy',
  async (how) => {
    const rig = await openRig();
    await addModule(rig, 'broken', 'public', [{ a: 'text a' }]);
    await addModule(rig, 'sound', 'public', [{ b: 'text b' }]);
    const segments = await rig.ctx.db.query.selectFrom('segments').selectAll().execute();
    const { blobKey, id } = segments.find(({ moduleId }) => moduleId === 'broken') ?? { blobKey: '', id: '' };
    if (how === 'lost') await rig.blobs.delete(blobKey);
    else if (how === 'damaged') await writeFile(join(rig.blobFolder, blobKey), Buffer.alloc(5_000, 1));
    else await rig.ctx.db.query.deleteFrom('segments').where('id', '=', id).execute();
    const { blobs, openCount } = counting(rig.blobs);
    const shelf = new OpenShelf({ db: rig.ctx.db, blobs });
    const told = {
      code: 'index-damaged',
      message: `The index of "broken" is damaged. Refresh it, or run "lectern index ${at('')}".`,
    };
    const modules = await shelf.readableModules(rig.ctx);
    await expect(shelf.openViews(modules)).rejects.toMatchObject(told);
    await expect(shelf.findPage(rig.ctx, at('a'))).rejects.toMatchObject(told);
    // Other modules can still be found.
    const { views, unreadable } = await shelf.openSound(modules);
    expect(views.map(({ module }) => module.moduleId)).toEqual(['sound']);
    expect(unreadable).toMatchObject([{ module: { moduleId: 'broken' }, fault: told }]);
    expect(await textAt(shelf, rig.ctx, 'b')).toBe('text b');
    expect(await shelf.openViews(modules.filter(({ moduleId }) => moduleId === 'sound'))).toHaveLength(1);
    expect(openCount()).toBe(1);
    shelf.close();
  },
);

test('a replaced segment is opened in advance, and one without a row is closed', async () => {
  const rig = await openRig();
  await addModule(rig, 'one', 'public', [{ a: 'first text' }]);
  await addModule(rig, 'unread', 'public', [{ b: 'no one reads this' }]);
  const { blobs, opened, openCount } = counting(rig.blobs);
  const shelf = new OpenShelf({ db: rig.ctx.db, blobs });
  expect(await textAt(shelf, rig.ctx, 'a')).toBe('first text');
  const openedBefore = opened.length;
  const id = await storeSegment(rig, 'one', { a: 'second text' });
  const db = rig.ctx.db.query;
  await db
    .updateTable('modules')
    .set({ segments: JSON.stringify([id]) })
    .where('id', '=', 'one')
    .execute();
  await shelf.refresh();
  expect(opened.slice(openedBefore)).toEqual([`segments/one/${id}.seg`]);
  expect(await textAt(shelf, rig.ctx, 'a')).toBe('second text');
  expect(opened).toHaveLength(openedBefore + 1);
  await db.deleteFrom('modules').where('id', '=', 'one').execute();
  await db.deleteFrom('segments').where('moduleId', '=', 'one').execute();
  await shelf.refresh();
  // Closed immediately: an idle process collects no garbage, so files would stay open for hours.
  expect(openCount()).toBe(1);
  expect(await textAt(shelf, rig.ctx, 'a')).toBeUndefined();
});

test('a segment that cannot be opened does not keep others from opening, nor unreferenced ones open', async () => {
  const rig = await openRig();
  const names = ['one', 'three', 'two'];
  for (const name of names) await addModule(rig, name, 'public', [{ [name]: 'first text' }]);
  const { blobs, opened, openCount } = counting(rig.blobs);
  const shelf = new OpenShelf({ db: rig.ctx.db, blobs });
  await shelf.openViews(await shelf.readableModules(rig.ctx));
  const before = await rig.ctx.db.query.selectFrom('segments').select('id').execute();
  const keys: string[] = [];
  for (const name of names) {
    const id = await storeSegment(rig, name, { [name]: 'second text' });
    keys.push(`segments/${name}/${id}.seg`);
    const segments = JSON.stringify([id]);
    await rig.ctx.db.query.updateTable('modules').set({ segments }).where('id', '=', name).execute();
  }
  const [lost = '', ...sound] = keys;
  await rig.blobs.delete(lost);
  const ids = before.map(({ id }) => id);
  await rig.ctx.db.query.deleteFrom('segments').where('id', 'in', ids).execute();
  opened.length = 0;
  await expect(shelf.refresh()).rejects.toMatchObject({ code: 'index-damaged' });
  expect(opened.toSorted()).toEqual(sound.toSorted());
  expect(openCount()).toBe(2);
  shelf.close();
});

test('an idle private module is closed, though its readers can finish, and a public one stays open', async () => {
  const rig = await openRig();
  await addModule(rig, 'everybody', 'public', [{ a: 'for all' }]);
  await addModule(rig, 'own', rig.ctx.workspace ?? 'public', [{ b: 'for one' }]);
  const { blobs, opened, openCount } = counting(rig.blobs);
  const shelf = new OpenShelf({ db: rig.ctx.db, blobs });
  const read = async () => [await textAt(shelf, rig.ctx, 'a'), await textAt(shelf, rig.ctx, 'b')];
  expect(await read()).toEqual(['for all', 'for one']);
  shelf.letGoOfIdle();
  expect(await read()).toEqual(['for all', 'for one']);
  shelf.letGoOfIdle();
  shelf.letGoOfIdle();
  const before = opened.length;
  let reader: FoundPage | undefined = await shelf.findPage(rig.ctx, at('b'));
  expect(opened).toHaveLength(before + 1);
  for (let round = 0; round < 3; round += 1) shelf.letGoOfIdle();
  const readers = () => reader?.segment.pageSnippets(reader.pageIndex).map(({ text }) => text);
  await untilCollected(() => openCount() <= 2);
  expect(readers()).toEqual(['for one']);
  reader = undefined;
  await untilCollected(() => openCount() === 1);
  expect(await read()).toEqual(['for all', 'for one']);
});

/** Forces garbage collections until the condition holds: unreferenced segments are closed when they are collected. */
async function untilCollected(isDone: () => boolean): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  await until('it is collected', () => {
    collect();
    return isDone();
  });
}
