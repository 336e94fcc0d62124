/** Where one term stands in a segment. */
export interface TermPostings {
  /** Encoded postings of snippets, in order. */
  snippets: Uint8Array;
  /** Encoded postings of page fields, in order. */
  pages: Uint8Array;
  /** (last snippet passed, byte reached) after each interval of a long list; else empty. */
  skips: Uint32Array;
}

/** Cuts the stored list of a term into its parts. */
export function splitPostings(list: Uint8Array, skips: Uint32Array): TermPostings {
  let at = 0;
  let snippetBytes = 0;
  for (let shift = 0; at < list.length; shift += 7) {
    const byte = list[at] as number;
    at += 1;
    snippetBytes |= (byte & 127) << shift;
    if (byte < 128) break;
  }
  return { snippets: list.subarray(at, at + snippetBytes), pages: list.subarray(at + snippetBytes), skips };
}
