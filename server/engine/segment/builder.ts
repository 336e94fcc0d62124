import { foldText } from '../analysis/fold.ts';
import { scanTerms } from '../analysis/scan.ts';
import type { PageRecord, Snippet } from '../types.ts';
import { addressText } from './address-text.ts';
import { ByteWriter } from './byte-writer.ts';
import { pageFieldCount, snippetFieldCount } from './fields.ts';
import { eachFoundTerm, type FoundTerms, type TermFinder } from './found-terms.ts';
import { GrowingUint32 } from './growing-array.ts';
import { buildHashSlots, hashBytes } from './hash-table.ts';
import { IndexWriter } from './index-writer.ts';
import { codeOfLength } from './length-code.ts';
import { pageRoleOf, pageRoles } from './page-role.ts';
import { createBlockWriter } from './record-blocks.ts';
import { snippetKeyOf, writeSnippet } from './snippet-record.ts';
import { eachSnippetTerm } from './snippet-terms.ts';
import { writeSegment } from './write-segment.ts';

/**
 * Collects pages into one segment. Holds the index and the compressed texts, about the size of the finished segment,
 * plus about 100 bytes per distinct term; never the full texts.
 */
export class SegmentBuilder {
  readonly #index = new IndexWriter();
  readonly #snippetBlocks = createBlockWriter();
  readonly #pageBlocks = createBlockWriter();
  readonly #snippetLengths = new ByteWriter();
  readonly #pageLengths = new ByteWriter();
  readonly #roles = new ByteWriter();
  readonly #pageFirst = new GrowingUint32();
  readonly #snippetKeys = new GrowingUint32();
  readonly #urlHashes = new GrowingUint32();
  readonly #urls = new Set<string>();
  readonly #snippetFieldTotals = new Array<number>(snippetFieldCount).fill(0);
  readonly #pageFieldTotals = new Array<number>(pageFieldCount).fill(0);
  /** For each finder, this segment's numbers for the finder's terms plus one; 0 for a term without a number. */
  readonly #numbersOf = new Map<TermFinder, GrowingUint32>();
  #snippetCount = 0;
  #tokenCount = 0;

  /**
   * Adds the next page. `found` is a finder's result for this page; it saves analyzing the page again. Throws
   * RangeError for an address that was added before.
   */
  addPage(page: PageRecord, found?: FoundTerms): void {
    if (this.#urls.has(page.url)) throw new RangeError(`The page ${page.url} was added before.`);
    this.#urls.add(page.url);
    this.#urlHashes.push(hashBytes(Buffer.from(page.url)));
    this.#pageFirst.push(this.#snippetCount);
    this.#roles.byte(pageRoles.indexOf(found?.role ?? pageRoleOf(page)));
    const { snippets, ...record } = page;
    this.#pageBlocks.add(Buffer.from(JSON.stringify(record)));
    this.#index.beginPage();
    const ownLengths = this.#addPageFields(page);
    const snippetLengths = new Array<number>(snippetFieldCount).fill(0);
    for (const [index, snippet] of snippets.entries()) {
      for (const [field, length] of this.#addSnippet(snippet, index, found).entries()) {
        snippetLengths[field] = (snippetLengths[field] as number) + length;
      }
    }
    this.#index.endPage();
    for (const length of [...ownLengths, ...snippetLengths]) this.#pageLengths.byte(codeOfLength(length));
    addTo(this.#pageFieldTotals, ownLengths);
    addTo(this.#snippetFieldTotals, snippetLengths);
  }

  /** Returns the whole segment as one byte array. The builder cannot be used afterwards. */
  finish(): Uint8Array {
    const { buffer, byteOffset, byteLength } = Buffer.concat([...this.finishChunks()]);
    // A plain array: `slice` of a Buffer shares memory where `slice` of an array copies.
    return new Uint8Array(buffer, byteOffset, byteLength);
  }

  /**
   * Returns the segment piece by piece, so that writing it needs no second copy. The builder cannot be used afterwards.
   */
  finishChunks(): Iterable<Uint8Array> {
    this.#pageFirst.push(this.#snippetCount);
    const snippets = this.#snippetBlocks.finish();
    const pages = this.#pageBlocks.finish();
    const index = this.#index.finish();
    return writeSegment({
      counts: {
        pageCount: this.#urls.size,
        snippetCount: this.#snippetCount,
        tokenCount: this.#tokenCount,
        termCount: index.termCount,
        snippetFieldTotals: this.#snippetFieldTotals,
        pageFieldTotals: this.#pageFieldTotals,
        selfTerms: index.selfTerms,
      },
      data: { ...index.data, snippets: snippets.chunks, pages: pages.chunks },
      tables: {
        ...index.tables,
        snippetLengths: Buffer.concat(this.#snippetLengths.finish()),
        pageLengths: Buffer.concat(this.#pageLengths.finish()),
        pageRoles: Buffer.concat(this.#roles.finish()),
        pageFirst: this.#pageFirst.view(),
        snippetKeys: this.#snippetKeys.view(),
        urlSlots: buildHashSlots(this.#urlHashes.view()),
        snippetBlockStarts: snippets.starts,
        snippetBlockFirsts: snippets.firsts,
        pageBlockStarts: pages.starts,
        pageBlockFirsts: pages.firsts,
      },
    });
  }

  /** Adds the page-level fields. Returns the number of terms in each. */
  #addPageFields(page: PageRecord): number[] {
    return [[page.title], [addressText(page.url)], page.inboundAnchors ?? []].map((texts, field) => {
      let length = 0;
      for (const text of texts) {
        scanTerms(foldText(text), true, (term, advance) => {
          this.#index.pageTerm(field, term, advance);
          length += 1;
        });
      }
      return length;
    });
  }

  #numbersFor(finder: TermFinder): GrowingUint32 {
    const known = this.#numbersOf.get(finder);
    if (known !== undefined) return known;
    const numbers = new GrowingUint32();
    this.#numbersOf.set(finder, numbers);
    return numbers;
  }

  /** Adds a snippet. Returns the number of terms in each field. */
  #addSnippet(snippet: Snippet, index: number, found: FoundTerms | undefined): number[] {
    const lengths = new Array<number>(snippetFieldCount).fill(0);
    const add = (field: number, id: number, advance: 0 | 1) => {
      this.#index.snippetTerm(field, id, advance);
      lengths[field] = (lengths[field] as number) + 1;
    };
    this.#index.beginSnippet();
    if (found === undefined) {
      eachSnippetTerm(snippet, (field, term, advance) => add(field, this.#index.numberOf(term), advance));
    } else {
      const numbers = this.#numbersFor(found.finder);
      eachFoundTerm(found, index, (field, term, advance) => {
        if (numbers.get(term) === 0) numbers.set(term, this.#index.numberOf(found.finder.nameOf(term)) + 1);
        add(field, numbers.get(term) - 1, advance);
      });
    }
    this.#index.endSnippet();
    for (const length of lengths) this.#snippetLengths.byte(codeOfLength(length));
    this.#snippetKeys.push(snippetKeyOf(snippet.id));
    this.#snippetBlocks.add(writeSnippet(snippet));
    this.#snippetCount += 1;
    this.#tokenCount += snippet.tokens;
    return lengths;
  }
}

function addTo(totals: number[], lengths: readonly number[]): void {
  for (const [field, length] of lengths.entries()) totals[field] = (totals[field] as number) + length;
}
