import type { TermPostings } from '../segment/postings-format.ts';
import { end, PageFieldCursor, SnippetCursor } from './posting-cursor.ts';

/** One term for a concept: its postings, and the weight of one occurrence. */
export interface Alternative {
  postings: TermPostings;
  weight: number;
}

/**
 * Walks snippets in order with a count for each field. `seek` may stop short of the wanted snippet; `next` then
 * continues to it.
 */
export interface SnippetWalk {
  /** -1 before the first snippet, `end` after the last. */
  readonly doc: number;
  readonly headings: number;
  readonly identifiers: number;
  readonly body: number;
  readonly code: number;
  next(): void;
  seek(doc: number): void;
}

/**
 * Returns the postings if the concept is a single word of full weight, as most are in one segment: nothing to merge or
 * weigh.
 */
export function onlyWordOf([first, ...others]: readonly Alternative[]): TermPostings | undefined {
  return first?.weight === 1 && others.length === 0 ? first.postings : undefined;
}

/**
 * Walks the snippets that have any of a concept's terms; counts are sums over the terms, each multiplied by its weight.
 */
export function walkSnippets(alternatives: readonly Alternative[]): SnippetWalk {
  const word = onlyWordOf(alternatives);
  return word === undefined ? new SnippetMerge(alternatives) : new SnippetCursor(word);
}

class SnippetMerge implements SnippetWalk {
  doc = -1;
  headings = 0;
  identifiers = 0;
  body = 0;
  code = 0;
  readonly #cursors: SnippetCursor[];
  readonly #weights: number[];
  /** Current document of each cursor, side by side: every step searches for the smallest. */
  readonly #docs: number[];

  constructor(alternatives: readonly Alternative[]) {
    this.#cursors = alternatives.map(({ postings }) => new SnippetCursor(postings));
    this.#weights = alternatives.map(({ weight }) => weight);
    for (const cursor of this.#cursors) cursor.next();
    this.#docs = this.#cursors.map(({ doc }) => doc);
  }

  next(): void {
    const docs = this.#docs;
    let doc = end;
    let first = 0;
    let last = -1;
    for (let at = 0; at < docs.length; at += 1) {
      const here = docs[at] as number;
      if (here > doc) continue;
      if (here < doc) first = at;
      doc = here;
      last = at;
    }
    this.doc = doc;
    this.headings = this.identifiers = this.body = this.code = 0;
    if (doc === end) return;
    this.#take(first);
    for (let at = first + 1; at <= last; at += 1) if (docs[at] === doc) this.#take(at);
  }

  /** Makes `next` go to the first snippet at or after `doc`. */
  seek(doc: number): void {
    const docs = this.#docs;
    for (let at = 0; at < docs.length; at += 1) {
      if ((docs[at] as number) >= doc) continue;
      const cursor = this.#cursors[at] as SnippetCursor;
      cursor.seek(doc);
      docs[at] = cursor.doc;
    }
  }

  #take(at: number): void {
    const cursor = this.#cursors[at] as SnippetCursor;
    const weight = this.#weights[at] as number;
    this.headings += weight * cursor.headings;
    this.identifiers += weight * cursor.identifiers;
    this.body += weight * cursor.body;
    this.code += weight * cursor.code;
    cursor.next();
    this.#docs[at] = cursor.doc;
  }
}

/** Walks pages in order with a count for each page-level field. */
export interface PageFieldWalk {
  /** -1 before the first page, `end` after the last. */
  readonly page: number;
  readonly title: number;
  readonly address: number;
  readonly inbound: number;
  next(): void;
}

/** Same as `walkSnippets`, for pages that have any of the terms in a page-level field. */
export function walkPageFields(alternatives: readonly Alternative[]): PageFieldWalk {
  const word = onlyWordOf(alternatives);
  return word === undefined ? new PageFieldMerge(alternatives) : new PageFieldCursor(word);
}

class PageFieldMerge implements PageFieldWalk {
  page = -1;
  title = 0;
  address = 0;
  inbound = 0;
  readonly #cursors: PageFieldCursor[];
  readonly #weights: number[];

  constructor(alternatives: readonly Alternative[]) {
    this.#cursors = alternatives.map(({ postings }) => new PageFieldCursor(postings));
    this.#weights = alternatives.map(({ weight }) => weight);
    for (const cursor of this.#cursors) cursor.next();
  }

  next(): void {
    const cursors = this.#cursors;
    let page = end;
    for (let at = 0; at < cursors.length; at += 1) page = Math.min(page, (cursors[at] as PageFieldCursor).page);
    this.page = page;
    this.title = this.address = this.inbound = 0;
    if (page === end) return;
    for (let at = 0; at < cursors.length; at += 1) {
      const cursor = cursors[at] as PageFieldCursor;
      if (cursor.page !== page) continue;
      const weight = this.#weights[at] as number;
      this.title += weight * cursor.title;
      this.address += weight * cursor.address;
      this.inbound += weight * cursor.inbound;
      cursor.next();
    }
  }
}
