/** The bytes of a file that a reader asks for; both ends are included. */
export interface ByteRange {
  from: number;
  to: number;
}

/**
 * Reads a `Range` header (RFC 9110, section 14.2) for a file of `size` bytes. Undefined where the whole file is the answer:
 * without a header, and for several ranges or other units, which a server may pass over. `unsatisfiable` when nothing of
 * what is asked for is there.
 */
export function rangeOf(header: string | null, size: number): ByteRange | 'unsatisfiable' | undefined {
  const asked = /^bytes=(\d*)-(\d*)$/.exec(header?.replaceAll(' ', '') ?? '');
  if (asked === null) return undefined;
  const [, first = '', last = ''] = asked;
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { from: size - length, to: size - 1 };
  }
  const from = Number(first);
  if (last !== '' && Number(last) < from) return undefined;
  if (from >= size) return 'unsatisfiable';
  return { from, to: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
