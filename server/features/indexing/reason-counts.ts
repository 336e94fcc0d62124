import { skipReasonText } from '#contract/skip-reasons.ts';

const examplesMax = 5;
/** Reasons and names that fit into a sentence. */
const saidMax = { reasons: 3, characters: 120 };

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

/** For the end of a run that found nothing: a sentence, with a blank before it, on what there was; empty when there was nothing. */
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
