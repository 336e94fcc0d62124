import type { PassageQuery } from './passage-query.ts';

export interface PassageEvidence {
  /** Per slot: 1 when its own term stands in the passage, the weight of a synonym when only that does, else 0. */
  has: Float64Array;
  /** Quoted phrases that stand in it word by word. */
  phrases: number;
}

/** Phrases do not reach over the border of a field; a listing continues the text around it. */
const fieldGap = 9;

/** Reads a stored sequence once and finds which of the query's concepts and phrases stand in it. */
export function findEvidence(sequence: Uint8Array, query: PassageQuery): PassageEvidence {
  const { filter, slots, phrases, slotCount } = query;
  const has = new Float64Array(slotCount);
  const keepsAll = phrases.length > 0;
  /** Terms and their positions in turn; kept for phrases only. */
  const all: number[] = [];
  let position = 0;
  for (let i = 0; i < sequence.length; ) {
    // Most terms have one byte or two.
    let value = sequence[i++] as number;
    if (value > 127) {
      let byte = sequence[i++] as number;
      value = (value & 127) | ((byte & 127) << 7);
      for (let shift = 14; byte > 127; shift += 7) {
        byte = sequence[i++] as number;
        value |= (byte & 127) << shift;
      }
    }
    if (value < 2) {
      if (value === 0) position += fieldGap;
      continue;
    }
    const term = (value - 2) >>> 1;
    if (keepsAll) {
      if ((value & 1) === 0) position += 1;
      all.push(term, position);
    }
    if (filter[term & (filter.length - 1)] === 0) continue;
    const found = slots.get(term);
    if (found !== undefined && (has[found.slot] as number) < found.weight) has[found.slot] = found.weight;
  }
  return { has, phrases: keepsAll ? phrases.filter((phrase) => hasPhrase(all, phrase)).length : 0 };
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
