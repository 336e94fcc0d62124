import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openSegment } from '#server/engine/index.ts';
import { type Blobs, openBlobs } from '#server/platform/blobs/index.ts';
import { sampleRecord, storeChunk } from '#test/services/sample-records.ts';
import { temporaryFolder } from '#test/services/temporary-folder.ts';
import { until } from '#test/services/until.ts';
import type { BuildTask } from './build-task.ts';
import { createSegmentBuilds, type SegmentBuildsOptions } from './segment-builds.ts';

const listening = "import { parentPort } from 'node:worker_threads'; parentPort.on('message', ";
const built = "parentPort.postMessage({ kind: 'built', result: { pageCount: 1 } })";

/** Worker programs that fail in every way a thread can. */
const faults: Record<string, string> = {
  'imports a file that is not there': "import './nowhere.ts';",
  'cannot be parsed': 'const = ;',
  'throws while it loads': "throw new Error('at import');",
  'never ends loading': 'await new Promise(() => undefined);',
  'listens to nothing': 'export {};',
  'ends before it answers': `${listening} () => process.exit(0));`,
  'throws outside a task': `${listening} () => setTimeout(() => { throw new Error('later'); }));`,
  'leaves a rejection unhandled': `${listening} () => void Promise.reject(new Error('unhandled')));`,
  'answers with what cannot be sent': `${listening} async () => parentPort.postMessage(() => 1));`,
};

async function parts(options: SegmentBuildsOptions = {}) {
  const folder = temporaryFolder();
  const config = { kind: 'folder' as const, folder };
  const builds = createSegmentBuilds(config, options);
  onTestFinished(() => builds.close());
  return { blobs: await openBlobs(config), builds, folder };
}

async function taskOf(blobs: Blobs, segmentKey = 'new.seg'): Promise<BuildTask> {
  const chunk = await storeChunk(blobs, `${segmentKey}-chunk`, [sampleRecord('https://docs.example/a', 'some text')]);
  return { chunkKeys: [chunk], baseKeys: [], kind: 'whole', segmentKey };
}

function workerOf(text: string): URL {
  const file = join(temporaryFolder(), 'worker.mjs');
  writeFileSync(file, text);
  return pathToFileURL(file);
}

test('a segment is built on a thread and can be searched', async () => {
  const { blobs, builds } = await parts();
  const [first, second] = await Promise.all([
    builds.run(await taskOf(blobs, 'one.seg')),
    builds.run(await taskOf(blobs, 'two.seg')),
  ]);
  expect(first).toMatchObject({ pageCount: 1, snippetCount: 1, tokenCount: 2 });
  expect(second).toEqual(first);
  const blob = await blobs.open('one.seg');
  expect(openSegment(blob).page(0).url).toBe('https://docs.example/a');
  expect(first.byteCount).toBe(blob.byteLength);
});

const threadCount = () => (process.report.getReport() as { workers: unknown[] }).workers.length;

test('a thread ends after being idle, unless a prepared chunk waits for its build', async () => {
  const { blobs, builds } = await parts({ idleMs: 20 });
  const before = threadCount();
  await builds.run(await taskOf(blobs, 'one.seg'));
  await until('the thread is gone', () => threadCount() === before, 60_000);
  const task = await taskOf(blobs, 'two.seg');
  const [chunk = ''] = task.chunkKeys;
  builds.prepare(chunk);
  await builds.run(task);
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(threadCount()).toBe(before + 1);
  builds.forget([chunk]);
  await until('the thread is gone', () => threadCount() === before, 60_000);
}, 120_000);

test('a prestarted thread serves the next build, or ends if none comes', async () => {
  const { blobs, builds } = await parts();
  const before = threadCount();
  builds.warm();
  await until('the thread is there', () => threadCount() === before + 1, 60_000);
  builds.warm();
  expect(await builds.run(await taskOf(blobs))).toMatchObject({ pageCount: 1 });
  expect(threadCount()).toBe(before + 1);
  await builds.close();
  const { builds: soonIdle } = await parts({ idleMs: 3_000 });
  soonIdle.warm();
  await until('the thread is there', () => threadCount() === before + 1, 60_000);
  await until('the thread is gone', () => threadCount() === before, 60_000);
}, 120_000);

test.each(Object.keys(faults))('a thread that %s ends the build with an error every time', async (fault) => {
  const { blobs, builds } = await parts({ workerFile: workerOf(faults[fault] ?? '') });
  const task = await taskOf(blobs);
  const sentence = /^The index could not be built: .+\. Start it again: fetched pages are kept\.$/;
  for (const _round of [1, 2]) {
    await expect(builds.run(task)).rejects.toMatchObject({
      code: 'build-failed',
      message: expect.stringMatching(sentence),
    });
  }
});

test.each(['process.exit(3)', 'Promise.reject(new Error())'])(
  'a thread that ended after its work (%s) is replaced for the next build',
  async (death) => {
    const marker = join(temporaryFolder(), 'dead');
    const die = `process.on('exit', () => fs.writeFileSync(${JSON.stringify(marker)}, '')); ${death}`;
    const workerFile = workerOf(
      `import fs from 'node:fs'; ${listening} () => { ${built}; setTimeout(() => { ${die} }, 20); });`,
    );
    const { blobs, builds } = await parts({ workerFile });
    const task = await taskOf(blobs);
    await builds.run(task);
    await until('the thread has ended', () => existsSync(marker));
    await expect(builds.run(task)).resolves.toEqual({ pageCount: 1 });
  },
);

test('an unresponsive thread is ended and the next build gets another', async () => {
  const deaf = workerOf(`${listening} () => undefined);`);
  const { blobs, builds } = await parts({ workerFile: deaf, silenceMsMax: 300 });
  const task = await taskOf(blobs);
  for (const _round of [1, 2]) await expect(builds.run(task)).rejects.toMatchObject({ code: 'build-stuck' });
  const busy = workerOf(`${listening} () => { for (;;); });`);
  const looping = await parts({ workerFile: busy, silenceMsMax: 300 });
  await expect(looping.builds.run(task)).rejects.toMatchObject({ code: 'build-stuck' });
});

test('heartbeats keep a long build running', async () => {
  const talking = workerOf(
    `${listening} () => { let n = 0; const t = setInterval(() => { parentPort.postMessage({ kind: 'alive' }); if (++n > 25) { clearInterval(t); ${built}; } }, 100); });`,
  );
  const { blobs, builds } = await parts({ workerFile: talking, silenceMsMax: 2_000 });
  await expect(builds.run(await taskOf(blobs))).resolves.toEqual({ pageCount: 1 });
});

test('a thread that runs out of memory is reported', async () => {
  const greedy = workerOf(
    `${listening} () => { const all = []; for (;;) all.push(new Array(1e6).fill(all.length)); });`,
  );
  const { blobs, builds } = await parts({ workerFile: greedy, heapMegabytesMax: 64 });
  await expect(builds.run(await taskOf(blobs))).rejects.toMatchObject({ code: 'build-memory' });
});

test('an aborted build ends immediately, queued or running, and does not delay the next one', async () => {
  const marker = JSON.stringify(join(temporaryFolder(), 'begun'));
  const firstHangs = `if (fs.existsSync(${marker})) { ${built}; } else fs.writeFileSync(${marker}, '');`;
  const workerFile = workerOf(`import fs from 'node:fs'; ${listening} () => { ${firstHangs} });`);
  const { blobs, builds } = await parts({ workerFile });
  const task = await taskOf(blobs);
  const [running, waiting] = [new AbortController(), new AbortController()];
  const first = builds.run(task, running.signal);
  const second = builds.run(task, waiting.signal);
  const third = builds.run(task);
  waiting.abort(new Error('second stopped'));
  await expect(second).rejects.toThrow('second stopped');
  await until('the first build has begun', () => existsSync(JSON.parse(marker) as string));
  running.abort(new Error('first stopped'));
  await expect(first).rejects.toThrow('first stopped');
  await expect(third).resolves.toEqual({ pageCount: 1 });
  await expect(builds.run(task, running.signal)).rejects.toThrow('first stopped');
});

test('closing refuses running and queued builds without waiting', async () => {
  const { blobs, builds } = await parts({ workerFile: workerOf(`${listening} () => undefined);`) });
  const task = await taskOf(blobs);
  const refused = Promise.allSettled([builds.run(task), builds.run(task)]);
  await builds.close();
  expect((await refused).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(builds.run(task)).rejects.toThrow('building was stopped');
});

test('a blob store fault keeps its message; a damaged base is distinguished from other faults', async () => {
  const { blobs, builds } = await parts();
  const task = await taskOf(blobs);
  await expect(builds.run({ ...task, chunkKeys: ['missing'] })).rejects.toMatchObject({
    name: 'BlobError',
    code: 'not-found',
  });
  await blobs.put('base.seg', Buffer.from('no segment at all, but long enough to have a header of its own'));
  await expect(builds.run({ ...task, baseKeys: ['base.seg'] })).rejects.toMatchObject({ code: 'base-damaged' });
  await expect(builds.run(task)).resolves.toMatchObject({ pageCount: 1 });
});
