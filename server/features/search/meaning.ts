import type { Context } from '#server/context.ts';
import type { PassageVectors } from '#server/features/catalog/index.ts';
import { EmbeddingError, type EmbeddingModel } from '#server/platform/embeddings/embedding-model.ts';
import { testEmbeddingModel } from '#server/platform/embeddings/test-embedding-model.ts';

/** Most time a search waits for its question's vector before it continues without. */
const questionMs = 1_000;
/** After a failure the model is not called for this long, and searches do not wait for it. */
const awayMs = 15_000;
/** Time limit of the trial: a model that has just started loads its weights first. */
const testMs = 60_000;
const questionsKept = 500;

/** Embeddings of questions and passages from the operator's model. */
export interface Meaning {
  /** Returns a question's vector; undefined if the model does not return it in time. */
  ofQuestion(ctx: Context, question: string): Promise<Float32Array | undefined>;
  passages: Pick<PassageVectors, 'likenesses'>;
}

/**
 * Creates the embeddings of questions: tests the model with the first question, caches each question's vector, and
 * pauses calls for a while after a failed call or test.
 */
export function createMeaning(
  model: EmbeddingModel,
  passages: Meaning['passages'],
  nowMs: () => number = () => performance.now(),
): Meaning {
  /** Cached vectors, oldest question first. */
  const known = new Map<string, Float32Array>();
  let awaySince: number | undefined;
  let trial: Promise<void> | undefined;
  const tried = () => {
    trial ??= testEmbeddingModel(model, testMs).catch((error: unknown) => {
      trial = undefined;
      throw error;
    });
    return trial;
  };
  return {
    passages,
    async ofQuestion(ctx, question) {
      const before = known.get(question);
      if (before !== undefined) return before;
      if (awaySince !== undefined && nowMs() - awaySince < awayMs) return undefined;
      try {
        await inTime(tried());
        const [vector] = await model.embed([question], { timeoutMs: questionMs });
        awaySince = undefined;
        if (vector !== undefined) known.set(question, vector);
        const [oldest = question] = known.keys();
        if (known.size > questionsKept) known.delete(oldest);
        return vector;
      } catch (error) {
        if (awaySince === undefined) ctx.log.error({ err: error }, 'ranking by words alone: no vector for a question');
        awaySince = nowMs();
        return undefined;
      }
    },
  };
}

/** Waits for the trial up to a limit; a slower trial continues in the background for later searches. */
async function inTime(trial: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new EmbeddingError('the trial of the model takes long')), questionMs);
  try {
    await Promise.race([trial, late]);
  } finally {
    clearTimeout(timer);
  }
}
