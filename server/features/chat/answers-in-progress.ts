import * as limits from '#contract/limits.ts';
import { rateLimited } from '#server/app-error.ts';

/** An answer takes some seconds. */
const tryAgainSeconds = 5;

/** Counts each asker's answers in progress, so that no one occupies all connections to the model. */
export class AnswersInProgress {
  readonly #of = new Map<string, number>();

  /**
   * Counts one more answer and returns a function that uncounts it; throws `rate-limited` if the asker has too many.
   */
  begin(asker: string): () => void {
    const count = this.#of.get(asker) ?? 0;
    if (count >= limits.chatAnswersAtOnceMax) throw rateLimited(tryAgainSeconds);
    this.#of.set(asker, count + 1);
    return () => {
      const left = (this.#of.get(asker) ?? 1) - 1;
      if (left === 0) this.#of.delete(asker);
      else this.#of.set(asker, left);
    };
  }
}
