import { parentPort, workerData } from 'node:worker_threads';
import { createByteCache, openSegment, rankSnippets, type Segment, toHits } from '#server/engine/index.ts';
import { openLocalFile } from '#server/platform/blobs/index.ts';
import { toCandidate } from './candidate.ts';
import { packAnswer } from './pack-answer.ts';
import {
  fromRows,
  type RankThreadData,
  type SentView,
  type ThreadAnswer,
  type ThreadRequest,
  toRows,
} from './rank-messages.ts';
import { nothingBeside } from './search-renderings.ts';

/** Postings and sequences of some twenty documentation sets that questions ask for again and again. */
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

/** Undefined where a segment must be sent. */
function known<View extends SentView>(views: readonly View[]): (View & { segment: Segment })[] | undefined {
  const now = performance.now();
  closeUnused(now);
  const opened: (View & { segment: Segment })[] = [];
  for (const view of views) {
    const segment = segmentOf(view, now);
    if (segment === undefined) return undefined;
    opened.push({ ...view, segment });
  }
  return opened;
}

function answerTo(request: ThreadRequest): ThreadAnswer {
  const { id } = request;
  if (request.kind === 'rank') {
    const { query, names, limit } = request;
    const views = known(request.views);
    if (views === undefined) return { kind: 'unknown', id };
    return { kind: 'ranked', id, rows: toRows(rankSnippets(views, query, { names }).slice(0, limit)) };
  }
  const views = known(request.views);
  if (views === undefined) return { kind: 'unknown', id };
  const candidatesOf = (rows: Float64Array) => toHits(views, fromRows(rows)).map(toCandidate);
  const candidates = candidatesOf(request.candidates);
  const { hits, ...packed } = packAnswer({
    ...request.options,
    candidates,
    sentBefore: candidatesOf(request.sentBefore),
    rendering: 'text',
    beside: nothingBeside,
    // Who asked makes an answer without passages.
    noteWhenEmpty: () => '',
  });
  const places = hits.map(({ candidate, text: _, ...hit }) => ({ ...hit, at: candidates.indexOf(candidate) }));
  return { kind: 'packed', id, packed: { ...packed, hits: places } };
}

function answer(request: ThreadRequest): ThreadAnswer {
  try {
    return answerTo(request);
  } catch (error) {
    return { kind: 'failed', id: request.id, reason: error instanceof Error ? error.message : String(error) };
  }
}

const port = parentPort;
if (port === null) throw new Error('This file is the thread that ranks.');
port.on('message', (request: ThreadRequest | 'close') => {
  if (request === 'close') return port.close();
  const said = answer(request);
  port.postMessage(said, said.kind === 'ranked' ? [said.rows.buffer] : []);
});
port.postMessage({ kind: 'ready' } satisfies ThreadAnswer);
