import { ByteWriter } from './byte-writer.ts';
import { pageFieldCount, pageFieldCountMax, snippetFieldCount } from './fields.ts';
import { GrowingUint32 } from './growing-array.ts';
import { PostingPool } from './posting-pool.ts';
import { encodeSnippetCounts, skipTableOf } from './postings-format.ts';
import { createTermNumbers } from './term-numbers.ts';

const codeField = snippetFieldCount - 1;
const bodyField = codeField - 1;

/**
 * Stores the terms of snippets in reading order as varints: 0 moves to the next field, 1 enters or leaves a listing, 2
 * + 2 × term is a term at the next position, 3 + 2 × term one at the same position. `eachStoredTerm` reads them.
 */
class SequenceWriter {
  readonly #bytes = new ByteWriter();
  readonly #starts = new GrowingUint32();
  #field = 0;
  #isInCode = false;

  begin(): void {
    this.#starts.push(this.#bytes.byteLength);
    this.#field = 0;
    this.#isInCode = false;
  }

  /** Fields come in ascending order, except for body and code, which alternate. */
  add(field: number, term: number, advance: 0 | 1): void {
    this.#goTo(Math.min(field, bodyField));
    if (this.#isInCode !== (field === codeField)) {
      this.#bytes.varint(1);
      this.#isInCode = !this.#isInCode;
    }
    this.#bytes.varint(3 + term * 2 - advance);
  }

  finish(): { chunks: Uint8Array[]; starts: Uint32Array } {
    this.#starts.push(this.#bytes.byteLength);
    return { chunks: this.#bytes.finish(), starts: this.#starts.view() };
  }

  #goTo(field: number): void {
    for (; this.#field < field; this.#field += 1) this.#bytes.varint(0);
  }
}

/** A term in the titles of at least this share of the pages does not distinguish pages. */
const selfTermShare = 0.5;
const selfTermPagesMin = 8;

/** Writes the searchable side of a segment: term numbers, postings of snippets and pages, stored sequences. */
export class IndexWriter {
  readonly #terms = createTermNumbers();
  readonly #snippetPostings = new PostingPool();
  readonly #pagePostings = new PostingPool();
  readonly #snippetFrequency = new GrowingUint32();
  readonly #pageFrequency = new GrowingUint32();
  readonly #titleFrequency = new GrowingUint32();
  // Stored plus one, so that 0 means none.
  readonly #lastSnippet = new GrowingUint32();
  readonly #lastPage = new GrowingUint32();
  readonly #lastSeenOnPage = new GrowingUint32();
  readonly #sequences = new SequenceWriter();
  readonly #titles = new ByteWriter();
  readonly #titleStarts = new GrowingUint32();
  readonly #snippetTally = new TermTally(snippetFieldCount);
  readonly #pageTally = new TermTally(pageFieldCount);
  #snippetCount = 0;
  #pageCount = 0;

  beginPage(): void {
    this.#titleStarts.push(this.#titles.byteLength);
  }

  pageTerm(field: number, term: string, advance: 0 | 1): void {
    const id = this.#terms.numberOf(term);
    this.#pageTally.add(id, field);
    if (field === 0) this.#titles.varint(id * 2 + 1 - advance);
  }

  beginSnippet(): void {
    this.#sequences.begin();
  }

  numberOf(term: string): number {
    return this.#terms.numberOf(term);
  }

  snippetTerm(field: number, id: number, advance: 0 | 1): void {
    this.#snippetTally.add(id, field);
    this.#sequences.add(field, id, advance);
  }

  endSnippet(): void {
    for (const [place, term] of this.#snippetTally.terms.entries()) {
      const gap = this.#snippetCount - this.#lastSnippet.get(term);
      encodeSnippetCounts(this.#snippetPostings, term, gap, this.#snippetTally.countsAt(place));
      this.#lastSnippet.set(term, this.#snippetCount + 1);
      this.#snippetFrequency.set(term, this.#snippetFrequency.get(term) + 1);
      this.#seeOnPage(term);
    }
    this.#snippetTally.clear();
    this.#snippetCount += 1;
  }

  endPage(): void {
    for (const [place, term] of this.#pageTally.terms.entries()) {
      const counts = this.#pageTally.countsAt(place);
      const [title, address, inbound] = pageFieldCountMax.map((max, field) => Math.min(max, counts[field] as number));
      this.#pagePostings.varint(term, this.#pageCount - this.#lastPage.get(term));
      this.#pagePostings.byte(term, (title as number) | ((address as number) << 2) | ((inbound as number) << 4));
      this.#lastPage.set(term, this.#pageCount + 1);
      if ((title as number) > 0) this.#titleFrequency.set(term, this.#titleFrequency.get(term) + 1);
      this.#seeOnPage(term);
    }
    this.#pageTally.clear();
    this.#pageCount += 1;
  }

  finish() {
    const table = this.#terms.finish();
    const { termCount } = table;
    const sequences = this.#sequences.finish();
    this.#titleStarts.push(this.#titles.byteLength);
    const postings = joinPostings(termCount, this.#snippetPostings, this.#pagePostings, this.#snippetFrequency);
    return {
      termCount,
      selfTerms: table.names((term) => this.#isSelfTerm(term)),
      data: {
        postings: postings.chunks,
        sequences: sequences.chunks,
        titles: this.#titles.finish(),
      },
      tables: {
        ...table.tables,
        ...postings.tables,
        snippetFrequency: this.#snippetFrequency.view(termCount),
        pageFrequency: this.#pageFrequency.view(termCount),
        sequenceStarts: sequences.starts,
        titleStarts: this.#titleStarts.view(),
      },
    };
  }

  #seeOnPage(term: number): void {
    if (this.#lastSeenOnPage.get(term) === this.#pageCount + 1) return;
    this.#lastSeenOnPage.set(term, this.#pageCount + 1);
    this.#pageFrequency.set(term, this.#pageFrequency.get(term) + 1);
  }

  #isSelfTerm(term: number): boolean {
    return this.#pageCount >= selfTermPagesMin && this.#titleFrequency.get(term) >= this.#pageCount * selfTermShare;
  }
}

/**
 * Concatenates the lists term by term: byte length of the snippet postings (as a varint), the snippet postings, then
 * the page postings. Long lists get skip-table entries: alternately the last snippet passed and the byte reached.
 */
function joinPostings(termCount: number, snippets: PostingPool, pages: PostingPool, snippetFrequency: GrowingUint32) {
  const out = new ByteWriter();
  const starts = new Uint32Array(termCount + 1);
  const skipTerms = new GrowingUint32();
  const skipStarts = new GrowingUint32();
  const skips = new GrowingUint32();
  for (let term = 0; term < termCount; term += 1) {
    const list = snippets.read(term);
    out.varint(list.byteLength);
    out.bytes(list);
    out.bytes(pages.read(term));
    starts[term + 1] = out.byteLength;
    const table = skipTableOf(list, snippetFrequency.get(term));
    if (table.length === 0) continue;
    skipTerms.push(term);
    skipStarts.push(skips.length);
    for (const value of table) skips.push(value);
  }
  skipStarts.push(skips.length);
  return {
    chunks: out.finish(),
    tables: {
      postingStarts: starts,
      skipTerms: skipTerms.view(),
      skipStarts: skipStarts.view(),
      skips: skips.view(),
    },
  };
}

const countMax = 65_535;

/** Counts the terms of one snippet or page by field; cleared after each, in time proportional to its terms. */
class TermTally {
  /** The distinct terms, in the order of first appearance. */
  readonly terms: number[] = [];
  readonly #fieldCount: number;
  /** Index in `terms` plus one; 0 for a term not counted. */
  readonly #slots = new GrowingUint32();
  #counts: Uint16Array;

  constructor(fieldCount: number) {
    this.#fieldCount = fieldCount;
    this.#counts = new Uint16Array(fieldCount * 256);
  }

  add(term: number, field: number): void {
    let slot = this.#slots.get(term);
    if (slot === 0) {
      slot = this.terms.push(term);
      this.#slots.set(term, slot);
      if (slot * this.#fieldCount > this.#counts.length) this.#grow();
    }
    const at = (slot - 1) * this.#fieldCount + field;
    if ((this.#counts[at] as number) < countMax) this.#counts[at] = (this.#counts[at] as number) + 1;
  }

  /** Returns the counts by field of the term at an index in `terms`; valid until the next change. */
  countsAt(place: number): Uint16Array {
    return this.#counts.subarray(place * this.#fieldCount, (place + 1) * this.#fieldCount);
  }

  clear(): void {
    for (const term of this.terms) this.#slots.set(term, 0);
    this.#counts.fill(0, 0, this.terms.length * this.#fieldCount);
    this.terms.length = 0;
  }

  #grow(): void {
    const grown = new Uint16Array(this.#counts.length * 2);
    grown.set(this.#counts);
    this.#counts = grown;
  }
}
