import { parentPort, workerData } from 'node:worker_threads';
import { createByteCache, openSegment, rankSnippets, type Segment } from '#server/engine/index.ts';
import { openLocalFile } from '#server/platform/blobs/index.ts';
import { type RankAnswer, type RankRequest, type RankThreadData, type SentView, toRows } from './rank-messages.ts';

/** Holds the postings and sequences of some twenty documentation sets that are searched repeatedly. */
const cacheBytesMax = 32 * 1024 * 1024;
const { unusedMs } = workerData as RankThreadData;
const sweepMs = Math.min(unusedMs, 10_000);

interface OpenedSegment {
  segment: Segment;
  usedAt: number;
  close(): void;
}

const cache = createByteCache(cacheBytesMax);
const opened = new Map<string, OpenedSegment>();
let sweptAt = performance.now();

function segmentOf({ key, shared }: SentView, now: number): Segment | undefined {
  const known = opened.get(key);
  if (known !== undefined) {
    known.usedAt = now;
    return known.segment;
  }
  if (shared === undefined) return undefined;
  const blob = openLocalFile(shared.file);
  try {
    const segment = openSegment(blob, cache, shared.tables);
    opened.set(key, { segment, usedAt: now, close: () => blob.close() });
    return segment;
  } catch (error) {
    blob.close();
    throw error;
  }
}

function closeUnused(now: number): void {
  if (now - sweptAt < sweepMs) return;
  sweptAt = now;
  for (const [key, { usedAt, close }] of opened) {
    if (now - usedAt < unusedMs) continue;
    opened.delete(key);
    close();
  }
}

function answerTo({ id, views, query, names, limit }: RankRequest): RankAnswer {
  const now = performance.now();
  closeUnused(now);
  const known = [];
  for (const view of views) {
    const segment = segmentOf(view, now);
    if (segment === undefined) return { kind: 'unknown', id };
    known.push({ ...view, segment });
  }
  return { kind: 'ranked', id, rows: toRows(rankSnippets(known, query, { names }).slice(0, limit)) };
}

function answer(request: RankRequest): RankAnswer {
  try {
    return answerTo(request);
  } catch {
    return { kind: 'failed', id: request.id };
  }
}

const port = parentPort;
if (port === null) throw new Error('This file is the thread that ranks.');
port.on('message', (request: RankRequest | 'close') => {
  if (request === 'close') return port.close();
  const said = answer(request);
  port.postMessage(said, said.kind === 'ranked' ? [said.rows.buffer] : []);
});
port.postMessage({ kind: 'ready' } satisfies RankAnswer);
