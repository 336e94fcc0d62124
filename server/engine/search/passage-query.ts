import type { SegmentIndex } from '../segment/segment.ts';
import { termKey } from '../segment/term-key.ts';
import type { Concept } from './concepts.ts';

/** What is looked for in passages, in the term numbers of one segment. */
export interface PassageQuery {
  slotCount: number;
  /** Which concept a term belongs to, and what it counts there. */
  slots: Map<number, { slot: number; weight: number }>;
  /** Terms that stand in most titles of the module. */
  selfTerms: ReadonlySet<number>;
  /** Zero where no term of the query has these low bits: passes over most terms without a look-up. */
  filter: Uint8Array;
  /** Quoted phrases, without those the segment cannot have. */
  phrases: number[][];
}

const filterSize = 4096;

/** The query in the numbers of the segment of one view. */
export function passageQueryFor(
  index: SegmentIndex,
  view: number,
  concepts: readonly Concept[],
  phrases: readonly (readonly string[])[],
): PassageQuery {
  const slots: PassageQuery['slots'] = new Map();
  const filter = new Uint8Array(filterSize);
  for (const [slot, { alternatives }] of concepts.entries()) {
    for (const { term, weight } of alternatives) {
      const id = term.ids[view];
      if (id === undefined || (slots.get(id)?.weight ?? 0) >= weight) continue;
      slots.set(id, { slot, weight });
      filter[id & (filterSize - 1)] = 1;
    }
  }
  const numbers = phrases.map((phrase) => phrase.map((term) => index.findTerm(termKey(term))));
  return {
    slotCount: concepts.length,
    slots,
    selfTerms: new Set(index.selfTerms.flatMap((term) => index.findTerm(termKey(term)) ?? [])),
    filter,
    phrases: numbers.filter((phrase): phrase is number[] => phrase.every((id) => id !== undefined)),
  };
}
