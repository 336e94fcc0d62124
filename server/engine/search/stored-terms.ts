import { snippetFieldCount } from '../segment/fields.ts';

const body = snippetFieldCount - 2;
const code = snippetFieldCount - 1;

/** The field that follows a border in a stored sequence: 0 is the end of a field, 1 a change between prose and code. */
export function fieldAfter(field: number, border: number): number {
  if (border === 0) return field + 1;
  return field === body ? code : body;
}

/** By number of term, all zero between calls. */
let countOf = new Uint16Array(1 << 16);

/**
 * The distinct terms of a stored sequence outside of its listings, in the order they first appear, each with how often it stands
 * there (65,535 at most).
 */
export function proseTermCounts(bytes: Uint8Array): { terms: number[]; counts: number[] } {
  const terms: number[] = [];
  let field = 0;
  for (let at = 0; at < bytes.length; ) {
    let byte = bytes[at++] as number;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] as number;
      value |= (byte & 127) << shift;
    }
    if (value < 2) {
      field = fieldAfter(field, value);
      continue;
    }
    if (field === code) continue;
    const term = (value - 2) >>> 1;
    if (term >= countOf.length) countOf = grown(countOf, term);
    const count = countOf[term] as number;
    if (count === 0) terms.push(term);
    if (count < 0xffff) countOf[term] = count + 1;
  }
  const counts = terms.map((term) => countOf[term] as number);
  for (const term of terms) countOf[term] = 0;
  return { terms, counts };
}

function grown(counts: Uint16Array<ArrayBuffer>, term: number): Uint16Array<ArrayBuffer> {
  const larger = new Uint16Array(Math.max(term + 1, counts.length * 2));
  larger.set(counts);
  return larger;
}

/** Visits the terms of a stored sequence with their field and whether they stand one place further. */
export function eachStoredTerm(bytes: Uint8Array, visit: (field: number, term: number, advance: 0 | 1) => void): void {
  let field = 0;
  for (let at = 0; at < bytes.length; ) {
    let byte = bytes[at++] as number;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] as number;
      value |= (byte & 127) << shift;
    }
    if (value < 2) field = fieldAfter(field, value);
    else visit(field, (value - 2) >>> 1, (value & 1) === 0 ? 1 : 0);
  }
}
