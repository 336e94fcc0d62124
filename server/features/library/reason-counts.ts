const examplesMax = 5;

export interface ReasonCount {
  reason: string;
  count: number;
  examples: string[];
}

/** Counts what was left out by reason, with the first few of each. */
export function createReasonCounts(): {
  add(reason: string, example: string): void;
  total(): number;
  /** Most frequent first. */
  list(): ReasonCount[];
} {
  const counts = new Map<string, ReasonCount>();
  return {
    add(reason, example) {
      const entry = counts.get(reason) ?? { reason, count: 0, examples: [] };
      entry.count += 1;
      if (entry.examples.length < examplesMax) entry.examples.push(example);
      counts.set(reason, entry);
    },
    total: () => [...counts.values()].reduce((sum, { count }) => sum + count, 0),
    list: () => [...counts.values()].sort((a, b) => b.count - a.count),
  };
}
