import { type TermKey, termKey } from '../segment/hash-table.ts';
import type { TermTable } from '../segment/segment.ts';
import type { SegmentView } from './segment-view.ts';

/** One term in the dictionaries of all views. */
export interface FoundTerm {
  term: string;
  /** The term's number in each view's segment. */
  ids: (number | undefined)[];
  /** Number of snippets with the term in each view. */
  snippets: number[];
  /** The term's rarity among snippets and among pages; 0 for a term that no view has. */
  snippetInformation: number;
  pageInformation: number;
}

/** An index of this many snippets estimates a word's rarity well; not fitted. */
const coverageSnippets = 10_000;

/** Stands for the start of a text whose length does not match. */
const noText = 0xffffffff;
/** One entry for each table that is still undecided; reused by consecutive look-ups. */
let waiting = new Uint32Array(0);
let slotAt = new Uint32Array(0);
let entryAt = new Uint32Array(0);
let textAt = new Uint32Array(0);

/**
 * Looks terms up in all views, or only in those at `places`; these count as one collection. Hash tables are rarely in
 * the processor's cache, and each step of a look-up depends on the previous memory access. So all tables advance step
 * by step together and their memory accesses overlap.
 */
export class TermLookup {
  readonly #viewCount: number;
  readonly #places: readonly number[] | undefined;
  readonly #slots: Uint32Array[];
  readonly #starts: Uint32Array[];
  readonly #texts: Uint8Array[];
  readonly #tables: TermTable[];
  #snippets = 0;
  #pages = 0;

  constructor(views: readonly SegmentView[], places?: readonly number[]) {
    this.#viewCount = views.length;
    this.#places = places;
    const segments = (places?.map((at) => views[at] as SegmentView) ?? views).map(({ segment }) => segment);
    this.#tables = segments.map(({ index }) => index.terms);
    this.#slots = this.#tables.map(({ slots }) => slots);
    this.#starts = this.#tables.map(({ starts }) => starts);
    this.#texts = this.#tables.map(({ text }) => text);
    for (const { snippetCount, pageCount } of segments) {
      this.#snippets += snippetCount;
      this.#pages += pageCount;
    }
    if (segments.length <= waiting.length) return;
    [waiting, slotAt, entryAt, textAt] = Array.from({ length: 4 }, () => new Uint32Array(segments.length * 2)) as [
      Uint32Array<ArrayBuffer>,
      Uint32Array<ArrayBuffer>,
      Uint32Array<ArrayBuffer>,
      Uint32Array<ArrayBuffer>,
    ];
  }

  /**
   * Returns a term's information as if `coverageSnippets` more snippets without the term were indexed: few snippets say
   * little about a word's rarity, so in a small index all words of a query get similar weights.
   */
  smoothed(information: number): number {
    return (information ** (1 / rarityPower) + Math.log1p(coverageSnippets / (this.#snippets + 1))) ** rarityPower;
  }

  /** Information of a term that no snippet has. */
  get informationOfUnknown(): number {
    return information(this.#snippets, 0);
  }

  /** Information of a term that one page has. */
  get informationOfOnePage(): number {
    return information(this.#pages, 1);
  }

  find(term: string): FoundTerm {
    const key = termKey(term);
    const ids = new Array<number | undefined>(this.#viewCount).fill(undefined);
    let count = this.#begin(key);
    while (count > 0) {
      this.#readSlots(count);
      this.#readStarts(count, key.bytes.length);
      count = this.#compare(count, key.bytes, ids);
    }
    return this.#found(term, ids);
  }

  #begin({ hash }: TermKey): number {
    const slots = this.#slots;
    for (let at = 0; at < slots.length; at += 1) {
      waiting[at] = at;
      slotAt[at] = hash & ((slots[at] as Uint32Array).length - 1);
    }
    return slots.length;
  }

  #readSlots(count: number): void {
    const slots = this.#slots;
    for (let i = 0; i < count; i += 1) {
      entryAt[i] = (slots[waiting[i] as number] as Uint32Array)[slotAt[i] as number] as number;
    }
  }

  #readStarts(count: number, length: number): void {
    for (let i = 0; i < count; i += 1) {
      const starts = this.#starts[waiting[i] as number] as Uint32Array;
      const entry = entryAt[i] as number;
      // Empty slots are handled in `#compare`: a branch here would cost more than the unneeded read.
      const start = starts[entry === 0 ? 0 : entry - 1] as number;
      textAt[i] = (starts[entry] as number) - start === length ? start : noText;
    }
  }

  /** Moves the tables that must try their next slot to the front. Returns their number. */
  #compare(count: number, wanted: Uint8Array, ids: (number | undefined)[]): number {
    let left = 0;
    for (let i = 0; i < count; i += 1) {
      const entry = entryAt[i] as number;
      if (entry === 0) continue;
      const at = waiting[i] as number;
      const start = textAt[i] as number;
      if (start !== noText && isText(this.#texts[at] as Uint8Array, start, wanted)) {
        ids[this.#places === undefined ? at : (this.#places[at] as number)] = entry - 1;
        continue;
      }
      waiting[left] = at;
      slotAt[left] = ((slotAt[i] as number) + 1) & ((this.#slots[at] as Uint32Array).length - 1);
      left += 1;
    }
    return left;
  }

  #found(term: string, ids: (number | undefined)[]): FoundTerm {
    const snippets = new Array<number>(this.#viewCount).fill(0);
    let snippetSum = 0;
    let pages = 0;
    for (let i = 0; i < this.#tables.length; i += 1) {
      const at = this.#places === undefined ? i : (this.#places[i] as number);
      const id = ids[at];
      if (id === undefined) continue;
      const { snippetFrequencies, pageFrequencies } = this.#tables[i] as TermTable;
      const frequency = snippetFrequencies[id] as number;
      snippets[at] = frequency;
      snippetSum += frequency;
      pages += pageFrequencies[id] as number;
    }
    if (pages === 0) return { term, ids, snippets, snippetInformation: 0, pageInformation: 0 };
    return {
      term,
      ids,
      snippets,
      snippetInformation: information(this.#snippets, snippetSum),
      pageInformation: information(this.#pages, pages),
    };
  }
}

function isText(text: Uint8Array, start: number, wanted: Uint8Array): boolean {
  for (let i = 0; i < wanted.length; i += 1) if (wanted[i] !== text[start + i]) return false;
  return true;
}

/**
 * Questions combine several words; a power below 1 keeps one rare word from outweighing the rest (measured: 0.7 to 0.85
 * is best).
 */
const rarityPower = 0.8;

/** Returns the inverse document frequency in the variant that is never negative. */
function information(total: number, having: number): number {
  return Math.log(1 + (total - having + 0.5) / (having + 0.5)) ** rarityPower;
}
