import { ByteWriter } from './byte-writer.ts';
import { pageFieldCount, pageFieldCountMax, snippetFieldCount } from './fields.ts';
import { GrowingUint32 } from './growing-array.ts';
import { joinPostings } from './join-postings.ts';
import { PostingPool } from './posting-pool.ts';
import { encodeSnippetCounts } from './postings-format.ts';
import { SequenceWriter } from './sequence-writer.ts';
import { createTermNumbers } from './term-numbers.ts';
import { TermTally } from './term-tally.ts';

/** A term in the titles of at least this share of the pages says nothing about one of them. */
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
  // One more than the last snippet or page entered, so that 0 means none.
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

  /** Number of a term in this segment. */
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
