import type { Config } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { PassageVectors } from '#server/features/library/index.ts';
import { createMeaning, type Meaning } from '#server/features/search/index.ts';
import { startVectorChores } from '#server/jobs/vector-chores.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import { onChange } from '#server/platform/bus/announce-change.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { EmbeddingModel } from '#server/platform/embeddings/embedding-model.ts';
import { openEmbeddingModel } from '#server/platform/embeddings/open-embedding-model.ts';
import { createOutbound } from '#server/platform/outbound/index.ts';
import { hostOf } from './wire-chat.ts';

/** On a machine without a graphics card a batch of passages takes seconds. */
const headersTimeoutMs = 120_000;

export interface WiredMeaning {
  /** Undefined: none is configured. */
  embeddingModel: EmbeddingModel | undefined;
  meaning: Meaning | undefined;
  close(): Promise<void>;
}

/** The model that tells passages of a page apart by what they mean, and what it has made so far. */
export function wireMeaning(
  { embeddings }: Pick<Config, 'embeddings'>,
  { blobs, userAgent }: { blobs: Blobs; userAgent: string },
): WiredMeaning {
  if (embeddings === undefined) {
    return { embeddingModel: undefined, meaning: undefined, close: async () => undefined };
  }
  // The operator named this host, so it may be private; nothing else reaches it.
  const limits = { headersTimeoutMs, timeoutMs: headersTimeoutMs };
  const outbound = createOutbound({ allowHosts: [hostOf(embeddings.url)], userAgent, limits });
  const model = openEmbeddingModel(embeddings, outbound);
  const passages = new PassageVectors(blobs, model.id);
  return {
    embeddingModel: model,
    meaning: createMeaning(model, passages),
    async close() {
      passages.close();
      await outbound.close();
    },
  };
}

/** Makes vectors of what is served from the moment a module is swapped; nothing where there is no model. */
export function startMeaningWork(
  ctx: Context,
  { embeddingModel: model, blobs, bus }: Pick<WiredMeaning, 'embeddingModel'> & { blobs: Blobs; bus: Bus },
): { stop(): Promise<void> } {
  if (model === undefined) return { stop: async () => undefined };
  const chores = startVectorChores(ctx, { model, blobs });
  onChange(bus, ({ collection }) => {
    if (collection === 'modules') chores.wake();
  });
  return chores;
}
