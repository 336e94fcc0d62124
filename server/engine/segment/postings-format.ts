import type { PostingPool } from './posting-pool.ts';

// A snippet posting begins with varint(gap * 4 + form), where gap is the number of snippets skipped.
/** One occurrence, in the body; nothing follows. */
export const formBodyOnce = 0;
/** A varint with the count in the body follows. */
export const formBody = 1;
/** A varint with the count in the code follows. */
export const formCode = 2;
/** A byte with a bit for each field follows, then a varint count for each bit set. */
export const formMixed = 3;

/** Lists of at least twice this many postings get a skip entry after every so many. */
export const skipInterval = 256;

/** Appends one posting: a term's counts in the headings, identifiers, body and code of a snippet. */
export function encodeSnippetCounts(pool: PostingPool, list: number, gap: number, counts: Uint16Array): void {
  const [headings, identifiers, body, code] = counts as unknown as [number, number, number, number];
  const form =
    headings + identifiers > 0 || (body > 0 && code > 0)
      ? formMixed
      : code > 0
        ? formCode
        : body > 1
          ? formBody
          : formBodyOnce;
  pool.varint(list, gap * 4 + form);
  if (form === formBody) pool.varint(list, body);
  if (form === formCode) pool.varint(list, code);
  if (form !== formMixed) return;
  let mask = 0;
  for (let field = 0; field < 4; field += 1) if ((counts[field] as number) > 0) mask |= 1 << field;
  pool.byte(list, mask);
  for (let field = 0; field < 4; field += 1)
    if ((counts[field] as number) > 0) pool.varint(list, counts[field] as number);
}

/** A term's counts in the headings, identifiers, body and code of a snippet. */
export type Counts = [number, number, number, number];

/**
 * Reads the rest of a posting of any form except `formBodyOnce`, from `at` on. Returns the start of the next posting.
 */
export function readCounts(list: Uint8Array, at: number, form: number, counts: Counts): number {
  let place = at;
  const mask = form === formMixed ? (list[place++] as number) : form === formBody ? 4 : 8;
  for (let field = 0; field < 4; field += 1) {
    let count = 0;
    if ((mask & (1 << field)) !== 0) {
      let byte = list[place++] as number;
      count = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = list[place++] as number;
        count |= (byte & 127) << shift;
      }
    }
    counts[field] = count;
  }
  return place;
}

/**
 * Returns the skip table of a long list: (last snippet passed, byte reached) after each interval. Empty for a short
 * list.
 */
export function skipTableOf(list: Uint8Array, postingCount: number): number[] {
  if (postingCount < 2 * skipInterval) return [];
  const table: number[] = [];
  let at = 0;
  let doc = -1;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = list[at] as number;
      at += 1;
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  };
  for (let seen = 1; at < list.length; seen += 1) {
    const head = varint();
    doc += (head >>> 2) + 1;
    const form = head & 3;
    if (form === formBody || form === formCode) varint();
    if (form === formMixed) {
      let mask = list[at] as number;
      at += 1;
      for (; mask !== 0; mask &= mask - 1) varint();
    }
    if (seen % skipInterval === 0) table.push(doc, at);
  }
  return table;
}

export interface TermPostings {
  /** Encoded postings of snippets, in order. */
  snippets: Uint8Array;
  /** Encoded postings of page fields, in order. */
  pages: Uint8Array;
  /** (Last snippet passed, byte reached) after each interval of a long list; empty for a short list. */
  skips: Uint32Array;
}

/** Splits a term's stored list into snippet and page postings. */
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
