import { pageFieldCount, snippetFieldCount } from '../segment/fields.ts';
import { type Counts, formBodyOnce, readCounts } from '../segment/postings-format.ts';
import type { SegmentIndex } from '../segment/segment.ts';
import {
  type Alternative,
  onlyWordOf,
  type PageFieldWalk,
  type SnippetWalk,
  walkPageFields,
  walkSnippets,
} from './concept-cursor.ts';
import type { LengthNorms } from './length-norms.ts';
import { end } from './posting-cursor.ts';
import { addToPage, type ScoreBoard } from './score-board.ts';

const lengthsPerPage = pageFieldCount + snippetFieldCount;

/** One concept of a query in one segment. */
export interface ConceptScoring {
  alternatives: readonly Alternative[];
  /** Most the concept can add to a snippet's and to a page's score. */
  snippetWeight: number;
  pageWeight: number;
  snippetK1: number;
  pageK1: number;
  /** True if the term is in most titles of this module, where it does not distinguish pages. */
  isSelfTerm: boolean;
}

/**
 * Adds one concept's scores to the board: to each snippet that has it, and to each page, whose counts are the sums over
 * its snippets and page-level fields. Fields are combined before saturation (BM25F). With `onlyPages` (ascending) other
 * pages are ignored, and long lists are skipped through.
 */
export function scoreConcept(
  index: SegmentIndex,
  concept: ConceptScoring,
  norms: LengthNorms,
  board: ScoreBoard,
  onlyPages?: Uint32Array,
): void {
  const scorer = new ConceptScorer(index, concept, norms, board);
  if (onlyPages === undefined) scorer.scoreAll();
  else scorer.scorePages(onlyPages);
}

/**
 * Adds `weight` to each page whose whole title is the term: a word that most pages contain, as an option does in
 * examples, says little about all pages but that one.
 */
export function scoreNamed(
  index: SegmentIndex,
  term: string,
  postings: Alternative['postings'],
  weight: number,
  board: ScoreBoard,
): void {
  if (index.selfTerms.includes(term)) return;
  const named = walkPageFields([{ postings, weight: 1 }]);
  for (named.next(); named.page !== end; named.next())
    if (named.title > 0 && index.pageLengths[named.page * lengthsPerPage] === 1) addToPage(board, named.page, weight);
}

/** Shared by all scorers: one concept is scored at a time. */
const countsOfPage = new Float64Array(snippetFieldCount);

class ConceptScorer {
  readonly #index: SegmentIndex;
  readonly #concept: ConceptScoring;
  readonly #norms: LengthNorms;
  readonly #board: ScoreBoard;
  readonly #snippets: SnippetWalk;
  readonly #fields: PageFieldWalk;
  /**
   * Counts by field over the current page's snippets. A typed array, because fractional numbers in class fields would
   * be heap objects.
   */
  readonly #counts = countsOfPage.fill(0);

  constructor(index: SegmentIndex, concept: ConceptScoring, norms: LengthNorms, board: ScoreBoard) {
    this.#index = index;
    this.#concept = concept;
    this.#norms = norms;
    this.#board = board;
    this.#snippets = walkSnippets(concept.alternatives);
    this.#fields = walkPageFields(concept.alternatives);
    this.#fields.next();
  }

  scoreAll(): void {
    const word = onlyWordOf(this.#concept.alternatives);
    if (word === undefined) this.#scoreMerged();
    else this.#scoreWord(word.snippets);
    while (this.#fields.page !== end) this.#scorePage(this.#fields.page, 0);
  }

  #scoreMerged(): void {
    const { pageFirst } = this.#index;
    this.#snippets.next();
    let page = 0;
    while (this.#snippets.doc !== end) {
      while ((pageFirst[page + 1] as number) <= this.#snippets.doc) page += 1;
      while (this.#fields.page < page) this.#scorePage(this.#fields.page, 0);
      this.#scorePage(page, this.#scoreSnippets(pageFirst[page + 1] as number));
    }
  }

  /**
   * Same as `#scoreMerged` for a single word, from its encoded postings in one loop with local counters: searches spend
   * most of their time here.
   */
  #scoreWord(bytes: Uint8Array): void {
    const { pageFirst, snippetLengths } = this.#index;
    const { snippetWeight, snippetK1 } = this.#concept;
    const [normHeadings, normIdentifiers, normBody, normCode] = this.#norms.snippet;
    const scores = this.#board.snippets;
    const pageCounts = this.#counts;
    const counts: Counts = [0, 0, 0, 0];
    let doc = -1;
    let page = 0;
    let pageEnd = 0;
    let top = 0;
    for (let at = 0; at < bytes.length; ) {
      let head = bytes[at++] as number;
      if (head > 127) {
        head &= 127;
        let byte = 128;
        for (let shift = 7; byte > 127; shift += 7) {
          byte = bytes[at++] as number;
          head |= (byte & 127) << shift;
        }
      }
      doc += (head >>> 2) + 1;
      if (doc >= pageEnd) {
        if (pageEnd > 0) this.#scorePage(page, top);
        top = 0;
        while ((pageFirst[page + 1] as number) <= doc) page += 1;
        pageEnd = pageFirst[page + 1] as number;
        while (this.#fields.page < page) this.#scorePage(this.#fields.page, 0);
      }
      const lengths = doc * snippetFieldCount;
      let frequency = 0;
      if ((head & 3) === formBodyOnce) {
        pageCounts[2] = (pageCounts[2] as number) + 1;
        frequency = normBody[snippetLengths[lengths + 2] as number] as number;
      } else {
        at = readCounts(bytes, at, head & 3, counts);
        const [headings, identifiers, body, code] = counts;
        frequency =
          body * (normBody[snippetLengths[lengths + 2] as number] as number) +
          code * (normCode[snippetLengths[lengths + 3] as number] as number);
        pageCounts[2] = (pageCounts[2] as number) + body;
        pageCounts[3] = (pageCounts[3] as number) + code;
        if (headings + identifiers > 0) {
          frequency += headings * (normHeadings[snippetLengths[lengths] as number] as number);
          frequency += identifiers * (normIdentifiers[snippetLengths[lengths + 1] as number] as number);
          pageCounts[0] = (pageCounts[0] as number) + headings;
          pageCounts[1] = (pageCounts[1] as number) + identifiers;
        }
      }
      const score = (scores[doc] as number) + (snippetWeight * frequency) / (snippetK1 + frequency);
      scores[doc] = score;
      if (score > top) top = score;
    }
    if (pageEnd > 0) this.#scorePage(page, top);
  }

  scorePages(pages: Uint32Array): void {
    const { pageFirst } = this.#index;
    for (const page of pages) {
      while (this.#fields.page < page) this.#fields.next();
      this.#snippets.seek(pageFirst[page] as number);
      if (this.#snippets.doc < (pageFirst[page] as number)) this.#snippets.next();
      this.#scorePage(page, this.#scoreSnippets(pageFirst[page + 1] as number));
    }
  }

  /** Scores the snippets before `until` and accumulates the page's counts. Returns the best of these scores. */
  #scoreSnippets(until: number): number {
    const { snippetLengths } = this.#index;
    const { snippetWeight, snippetK1 } = this.#concept;
    const [normHeadings, normIdentifiers, normBody, normCode] = this.#norms.snippet;
    const scores = this.#board.snippets;
    const walk = this.#snippets;
    const pageCounts = this.#counts;
    let bodySum = 0;
    let codeSum = 0;
    let top = 0;
    let doc = walk.doc;
    while (doc < until) {
      const at = doc * snippetFieldCount;
      const { headings, identifiers, body, code } = walk;
      let frequency = 0;
      if (body > 0) {
        bodySum += body;
        frequency = body * (normBody[snippetLengths[at + 2] as number] as number);
      }
      if (code > 0) {
        codeSum += code;
        frequency += code * (normCode[snippetLengths[at + 3] as number] as number);
      }
      if (headings > 0) {
        pageCounts[0] = (pageCounts[0] as number) + headings;
        frequency += headings * (normHeadings[snippetLengths[at] as number] as number);
      }
      if (identifiers > 0) {
        pageCounts[1] = (pageCounts[1] as number) + identifiers;
        frequency += identifiers * (normIdentifiers[snippetLengths[at + 1] as number] as number);
      }
      const score = (scores[doc] as number) + (snippetWeight * frequency) / (snippetK1 + frequency);
      scores[doc] = score;
      if (score > top) top = score;
      walk.next();
      doc = walk.doc;
    }
    pageCounts[2] = (pageCounts[2] as number) + bodySum;
    pageCounts[3] = (pageCounts[3] as number) + codeSum;
    return top;
  }

  /**
   * Scores a page, including its page-level fields if the cursor is on it, and clears the counts; `top` is the best
   * snippet score.
   */
  #scorePage(page: number, top: number): void {
    const { pageWeight, pageK1, isSelfTerm } = this.#concept;
    const { pageLengths } = this.#index;
    const norms = this.#norms.page;
    const counts = this.#counts;
    const base = page * lengthsPerPage;
    let frequency = 0;
    if (this.#fields.page === page) {
      const { title, address, inbound } = this.#fields;
      if (title > 0 && !isSelfTerm) frequency += title * normOf(norms, 0, pageLengths[base]);
      if (address > 0) frequency += address * normOf(norms, 1, pageLengths[base + 1]);
      if (inbound > 0) frequency += inbound * normOf(norms, 2, pageLengths[base + 2]);
      this.#fields.next();
    }
    for (let field = 0; field < snippetFieldCount; field += 1) {
      const count = counts[field] as number;
      if (count === 0) continue;
      const at = pageFieldCount + field;
      frequency += count * normOf(norms, at, pageLengths[base + at]);
      counts[field] = 0;
    }
    const { tops } = this.#board;
    if (top > (tops[page] as number)) tops[page] = top;
    if (frequency > 0) addToPage(this.#board, page, (pageWeight * frequency) / (pageK1 + frequency));
  }
}

function normOf(norms: readonly Float64Array[], field: number, length: number | undefined): number {
  return (norms[field] as Float64Array)[length as number] as number;
}
