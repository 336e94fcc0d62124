import { termKey } from '../segment/hash-table.ts';
import type { SegmentIndex } from '../segment/segment.ts';
import type { Concept } from './concepts.ts';

/** The query terms to find in passages, in the term numbers of one segment. */
export interface PassageQuery {
  slotCount: number;
  /** The concept that each term belongs to, and the term's weight in it. */
  slots: Map<number, { slot: number; weight: number }>;
  /** Terms in most page titles of the module. */
  selfTerms: ReadonlySet<number>;
  /** Concepts with such a term: every page of the module has them. */
  selfSlots: ReadonlySet<number>;
  /** Zero where no query term has these low bits: skips the look-up for most terms. */
  filter: Uint8Array;
}

const filterSize = 4096;

/** Creates the passage query with the term numbers of one view's segment. */
export function passageQueryFor(index: SegmentIndex, view: number, concepts: readonly Concept[]): PassageQuery {
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
  const selfTerms = new Set(index.selfTerms.flatMap((term) => index.findTerm(termKey(term)) ?? []));
  const selfSlots = new Set([...selfTerms].flatMap((term) => slots.get(term)?.slot ?? []));
  return { slotCount: concepts.length, slots, selfTerms, selfSlots, filter };
}

/**
 * Reads a stored sequence once. Returns for each concept of the query: 1 if its own term is in the passage, a synonym's
 * weight if only the synonym is, otherwise 0.
 */
export function findEvidence(sequence: Uint8Array, { filter, slots, slotCount }: PassageQuery): Float64Array {
  const has = new Float64Array(slotCount);
  for (let i = 0; i < sequence.length; ) {
    // Most terms take one or two bytes.
    let value = sequence[i++] as number;
    if (value > 127) {
      let byte = sequence[i++] as number;
      value = (value & 127) | ((byte & 127) << 7);
      for (let shift = 14; byte > 127; shift += 7) {
        byte = sequence[i++] as number;
        value |= (byte & 127) << shift;
      }
    }
    // 0 and 1 mark field borders.
    if (value < 2) continue;
    const term = (value - 2) >>> 1;
    if (filter[term & (filter.length - 1)] === 0) continue;
    const found = slots.get(term);
    if (found !== undefined && (has[found.slot] as number) < found.weight) has[found.slot] = found.weight;
  }
  return has;
}

/**
 * Returns the concepts that a page's title has, and a score: the query's information in the title times the share of
 * the title that the query covers, so that a short title the query names in full beats a long title that mentions it.
 * Ignores terms in most titles of the module.
 */
export function titleEvidence(
  bytes: Uint8Array,
  query: PassageQuery,
  shares: readonly number[],
): { has: Float64Array; score: number } {
  const has = new Float64Array(query.slotCount);
  let words = 0;
  let said = 0;
  for (let at = 0; at < bytes.length; ) {
    let byte = bytes[at++] as number;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] as number;
      value |= (byte & 127) << shift;
    }
    if (query.selfTerms.has(value >>> 1)) continue;
    const isWord = (value & 1) === 0;
    if (isWord) words += 1;
    const found = query.slots.get(value >>> 1);
    if (found === undefined) continue;
    if ((has[found.slot] as number) < found.weight) has[found.slot] = found.weight;
    if (isWord) said += found.weight;
  }
  if (words === 0) return { has, score: 0 };
  const information = shares.reduce((sum, share, slot) => sum + share * (has[slot] as number), 0);
  return { has, score: information * Math.min(1, said / words) };
}
