/** Caches answers that are equal for everyone, so that many readers cost as much as one. */
export interface AnswerCache {
  /** Returns the cached answer, or a new one; concurrent readers share it. */
  answer<Answer>(key: string, now: number, make: () => Promise<Answer>): Promise<Answer>;
  /** Clears the cache after a change that the answers report. */
  clear(): void;
}

export function createAnswerCache(keptMs: number): AnswerCache {
  const kept = new Map<string, { madeAt: number; made: Promise<unknown> }>();
  return {
    answer<Answer>(key: string, now: number, make: () => Promise<Answer>) {
      const known = kept.get(key);
      // After the clock is set back, an answer must not stay cached too long.
      if (known !== undefined && now >= known.madeAt && now - known.madeAt < keptMs) {
        // The value under a key was made for that key.
        return known.made as Promise<Answer>;
      }
      const made = make();
      kept.set(key, { madeAt: now, made });
      made.catch(() => kept.delete(key));
      return made;
    },
    clear: () => kept.clear(),
  };
}
