import { snippetFieldCount } from '../segment/fields.ts';

const body = snippetFieldCount - 2;
const code = snippetFieldCount - 1;

/** Returns the field that follows a border in a stored sequence: 0 ends a field, 1 switches between prose and code. */
function fieldAfter(field: number, border: number): number {
  if (border === 0) return field + 1;
  return field === body ? code : body;
}

/** Visits the terms of a stored sequence with their field and whether they advance the position. */
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
