import type { SegmentIndex } from '../segment/segment.ts';
import type { PassageQuery } from './passage-query.ts';

export interface PassageEvidence {
  /** Per slot: 1 when its own term stands in the passage, the weight of a synonym when only that does, else 0. */
  has: Float64Array;
  /** Information of pairs that stand side by side as in the query. */
  adjacent: number;
  /** Information of pairs within a few words, in any order, the closer the more. */
  near: number;
  /** Quoted phrases that stand in it word by word. */
  phrases: number;
}

const nearWords = 8;
/** Later occurrences in one passage add nothing to how close two words come. */
const occurrencesKept = 24;

/** Reads a stored sequence once and finds which of the query's concepts stand in it and how close together. */
export function findEvidence(index: SegmentIndex, snippet: number, query: PassageQuery): PassageEvidence {
  const places = readPlaces(index.sequence(snippet), query);
  let adjacent = 0;
  let near = 0;
  for (const { first, second, distance, weight } of query.pairs) {
    if (places.counts[first] === 0 || places.counts[second] === 0) continue;
    const closest = closestDistances(places, first, second, distance);
    if (closest.isAdjacent) adjacent += weight;
    if (closest.gap <= nearWords) near += weight * (1 - (closest.gap - 1) / nearWords);
  }
  const phrases = query.phrases.filter((phrase) => hasPhrase(places.all, phrase)).length;
  return { has: places.has, adjacent, near, phrases };
}

interface Places {
  has: Float64Array;
  /** How many positions of each slot's own term are kept. */
  counts: Uint8Array;
  /** These positions, `occurrencesKept` places to a slot. */
  at: Int32Array;
  /** Terms and their positions in turn; kept for phrases only. */
  all: number[];
}

/** Positions of one passage after the other. */
let positions = new Int32Array(32 * occurrencesKept);

function readPlaces(bytes: Uint8Array, query: PassageQuery): Places {
  const { filter, slots, phrases, slotCount } = query;
  const has = new Float64Array(slotCount);
  const counts = new Uint8Array(slotCount);
  if (positions.length < slotCount * occurrencesKept) positions = new Int32Array(slotCount * occurrencesKept);
  const at = positions;
  const all: number[] = [];
  const keepsAll = phrases.length > 0;
  let position = 0;
  for (let i = 0; i < bytes.length; ) {
    // Most terms have one byte or two.
    let value = bytes[i++] as number;
    if (value > 127) {
      let byte = bytes[i++] as number;
      value = (value & 127) | ((byte & 127) << 7);
      for (let shift = 14; byte > 127; shift += 7) {
        byte = bytes[i++] as number;
        value |= (byte & 127) << shift;
      }
    }
    if (value < 2) {
      // Neighbourhoods do not reach over the border of a field; a listing continues the text around it.
      if (value === 0) position += nearWords + 1;
      continue;
    }
    const term = (value - 2) >>> 1;
    if ((value & 1) === 0) position += 1;
    if (keepsAll) all.push(term, position);
    if (filter[term & (filter.length - 1)] === 0) continue;
    const found = slots.get(term);
    if (found === undefined) continue;
    if ((has[found.slot] as number) < found.weight) has[found.slot] = found.weight;
    if (found.weight < 1) continue;
    const kept = counts[found.slot] as number;
    if (kept === occurrencesKept) continue;
    at[found.slot * occurrencesKept + kept] = position;
    counts[found.slot] = kept + 1;
  }
  return { has, counts, at, all };
}

function closestDistances({ at, counts }: Places, first: number, second: number, distance: number) {
  const firstEnd = first * occurrencesKept + (counts[first] as number);
  const secondStart = second * occurrencesKept;
  const secondEnd = secondStart + (counts[second] as number);
  let gap = Number.MAX_SAFE_INTEGER;
  let isAdjacent = false;
  let j = secondStart;
  for (let i = first * occurrencesKept; i < firstEnd; i += 1) {
    const here = at[i] as number;
    while (j < secondEnd && (at[j] as number) <= here) j += 1;
    if (j < secondEnd) {
      const after = (at[j] as number) - here;
      if (after <= distance) isAdjacent = true;
      if (after < gap) gap = after;
    }
    if (j > secondStart) gap = Math.min(gap, Math.max(1, here - (at[j - 1] as number)));
  }
  return { isAdjacent, gap };
}

function hasPhrase(all: readonly number[], phrase: readonly number[]): boolean {
  for (let start = 0; start < all.length; start += 2) {
    if (all[start] === phrase[0] && continuesPhrase(all, phrase, start)) return true;
  }
  return false;
}

function continuesPhrase(all: readonly number[], phrase: readonly number[], start: number): boolean {
  let position = all[start + 1] as number;
  let next = 1;
  for (let at = start + 2; at < all.length && next < phrase.length; at += 2) {
    const here = all[at + 1] as number;
    if (here > position + 1) return false;
    if (here === position + 1 && all[at] === phrase[next]) {
      position = here;
      next += 1;
    }
  }
  return next === phrase.length;
}
