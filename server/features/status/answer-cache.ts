/** Keeps answers that are the same for everyone, so that many readers cost as much as one. */
export interface AnswerCache {
  /** The kept answer, or a new one; readers that come at once wait for the same. */
  answer<Answer>(key: string, now: number, make: () => Promise<Answer>): Promise<Answer>;
  /** Something was changed that the answers report. */
  clear(): void;
}

export function createAnswerCache(keptMs: number): AnswerCache {
  const kept = new Map<string, { madeAt: number; made: Promise<unknown> }>();
  return {
    answer<Answer>(key: string, now: number, make: () => Promise<Answer>) {
      const known = kept.get(key);
      // A clock that was put back must not make an answer last.
      if (known !== undefined && now >= known.madeAt && now - known.madeAt < keptMs) {
        // What is kept under a key was made for that key.
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
