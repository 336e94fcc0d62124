import type { PassageQuery } from './passage-query.ts';

/**
 * The most of the query's information that one other page says around a link to this one. The best mention counts, not
 * their number: pages that everything leads to would be found for every question.
 */
export function mentionEvidence(bytes: Uint8Array, query: PassageQuery, shares: readonly number[]): number {
  const { filter, slots } = query;
  const has = new Float64Array(query.slotCount);
  let best = 0;
  let information = 0;
  for (let at = 0; at < bytes.length; ) {
    let byte = bytes[at++] as number;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] as number;
      value |= (byte & 127) << shift;
    }
    if (value === 0) {
      if (information > best) best = information;
      if (information > 0) has.fill(0);
      information = 0;
      continue;
    }
    const term = value - 1;
    if (filter[term & (filter.length - 1)] === 0) continue;
    const found = slots.get(term);
    if (found === undefined) continue;
    const more = found.weight - (has[found.slot] as number);
    if (more <= 0) continue;
    has[found.slot] = found.weight;
    information += more * (shares[found.slot] as number);
  }
  return best;
}
