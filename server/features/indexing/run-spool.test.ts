import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { decodeSpoolChunk, readSpoolLines, type SpoolRecord } from '#server/ingest/build/spool.ts';
import { type Blobs, openBlobs } from '#server/platform/blobs/index.ts';
import { sampleRecord } from '#test/services/sample-records.ts';
import { createSettableClock } from '#test/services/settable-clock.ts';
import { temporaryFolder } from '#test/services/temporary-folder.ts';
import { openRunSpool, type RunSpool } from './run-spool.ts';

async function openParts() {
  const blobs = await openBlobs({ kind: 'folder', folder: temporaryFolder() });
  const clock = createSettableClock();
  return { blobs, clock, open: () => openRunSpool({ blobs, clock }, 'spool') };
}

const record = (at: number, text = `text ${at}`) => sampleRecord(`https://docs.example/${at}`, text);
const unchanged = (at: number): SpoolRecord => ({ ...record(at), status: 'unchanged', page: undefined });

async function earlierOf(spool: RunSpool): Promise<string[]> {
  const urls: string[] = [];
  for await (const { url } of spool.earlier()) urls.push(url.replace('https://docs.example/', ''));
  return urls;
}

async function sizesOf(blobs: Blobs, keys: string[]): Promise<number[]> {
  return Promise.all(
    keys.map(async (key) => {
      const blob = await blobs.open(key);
      return decodeSpoolChunk(blob.read(0, blob.byteLength)).length;
    }),
  );
}

test('records are read back in the order they were added, even if added concurrently', async () => {
  const { open } = await openParts();
  const spool = await open();
  const numbers = Array.from({ length: 200 }, (_, at) => at);
  await Promise.all(numbers.map((at) => spool.add(record(at))));
  await Promise.all([spool.flush(), spool.flush()]);
  expect(await earlierOf(await open())).toEqual(numbers.map(String));
  expect(await earlierOf(spool)).toEqual([]);
});

test('a later attempt adds to the records of an earlier one without replacing any, even if both write', async () => {
  const { open } = await openParts();
  const first = await open();
  await first.add(record(1));
  await first.flush();
  const [second, third] = [await open(), await open()];
  await second.add(record(2));
  await second.flush();
  await third.add(record(3));
  await third.flush();
  const all = await open();
  expect((await earlierOf(all)).sort()).toEqual(['1', '2', '3']);
  expect((await earlierOf(all))[0]).toBe('1');
  expect(all.chunkKeys()).toHaveLength(3);
  await all.remove();
  expect(await earlierOf(await open())).toEqual([]);
});

test('a chunk is written when it has many records, much text, many links or is old', async () => {
  const { blobs, clock, open } = await openParts();
  const spool = await open();
  for (let at = 0; at < 50; at += 1) await spool.add(record(at));
  expect(await sizesOf(blobs, spool.chunkKeys())).toEqual([48]);
  await spool.add(record(50, 'word '.repeat(900_000)));
  expect(await sizesOf(blobs, spool.chunkKeys())).toEqual([48, 3]);
  const links = Array.from({ length: 60_000 }, (_, at) => ({
    url: `https://docs.example/a/long/address/of/a/page/${at}`,
    text: 'the text of a link that is long',
    fromContent: false,
  }));
  await spool.add({ ...unchanged(51), links });
  expect(await sizesOf(blobs, spool.chunkKeys())).toEqual([48, 3, 1]);
  await spool.add(record(52));
  clock.advance(4_000);
  await spool.add(record(53));
  clock.advance(1_000);
  expect(spool.chunkKeys()).toHaveLength(3);
  await spool.add(record(54));
  expect(await sizesOf(blobs, spool.chunkKeys())).toEqual([48, 3, 1, 3]);
});

test('chunks with new pages are announced once, and before they are written with their future content', async () => {
  const { blobs, open } = await openParts();
  const spool = await open();
  await spool.add(unchanged(1));
  await spool.flush();
  expect(spool.ahead()).toEqual({ keys: [], unwritten: new Map() });
  for (let at = 2; at < 60; at += 1) await spool.add(record(at));
  const { keys, unwritten } = spool.ahead();
  expect(spool.chunkKeys()).toEqual([expect.anything(), keys[0]]);
  expect([...unwritten.keys()]).toEqual([keys[1]]);
  expect(spool.ahead()).toEqual({ keys: [], unwritten });
  await spool.flush();
  expect(spool.chunkKeys().slice(1)).toEqual(keys);
  expect(await sizesOf(blobs, keys)).toEqual([48, 10]);
  const blob = await blobs.open(keys[1] ?? '');
  expect(readSpoolLines(unwritten.get(keys[1] ?? '') ?? new Uint8Array())).toEqual(
    decodeSpoolChunk(blob.read(0, blob.byteLength)),
  );
  expect(spool.ahead()).toEqual({ keys: [], unwritten: new Map() });
});

test('records of a failed write do not count as written, and the next write includes them', async () => {
  const { blobs, open } = await openParts();
  let isFull = true;
  const failing: Blobs = {
    ...blobs,
    put: (key, content) => (isFull ? Promise.reject(new Error('full')) : blobs.put(key, content)),
  };
  const spool = await openRunSpool({ blobs: failing, clock: createSettableClock() }, 'spool');
  await spool.add(record(1));
  await expect(spool.flush()).rejects.toThrow('full');
  expect(spool.chunkKeys()).toEqual([]);
  isFull = false;
  await spool.add(record(2));
  await spool.flush();
  expect(spool.ahead().keys).toEqual(spool.chunkKeys());
  expect(await earlierOf(await open())).toEqual(['1', '2']);
});

test('a chunk is not begun before the previous one is stored, so a killed process leaves no gap', async () => {
  const { blobs } = await openParts();
  let underWay = 0;
  let underWayMax = 0;
  const watched: Blobs = {
    ...blobs,
    async put(key, content) {
      underWay += 1;
      underWayMax = Math.max(underWayMax, underWay);
      const byteLength = await blobs.put(key, content);
      underWay -= 1;
      return byteLength;
    },
  };
  const spool = await openRunSpool({ blobs: watched, clock: createSettableClock() }, 'spool');
  const writing: Promise<unknown>[] = [];
  for (let at = 0; at < 20; at += 1) {
    writing.push(spool.add(record(at)), spool.flush());
    await setImmediate();
  }
  await Promise.all(writing);
  expect(spool.chunkKeys()).toEqual(await blobs.list('runs/'));
  expect(spool.chunkKeys().length).toBeGreaterThan(1);
  expect(underWayMax).toBe(1);
});
