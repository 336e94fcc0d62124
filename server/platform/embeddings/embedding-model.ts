/** A model that makes a vector of a text, so that texts about the same thing are near each other. */
export interface EmbeddingModel {
  /** As the operator named it. */
  readonly name: string;
  /** The same for the same model; vectors of another one mean nothing beside these. */
  readonly id: string;
  /**
   * A vector of length 1 for each text, all with as many numbers. Throws an EmbeddingError for any other response: no
   * connection, a refusal, silence, another number of vectors.
   */
  embed(texts: string[], options: { timeoutMs: number; signal?: AbortSignal | undefined }): Promise<Float32Array[]>;
}

/** Any service with the embeddings of the OpenAI interface. */
export interface EmbeddingConfig {
  url: string;
  model: string;
  key: string | undefined;
}

/** A model gave no vectors. `message` is for the log. */
export class EmbeddingError extends Error {
  override readonly name = 'EmbeddingError';
  /** The service would not take the texts, most often because one is too long for its model. */
  readonly isRefused: boolean;

  constructor(message: string, { isRefused = false } = {}) {
    super(message);
    this.isRefused = isRefused;
  }
}

/** Of two vectors of length 1: their likeness, -1 to 1. */
export function likeness(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
