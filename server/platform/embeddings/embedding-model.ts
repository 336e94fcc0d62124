/** A model that converts texts to vectors, which are close for texts about the same subject. */
export interface EmbeddingModel {
  /** The operator's name for the model. */
  readonly name: string;
  /** Identifies the model: vectors of different models cannot be compared. */
  readonly id: string;
  /**
   * Returns a vector of length 1 for each text, all with the same dimension. Throws an EmbeddingError for any other
   * result: no connection, a refusal, a timeout, a wrong number of vectors.
   */
  embed(texts: string[], options: { timeoutMs: number; signal?: AbortSignal | undefined }): Promise<Float32Array[]>;
}

/** Any service with OpenAI's embeddings API. */
export interface EmbeddingConfig {
  url: string;
  model: string;
  key: string | undefined;
}

/** Thrown if a model returned no vectors. `message` is for the log. */
export class EmbeddingError extends Error {
  override readonly name = 'EmbeddingError';
  /** True if the service rejected the texts, most often because one is too long for its model. */
  readonly isRefused: boolean;

  constructor(message: string, { isRefused = false } = {}) {
    super(message);
    this.isRefused = isRefused;
  }
}

/** Returns the cosine similarity, -1 to 1, of two vectors of length 1. */
export function likeness(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
