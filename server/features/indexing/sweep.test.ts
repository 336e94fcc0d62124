import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { plans } from '#contract/plans.ts';
import { type Segment, SegmentBuilder } from '#server/engine/index.ts';
import { insertSegment } from '#server/features/catalog/module-store.ts';
import { OpenShelf } from '#server/features/catalog/shelf.ts';
import { deleteGivenUp } from '#server/platform/blobs/blob-deletions.ts';
import type { Schema } from '#server/platform/db/schema.ts';
import { openRig } from '#test/library/rig.ts';
import { moduleRow, userRow } from '#test/services/rows.ts';
import { samplePage } from '#test/services/sample-records.ts';
import { createSettableClock } from '#test/services/settable-clock.ts';
import { findOrphans } from './check-library.ts';
import { deleteJobs, type JobRow } from './job-store.ts';
import { sweepDroppedSegments, sweepEndedSpools } from './sweep.ts';

const bytes = Buffer.from('some bytes');
const graceMs = (limits.callTimeoutSeconds + 20) * 1000;

async function openParts() {
  const clock = createSettableClock();
  const rig = await openRig({ clock });
  const add = async (id: string, moduleId: string, droppedAt: number | null) => {
    const blobKey = `segments/${moduleId}/${id}.seg`;
    await rig.blobs.put(blobKey, bytes);
    await insertSegment(rig.ctx.db.query, { id, moduleId, blobKey, createdAt: 0, droppedAt });
  };
  await rig.ctx.db.query
    .insertInto('modules')
    .values(moduleRow({ id: 'kept', segments: '["new"]' }))
    .execute();
  await rig.blobs.put('crawls/kept.zst', bytes);
  return { clock, rig, add };
}

test('a replaced segment stays for the longest call, then its row is deleted and its blob moves to the trash', async () => {
  const { clock, rig, add } = await openParts();
  await add('new', 'kept', null);
  await add('old', 'kept', clock.now());
  clock.advance(graceMs);
  await sweepDroppedSegments(rig.ctx, rig.deps);
  expect(await rig.blobKeys()).toContain('segments/kept/old.seg');
  clock.advance(1);
  await sweepDroppedSegments(rig.ctx, rig.deps);
  expect(await rig.blobKeys()).toEqual([
    'crawls/kept.zst',
    'segments/kept/new.seg',
    'trash/2026-01-01/segments/kept/old.seg',
  ]);
  const rows = await rig.ctx.db.query.selectFrom('segments').select('id').execute();
  expect(rows).toEqual([{ id: 'new' }]);
});

test('nothing remains of a removed module', async () => {
  const { clock, rig, add } = await openParts();
  await add('one', 'removed', clock.now());
  await add('two', 'removed', clock.now());
  await rig.blobs.put('crawls/removed.zst', bytes);
  await rig.blobs.put('trash/2025-12-30/segments/removed/before.seg', bytes);
  clock.advance(graceMs + 1);
  await sweepDroppedSegments(rig.ctx, rig.deps);
  expect(await rig.blobKeys()).toEqual(['crawls/kept.zst']);
});

test('orphans are distinguished from spools that a run can continue from; expired spools are deleted', async () => {
  const { clock, rig, add } = await openParts();
  await add('new', 'kept', null);
  await add('old', 'kept', clock.now());
  const { id: failed } = await rig.start('https://a.example/');
  await rig.ctx.db.query.updateTable('jobRuns').set({ status: 'FAILED', endTime: clock.now() }).execute();
  const { id: done } = await rig.start('https://b.example/');
  await rig.ctx.db.query.updateTable('jobRuns').set({ status: 'COMPLETE' }).where('id', '=', done).execute();
  const { id: waiting } = await rig.start('https://c.example/');
  const kept = ['segments/kept/new.seg', 'segments/kept/old.seg', 'crawls/kept.zst'];
  const orphans = ['segments/kept/never.seg', 'segments/gone/x.seg', 'crawls/gone.zst', `runs/${done}/0.zst`];
  const spools = [`runs/${failed}/0.zst`, `runs/${waiting}/0.zst`];
  for (const key of [...orphans, ...spools]) await rig.blobs.put(key, bytes);
  expect((await findOrphans(rig.ctx, rig.blobs)).sort()).toEqual([...orphans].sort());
  await sweepEndedSpools(rig.ctx, rig);
  const strangers = orphans.filter((key) => !key.startsWith(`runs/${done}`));
  expect(await rig.blobKeys()).toEqual([...kept, ...strangers, ...spools].sort());
  clock.advance(8 * 24 * 3_600_000);
  await sweepEndedSpools(rig.ctx, rig);
  expect(await rig.blobKeys()).toEqual([...kept, ...strangers, `runs/${waiting}/0.zst`].sort());
});

test('of a workspace’s spools of failed runs the newest are kept, up to the size of a small index', async () => {
  const { clock, rig } = await openParts();
  const failed = async (source: string, ctx = rig.ctx, status: JobRow['status'] = 'FAILED') => {
    clock.advance(1);
    const { id } = await rig.start(source, { visibility: 'private' }, ctx);
    await rig.ctx.db.query.updateTable('jobRuns').set({ status }).where('id', '=', id).execute();
    const key = `runs/${id}/0.zst`;
    await rig.blobs.put(key, bytes);
    truncateSync(join(rig.blobFolder, key), plans.Free.indexBytes / 2);
    return key;
  };
  await rig.ctx.db.query
    .insertInto('users')
    .values(userRow({ id: 'bert' }))
    .execute();
  await failed('https://a.example/');
  const kept = [
    await failed('https://b.example/', rig.ctx, 'CRAWLING'),
    await failed('https://c.example/', rig.as('bert')),
    await failed('https://d.example/'),
    await failed('https://e.example/'),
  ];
  await sweepEndedSpools(rig.ctx, rig);
  expect((await rig.blobKeys()).filter((key) => key.startsWith('runs/')).sort()).toEqual(kept.sort());
});

test('runs deleted with their workspace take their spools along', async () => {
  const { rig } = await openParts();
  const { id } = await rig.start('https://a.example/', { visibility: 'private' });
  const { workspace } = await rig.ctx.db.query.selectFrom('jobRuns').select('workspace').executeTakeFirstOrThrow();
  await rig.blobs.put(`runs/${id}/0.zst`, bytes);
  await rig.ctx.db.transaction((tx) => deleteJobs(tx, workspace, 1));
  await deleteGivenUp({ ...rig.ctx, blobs: rig.blobs });
  expect((await rig.blobKeys()).filter((key) => key.startsWith('runs/'))).toEqual([]);
});

test('a segment opened while a sweep reads the rows stays open', async () => {
  const { rig } = await openParts();
  const bytesOf = (text: string) => {
    const builder = new SegmentBuilder();
    builder.addPage(samplePage('https://docs.example/a', text));
    return builder.finish();
  };
  let looks = 0;
  let late: Segment | undefined;
  const db = {
    ...rig.ctx.db,
    query: (rig.ctx.db.query as Kysely<Schema>).withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        looks += 1;
        // The second query returns the rows as they were before this segment was added.
        if (looks === 2) late = await add('late', 'a text that came late');
        return result;
      },
    }),
  };
  const shelf = new OpenShelf({ db, blobs: rig.blobs });
  const add = async (id: string, text: string) => {
    const blobKey = `segments/kept/${id}.seg`;
    await rig.blobs.put(blobKey, bytesOf(text));
    await insertSegment(rig.ctx.db.query, { id, moduleId: 'kept', blobKey, createdAt: 0 });
    return (await shelf.openSegments([id], new Map([[id, blobKey]])))[0];
  };
  await add('early', 'a text that was there');
  await sweepDroppedSegments({ ...rig.ctx, db }, { blobs: rig.blobs, shelf });
  expect(late?.pageSnippets(0)[0]?.text).toContain('a text that came late');
  shelf.close();
});
