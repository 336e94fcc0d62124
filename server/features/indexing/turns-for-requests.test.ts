import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { SegmentBuilder, type Snippet } from '#server/engine/index.ts';
import { insertSegment } from '#server/features/catalog/module-store.ts';
import { openRig } from '#test/library/rig.ts';
import { segmentOf } from '#test/services/random-modules.ts';
import { moduleRow } from '#test/services/rows.ts';
import { samplePage } from '#test/services/sample-records.ts';
import { makeProbes } from './judge-version.ts';
import { openPreviousVersion } from './previous-version.ts';
import { compareVersions } from './quality-gate.ts';

/** Returns how many turns of the event loop other code got while `work` ran. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  try {
    await work();
    return turns;
  } finally {
    clearImmediate(next);
  }
}

const pagesOf = (count: number) =>
  Array.from({ length: count }, (_, at) => samplePage(`https://docs.example/${at}`, `text number ${at} of many`));

test('requests are served while pages are read to generate questions', async () => {
  const view = { segment: segmentOf(pagesOf(60)), key: 'a', name: 'sample' };
  const turns = await turnsDuring(() => makeProbes([view]));
  // One turn for each page that is read and each question that is tried.
  expect(turns).toBeGreaterThanOrEqual(110);
});

test('requests are served while two versions of a page of thousands of passages are compared', async () => {
  const page = samplePage('https://docs.example/', 'a text of many words about kettles');
  const passages = Array.from({ length: 10_000 }, (_, at) => ({ ...page.snippets[0], id: `${at}` }) as Snippet);
  const segment = segmentOf([{ ...page, snippets: passages }]);
  let read = 0;
  const snippet = (at: number) => {
    read += 1;
    return segment.snippet(at);
  };
  const view = { segment: { ...segment, snippet }, key: 'a', name: 'sample' };
  const probes = Array.from({ length: 40 }, (_, at) => ({ question: `kettles ${at}`, address: page.url }));
  const turns = await turnsDuring(() => compareVersions([view], [view], probes, { isSite: true }));
  // One turn for each question in each version, and for each comparison.
  expect(turns).toBeGreaterThanOrEqual(110);
  expect(read).toBeLessThan(80 * 300);
  // Of a page that keeps only its beginning, all answers are missed.
  const begun = { segment: segmentOf([{ ...page, snippets: passages.slice(0, 500) }]), key: 'b', name: 'sample' };
  const verdict = await compareVersions([view], [begun], probes, { isSite: true });
  expect([verdict?.quality.before.answered, verdict?.quality.after.answered]).toEqual([40, 0]);
});

test('requests are served while a refresh reads the content of a large module', async () => {
  const rig = await openRig();
  const builder = new SegmentBuilder();
  for (const page of pagesOf(2_000)) builder.addPage(page);
  const [id, blobKey] = [randomUUID(), 'segments/large/a.seg'];
  await rig.blobs.put(blobKey, builder.finishChunks());
  const row = moduleRow({ id: 'large', segments: JSON.stringify([id]) });
  await rig.ctx.db.query.insertInto('modules').values(row).execute();
  await insertSegment(rig.ctx.db.query, { id, moduleId: 'large', blobKey, createdAt: 0 });
  const module = await rig.ctx.db.query.selectFrom('modules').selectAll().executeTakeFirstOrThrow();
  await rig.shelf.openSegments([id], new Map([[id, blobKey]]));
  const turns = await turnsDuring(async () => {
    const previous = await openPreviousVersion(rig.ctx, module, rig.blobs, rig.shelf);
    expect(previous.urls()).toHaveLength(2_000);
    previous.close();
  });
  expect(turns).toBeGreaterThanOrEqual(10);
});
