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
    const a = places.at[first];
    const b = places.at[second];
    if (a === undefined || b === undefined) continue;
    const closest = closestDistances(a, b, distance);
    if (closest.isAdjacent) adjacent += weight;
    if (closest.gap <= nearWords) near += weight * (1 - (closest.gap - 1) / nearWords);
  }
  const phrases = query.phrases.filter((phrase) => hasPhrase(places.all, phrase)).length;
  return { has: places.has, adjacent, near, phrases };
}

interface Places {
  has: Float64Array;
  /** Positions of a slot's own term. */
  at: (number[] | undefined)[];
  /** Terms and their positions in turn; kept for phrases only. */
  all: number[];
}

function readPlaces(bytes: Uint8Array, query: PassageQuery): Places {
  const { filter, slots, phrases, slotCount } = query;
  const has = new Float64Array(slotCount);
  const at: (number[] | undefined)[] = [];
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
    const own = at[found.slot];
    if (own === undefined) at[found.slot] = [position];
    else if (own.length < occurrencesKept) own.push(position);
  }
  return { has, at, all };
}

function closestDistances(a: readonly number[], b: readonly number[], distance: number) {
  let gap = Number.MAX_SAFE_INTEGER;
  let isAdjacent = false;
  let j = 0;
  for (const at of a) {
    while (j < b.length && (b[j] as number) <= at) j += 1;
    if (j < b.length) {
      const after = (b[j] as number) - at;
      if (after <= distance) isAdjacent = true;
      gap = Math.min(gap, after);
    }
    if (j > 0) gap = Math.min(gap, Math.max(1, at - (b[j - 1] as number)));
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
