import { skipReasonText } from '#contract/skip-reasons.ts';

const examplesMax = 5;
/** Most reasons and name characters in a message. */
const saidMax = { reasons: 3, characters: 120 };

export interface ReasonCount {
  reason: string;
  count: number;
  examples: string[];
}

/** Creates counts of omitted addresses by reason, with the first few examples of each. */
export function createReasonCounts(): {
  add(reason: string, example: string): void;
  total(): number;
  /** Returns the counts, most frequent first. */
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

/** Returns a sentence, with a leading space, on what a run without results left out; empty if nothing was. */
export function sayLeftOut(reasons: readonly ReasonCount[]): string {
  if (reasons.length === 0) return '';
  const said = reasons.slice(0, saidMax.reasons).map(({ reason, count, examples }) => {
    const [example = ''] = examples;
    const name = example.length > saidMax.characters ? `${example.slice(0, saidMax.characters)}…` : example;
    const text = skipReasonText(reason);
    return `${name}${count > 1 ? ` and ${count - 1} more` : ''} (${text.charAt(0).toLowerCase()}${text.slice(1)})`;
  });
  return ` Left out: ${said.join(', ')}.`;
}
