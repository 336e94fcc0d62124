import type { AnalyzedQuery } from '../analysis/analyze-query.ts';
import type { SegmentIndex } from '../segment/segment.ts';
import { termKey } from '../segment/term-key.ts';
import type { Concept } from './concepts.ts';

/** Neighbours in the query. */
export interface ConceptPair {
  /** Slots, that is places in the list of concepts. */
  first: number;
  second: number;
  /** How far apart they stand in the query. */
  distance: number;
  /** Information of the commoner of both. */
  weight: number;
}

/** What is looked for in passages, in the term numbers of one segment. */
export interface PassageQuery {
  slotCount: number;
  /** Which concept a term belongs to, and what it counts there. */
  slots: Map<number, { slot: number; weight: number }>;
  /** Terms that stand in most titles of the module. */
  selfTerms: ReadonlySet<number>;
  /** Zero where no term of the query has these low bits: passes over most terms without a look-up. */
  filter: Uint8Array;
  pairs: readonly ConceptPair[];
  /** Quoted phrases, without those the segment cannot have. */
  phrases: number[][];
}

/** Pairs reach over this many words of the query, function words included. */
const pairReach = 3;
const filterSize = 4096;

/** Neighbouring words of the query that carry information, each pair once. */
export function pairsOf(query: AnalyzedQuery, concepts: readonly Concept[]): ConceptPair[] {
  const slotOf = new Map(concepts.map(({ term }, slot) => [term, slot]));
  const pairs = new Map<string, ConceptPair>();
  let previous: { slot: number; at: number } | undefined;
  for (const [at, term] of query.sequence.entries()) {
    const slot = slotOf.get(term);
    if (slot === undefined) continue;
    if (previous !== undefined && previous.slot !== slot && at - previous.at <= pairReach) {
      const weight = Math.min(
        (concepts[previous.slot] as Concept).snippetWeight,
        (concepts[slot] as Concept).snippetWeight,
      );
      pairs.set(`${previous.slot} ${slot}`, {
        first: previous.slot,
        second: slot,
        distance: at - previous.at,
        weight,
      });
    }
    previous = { slot, at };
  }
  return [...pairs.values()];
}

/** The query in the numbers of the segment of one view. */
export function passageQueryFor(
  index: SegmentIndex,
  view: number,
  concepts: readonly Concept[],
  pairs: readonly ConceptPair[],
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
    pairs,
    phrases: numbers.filter((phrase): phrase is number[] => phrase.every((id) => id !== undefined)),
  };
}
