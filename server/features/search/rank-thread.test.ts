import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openSegment, type SearchHit, SegmentBuilder, type SegmentView } from '#server/engine/index.ts';
import { openLocalFile } from '#server/platform/blobs/index.ts';
import { pageOf } from '#test/services/random-modules.ts';
import { fromRows, toRows } from './rank-messages.ts';
import { RankThread, type RankThreadOptions, rankHere } from './rank-thread.ts';

const folder = mkdtempSync(join(tmpdir(), 'lectern-rank-'));
afterAll(() => rmSync(folder, { recursive: true }));
const limit = 30;
let files = 0;

/** Creates a segment in a file, opened the way the shelf opens it. */
function moduleOf(name: string, more: Partial<SegmentView> = {}): SegmentView & { file: string } {
  const builder = new SegmentBuilder();
  for (let at = 0; at < 12; at += 1) {
    builder.addPage(pageOf(`http://${name}/${at}`, `${name} ${at}`, [`Boil water ${at}, then ${name}.`]));
  }
  files += 1;
  const file = join(folder, `${files}.seg`);
  writeFileSync(file, builder.finish());
  return { segment: openSegment(openLocalFile(file)), key: `segment ${files}`, name, file, ...more };
}

function threadOf(more: Partial<RankThreadOptions> = {}) {
  const faults: unknown[] = [];
  const ranker = new RankThread({ onFault: (fault) => faults.push(fault), ...more });
  onTestFinished(() => ranker.close());
  const begun = (views: SegmentView[], query = 'boil water') =>
    ranker.beside(async () => {
      await Promise.resolve();
      return ranker.rank(views, query, { limit });
    });
  /** Ranks the query twice concurrently: a single search is never sent to the thread. */
  const crowded = async (views: SegmentView[], query?: string): Promise<SearchHit[]> =>
    (await Promise.all([begun(views, query), begun(views, query)]))[0];
  const untilHelping = async (views: SegmentView[]) => {
    while (!ranker.isHelping) await Promise.all([crowded(views), after(5)]);
  };
  return { ranker, begun, crowded, untilHelping, faults };
}

/** Returns a copy of the view that only the thread can rank: ranking it in this process fails. */
function onlyThere(view: SegmentView): SegmentView {
  const segment = Object.defineProperty({ ...view.segment }, 'index', {
    get() {
      throw new Error('ranked here');
    },
  });
  return { ...view, segment };
}

const summary = (hits: SearchHit[]) =>
  hits.map(({ view, pageIndex, snippetIndex, score, parts }) => [view.key, pageIndex, snippetIndex, score, parts]);

test('concurrent searches are ranked on the thread, with the same result', async () => {
  const hiddenPages = Uint8Array.of(0b101);
  const views = [moduleOf('pour', { hiddenPages }), moduleOf('stir', { boost: 2 }), moduleOf('serve')];
  const some = [...views.slice(0, 2), { ...(views[2] as SegmentView), onlyPages: Uint32Array.of(2, 3) }];
  const { crowded, untilHelping, faults } = threadOf();
  await untilHelping(views);
  for (const query of ['boil water', 'pour', 'how to serve the kettle', '"boil water 3"', 'nothing of this xyz']) {
    for (const asked of [views, some, views.slice(1)]) {
      const here = await rankHere.rank(asked, query, { limit });
      expect(summary(await crowded(asked.map(onlyThere), query))).toEqual(summary(here));
    }
  }
  expect(faults).toEqual([]);
});

test('a single search is ranked on the calling thread', async () => {
  const view = moduleOf('pour');
  const { begun, untilHelping } = threadOf();
  await untilHelping([view]);
  await expect(begun([onlyThere(view)])).rejects.toThrow('ranked here');
});

test('a single search of many modules is ranked on the thread, which starts with the first one', async () => {
  const views = Array.from({ length: 200 }, (_, at) => moduleOf(`pour${at}`));
  const { ranker, begun, faults } = threadOf();
  const here = await begun(views, 'boil water 3');
  while (!ranker.isHelping) await after(5);
  expect(summary(await begun(views.map(onlyThere), 'boil water 3'))).toEqual(summary(here));
  expect(faults).toEqual([]);
});

test('a deleted segment file or an in-memory segment is ranked on the calling thread', async () => {
  const known = moduleOf('pour');
  const { crowded, untilHelping } = threadOf();
  await untilHelping([known]);
  const gone = moduleOf('stir');
  rmSync(gone.file);
  const { shared: _, ...unshared } = known.segment;
  for (const view of [gone, { ...known, segment: { ...unshared, shared: undefined } }]) {
    expect((await crowded([view])).length).toBe(12);
    await expect(crowded([onlyThere(view)])).rejects.toThrow('ranked here');
  }
});

test('a changed segment is reported to the caller', async () => {
  const known = moduleOf('pour');
  const { crowded, untilHelping, faults } = threadOf();
  await untilHelping([known]);
  const damaged = moduleOf('stir');
  const { byteLength } = openLocalFile(damaged.file);
  const bytes = Buffer.from(openLocalFile(damaged.file).read(0, byteLength));
  writeFileSync(damaged.file, bytes.fill(0, 200, 400));
  await expect(crowded([damaged])).rejects.toThrow('The segment was changed');
  expect((await crowded([known])).length).toBe(12);
  expect(faults).toEqual([]);
});

// Linux lists a thread's open files.
test.skipIf(!existsSync('/proc/self/fd'))(
  'segments that no one searches are closed on the thread and reopened when needed',
  async () => {
    const [first, second] = [moduleOf('pour'), moduleOf('stir')];
    const { crowded, untilHelping } = threadOf({ unusedMs: 40 });
    await untilHelping([first]);
    const readersOf = ({ file }: { file: string }) =>
      readdirSync('/proc/self/fd').filter((fd) => linkOf(`/proc/self/fd/${fd}`) === file).length;
    await crowded([onlyThere(first)]);
    expect(readersOf(first)).toBe(2);
    await after(60);
    await crowded([onlyThere(second)]);
    expect(readersOf(first)).toBe(1);
    expect((await crowded([onlyThere(first), onlyThere(second)])).length).toBe(24);
  },
);

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

test('the thread ends when idle, and another is started when needed', async () => {
  const view = moduleOf('pour');
  const { ranker, crowded, untilHelping, faults } = threadOf({ idleMs: 30 });
  await untilHelping([view]);
  while (ranker.isHelping) await after(5);
  expect((await crowded([view])).length).toBe(12);
  await untilHelping([view]);
  expect((await crowded([onlyThere(view)])).length).toBe(12);
  expect(faults).toEqual([]);
});

test('a search on a thread that breaks is ranked on the calling thread, and the fault is reported', async () => {
  const started: Worker[] = [];
  const note = (worker: Worker) => void started.push(worker);
  process.on('worker', note);
  onTestFinished(() => void process.off('worker', note));
  const view = moduleOf('pour');
  const { ranker, begun, untilHelping, faults } = threadOf();
  await untilHelping([view]);
  const asked = Array.from({ length: 4 }, () => begun([view]));
  await Promise.all(started.map((worker) => worker.terminate()));
  for (const hits of await Promise.all(asked)) expect(hits.length).toBe(12);
  expect([started.length, faults.length, ranker.isHelping]).toEqual([1, 1, false]);
});

test('a search on a thread that is closed is ranked on the calling thread', async () => {
  const view = moduleOf('pour');
  const { ranker, begun, untilHelping } = threadOf();
  await untilHelping([view]);
  const asked = Array.from({ length: 4 }, () => begun([view]));
  const closed = ranker.close();
  for (const hits of await Promise.all(asked)) expect(hits.length).toBe(12);
  await closed;
  expect(ranker.isHelping).toBe(false);
});

test('ranked hits are the same after encoding as numbers', async () => {
  const [hit] = await rankHere.rank([moduleOf('pour')], 'how to pour water', { limit: 1 });
  const ranked = { view: 0, page: 3, snippet: 4, score: 0.1, parts: (hit as SearchHit).parts };
  expect(fromRows(toRows([ranked, { ...ranked, view: 1 }]))).toEqual([ranked, { ...ranked, view: 1 }]);
  expect(fromRows(toRows([]))).toEqual([]);
});
