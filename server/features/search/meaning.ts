import type { Context } from '#server/context.ts';
import type { PassageVectors } from '#server/features/catalog/index.ts';
import { EmbeddingError, type EmbeddingModel } from '#server/platform/embeddings/embedding-model.ts';
import { testEmbeddingModel } from '#server/platform/embeddings/test-embedding-model.ts';

/** A search waits so long for the vector of its question, and then goes on without. */
const questionMs = 1_000;
/** A model that gave no answer is asked again after this; meanwhile searches do not wait for it. */
const awayMs = 15_000;
/** A model that has just been started reads its weights first. */
const testMs = 60_000;
const questionsKept = 500;

/** What a model that the operator named says of questions and passages. */
export interface Meaning {
  /** The vector of a question; undefined where the model gives none in time. */
  ofQuestion(ctx: Context, question: string): Promise<Float32Array | undefined>;
  passages: Pick<PassageVectors, 'likenesses'>;
}

/**
 * Tries the model with the first question, asks it once for each, and leaves it alone for a while when it does not answer or the
 * trial fails.
 */
export function createMeaning(
  model: EmbeddingModel,
  passages: Meaning['passages'],
  nowMs: () => number = () => performance.now(),
): Meaning {
  /** Those asked longest ago first. */
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
        if (awaySince === undefined)
          ctx.log.error({ err: error }, 'searches go by words alone: no vector of a question');
        awaySince = nowMs();
        return undefined;
      }
    },
  };
}

/** What takes longer goes on, for those who come later. */
async function inTime(trial: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new EmbeddingError('the trial of the model takes long')), questionMs);
  try {
    await Promise.race([trial, late]);
  } finally {
    clearTimeout(timer);
  }
}
