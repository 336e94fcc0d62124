import { snippetFieldCount } from '../segment/fields.ts';

/** Visits the terms of a stored sequence with their field and whether they stand one place further. */
export function eachStoredTerm(bytes: Uint8Array, visit: (field: number, term: number, advance: 0 | 1) => void): void {
  const body = snippetFieldCount - 2;
  let field = 0;
  for (let at = 0; at < bytes.length; ) {
    let byte = bytes[at++] as number;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] as number;
      value |= (byte & 127) << shift;
    }
    if (value === 0) field += 1;
    else if (value === 1) field = field === body ? body + 1 : body;
    else visit(field, (value - 2) >>> 1, (value & 1) === 0 ? 1 : 0);
  }
}
