import { formBody, formBodyOnce, formCode, type TermPostings } from '../segment/postings-format.ts';

/** Position after the last snippet or page. */
export const end = 0x7fffffff;

/** Walks the snippets that have a term, in order, with the term's count in each field. Starts before the first. */
export class SnippetCursor {
  doc = -1;
  headings = 0;
  identifiers = 0;
  body = 0;
  code = 0;
  readonly #bytes: Uint8Array;
  readonly #skips: Uint32Array;
  #at = 0;

  constructor({ snippets, skips }: TermPostings) {
    this.#bytes = snippets;
    this.#skips = skips;
  }

  /** Moves to the next snippet; `doc` is `end` after the last. */
  next(): void {
    const bytes = this.#bytes;
    let at = this.#at;
    if (at >= bytes.length) {
      this.doc = end;
      return;
    }
    let head = bytes[at++] as number;
    if (head > 127) {
      head &= 127;
      let byte = 128;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++] as number;
        head |= (byte & 127) << shift;
      }
    }
    this.#at = at;
    this.doc += (head >>> 2) + 1;
    this.headings = 0;
    this.identifiers = 0;
    this.body = 0;
    this.code = 0;
    switch (head & 3) {
      case formBodyOnce:
        this.body = 1;
        break;
      case formBody:
        this.body = this.#varint();
        break;
      case formCode:
        this.code = this.#varint();
        break;
      default:
        this.#readMixed();
    }
  }

  /** Moves to the first snippet at or after `doc`, using skip entries if there are any. Never moves back. */
  seek(doc: number): void {
    if (this.doc >= doc) return;
    this.#skipTo(doc);
    while (this.doc < doc) this.next();
  }

  #readMixed(): void {
    const mask = this.#bytes[this.#at] as number;
    this.#at += 1;
    if ((mask & 1) !== 0) this.headings = this.#varint();
    if ((mask & 2) !== 0) this.identifiers = this.#varint();
    if ((mask & 4) !== 0) this.body = this.#varint();
    if ((mask & 8) !== 0) this.code = this.#varint();
  }

  #skipTo(doc: number): void {
    const skips = this.#skips;
    let low = 0;
    let high = skips.length >> 1;
    // Find the last skip entry whose snippet is before `doc`.
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((skips[middle * 2] as number) < doc) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return;
    const passed = skips[(low - 1) * 2] as number;
    if (passed <= this.doc) return;
    this.doc = passed;
    this.#at = skips[(low - 1) * 2 + 1] as number;
  }

  #varint(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.#at++] as number;
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[this.#at++] as number;
      value |= (byte & 127) << shift;
    }
    return value;
  }
}

/** Walks the pages that have a term in a page-level field, in order. Starts before the first. */
export class PageFieldCursor {
  page = -1;
  title = 0;
  address = 0;
  inbound = 0;
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor({ pages }: TermPostings) {
    this.#bytes = pages;
  }

  /** Moves to the next page; `page` is `end` after the last. */
  next(): void {
    const bytes = this.#bytes;
    if (this.#at >= bytes.length) {
      this.page = end;
      return;
    }
    let byte = bytes[this.#at++] as number;
    let gap = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[this.#at++] as number;
      gap |= (byte & 127) << shift;
    }
    this.page += gap + 1;
    const counts = bytes[this.#at++] as number;
    this.title = counts & 3;
    this.address = (counts >> 2) & 3;
    this.inbound = counts >> 4;
  }
}
