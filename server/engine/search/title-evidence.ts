import type { PassageQuery } from './passage-query.ts';

/**
 * Which concepts a page's title has, and a score: the query's information in the title times the share of the title that
 * the query says, so that a short title that is asked for whole beats a long one that mentions it. What stands in most
 * titles of the module is passed over.
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
