import type { Context } from '#server/context.ts';
import { createByteCache, openSegment, type Segment } from '#server/engine/index.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import { EmbeddingError, type EmbeddingModel } from '#server/platform/embeddings/embedding-model.ts';
import { testEmbeddingModel } from '#server/platform/embeddings/test-embedding-model.ts';
import { listSegments } from './module-store.ts';
import { encodePart, partKey, passagesPerPart, vectorsPrefix } from './passage-vectors.ts';
import { isDamage } from './segment-damage.ts';

/** Passages per request: a slow machine needs 50 ms for each, and a search's question may wait behind them. */
const passagesAskedAtOnce = 8;
const answerMs = 120_000;
const testMs = 60_000;
/** Models read some 400 words. If a service rejects longer input, less of each passage is sent. */
const charactersTried = [1_500, 600, 250];
const readerCacheBytes = 4 * 1024 * 1024;

/**
 * Computes vectors for all passages that have none, storing each part as soon as it is complete. Deletes vectors of
 * other models. Tests the model first. Safe to run in several processes at once, although they may compute the same
 * vectors. Throws EmbeddingError, BlobError and the signal's abort reason.
 */
export async function makePassageVectors(
  ctx: Context,
  { blobs, model }: { blobs: Blobs; model: EmbeddingModel },
  signal?: AbortSignal,
): Promise<void> {
  const made = new Set(await blobs.list(vectorsPrefix));
  const segments = await listSegments(ctx.db.query);
  await deleteOtherModels(ctx, blobs, made, { segmentIds: new Set(segments.map(({ id }) => id)), modelId: model.id });
  const missing = segments.filter(({ id, droppedAt }) => droppedAt === null && !made.has(wholeKey(id, model.id)));
  if (missing.length > 0) await testEmbeddingModel(model, testMs);
  for (const segment of missing) {
    signal?.throwIfAborted();
    await makeOfSegment(ctx, { blobs, model, made }, segment, signal);
  }
}

/** Returns the key of an empty marker blob that records that all parts are complete. */
function wholeKey(segmentId: string, modelId: string): string {
  return `${partKey(segmentId, modelId, 0)}-whole`;
}

/** Vectors of segments without a row are left to the sweep, which waits before it deletes. */
async function deleteOtherModels(
  ctx: Context,
  blobs: Blobs,
  made: ReadonlySet<string>,
  kept: { segmentIds: ReadonlySet<string>; modelId: string },
): Promise<void> {
  for (const key of made) {
    const [, segmentId = '', modelId] = key.split('/');
    if (!kept.segmentIds.has(segmentId) || modelId === kept.modelId) continue;
    await blobs.delete(key);
    ctx.log.info({ key, reason: 'it was made by another model' }, 'a file was deleted');
  }
}

async function makeOfSegment(
  ctx: Context,
  { blobs, model, made }: { blobs: Blobs; model: EmbeddingModel; made: ReadonlySet<string> },
  { id, blobKey }: { id: string; blobKey: string },
  signal: AbortSignal | undefined,
): Promise<void> {
  const blob = await blobs.open(blobKey);
  try {
    const segment = openSegment(blob, createByteCache(readerCacheBytes));
    for (let first = 0; first < segment.snippetCount; first += passagesPerPart) {
      const key = partKey(id, model.id, first / passagesPerPart);
      if (!made.has(key)) await blobs.put(key, encodePart(await vectorsFrom(segment, first, model, signal)));
    }
    await blobs.put(wholeKey(id, model.id), new Uint8Array());
  } catch (error) {
    if (!isDamage(error)) throw error;
    ctx.log.error({ err: error, segmentId: id }, 'a segment that cannot be read gets no vectors');
  } finally {
    blob.close();
  }
}

async function vectorsFrom(
  segment: Segment,
  first: number,
  model: EmbeddingModel,
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  const end = Math.min(segment.snippetCount, first + passagesPerPart);
  for (let at = first; at < end; at += passagesAskedAtOnce) {
    signal?.throwIfAborted();
    const numbers = Array.from({ length: Math.min(passagesAskedAtOnce, end - at) }, (_, more) => at + more);
    const texts = numbers.map((number) => textOf(segment, number));
    vectors.push(...(await embedWhatFits(texts, model, signal)));
  }
  return vectors;
}

async function embedWhatFits(
  texts: string[],
  model: EmbeddingModel,
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  for (const [attempt, characters] of charactersTried.entries()) {
    try {
      const cut = texts.map((text) => text.slice(0, characters));
      return await model.embed(cut, { timeoutMs: answerMs, signal });
    } catch (error) {
      const isLast = attempt === charactersTried.length - 1;
      if (isLast || !(error instanceof EmbeddingError && error.isRefused)) throw error;
    }
  }
  return [];
}

/** Returns the passage with its page title and headings, which state its topic. */
function textOf(segment: Segment, snippet: number): string {
  const { headingPath, text } = segment.snippet(snippet);
  const { title } = segment.page(segment.pageOfSnippet(snippet));
  return `${[...new Set([title, ...headingPath])].join(' > ')}\n${text}`;
}
