import { emitCjkRun } from '../analysis/compound.ts';
import { emitName, type SpanSink, scanSpans } from '../analysis/scan.ts';
import { type TextUnits, UnitsBuffer } from '../analysis/text-units.ts';
import type { PageRecord } from '../types.ts';
import { GrowingUint32 } from './growing-array.ts';
import { type PageRole, pageRoleOf } from './page-role.ts';
import { eachSnippetText } from './snippet-terms.ts';
import { ownString } from './term-numbers.ts';
import { rememberedCharsMax, WrittenNames } from './written-names.ts';

const fieldBits = 2;
const advanceBits = 1;

/**
 * The result of analyzing a page before it is added to a segment: the terms of its snippets in reading order, and its
 * role.
 */
export interface FoundTerms {
  finder: TermFinder;
  role: PageRole;
  /** One entry per term: its number in the finder, its field, and whether it advances the position. */
  entries: Uint32Array;
  /** Index of the first entry of each snippet, and the end of the last. */
  starts: Uint32Array;
}

/**
 * Finds the terms of pages before they are added to a segment. Terms have the finder's own numbers, which a builder
 * maps to its own.
 */
export class TermFinder implements SpanSink {
  readonly #numbers = new Map<string, number>();
  readonly #termNames: string[] = [];
  readonly #written = new WrittenNames();
  /** Entries of each distinct name without their field, one name after another. */
  readonly #meanings = new GrowingUint32();
  /** Index of the first entry of each name, and the end of the last. */
  readonly #meaningStarts = new GrowingUint32();
  readonly #units = new UnitsBuffer();
  #entries = new GrowingUint32();
  #field = 0;

  get termCount(): number {
    return this.#termNames.length;
  }

  nameOf(term: number): string {
    return this.#termNames[term] as string;
  }

  /** Returns the terms of a page's snippets, four bytes each. */
  find(page: PageRecord): FoundTerms {
    this.#entries.length = 0;
    const starts = new Uint32Array(page.snippets.length + 1);
    for (const [index, snippet] of page.snippets.entries()) {
      eachSnippetText(snippet, (text, field, withOperators) => {
        this.#field = field;
        scanSpans(this.#units.fill(text), withOperators, this);
      });
      starts[index + 1] = this.#entries.length;
    }
    return { finder: this, role: pageRoleOf(page), entries: this.#entries.view().slice(), starts };
  }

  name(units: TextUnits, at: number, start: number, bodyEnd: number, end: number, isPlain: boolean): void {
    const { text, codes } = units;
    if (end - at > rememberedCharsMax) return emitName(text, at, start, bodyEnd, end, isPlain, this.#pushTerm);
    const shape = ((end - at) << 6) | ((start - at) << 4) | ((end - bodyEnd) << 1) | (isPlain ? 1 : 0);
    let name = this.#written.find(codes, at, end, shape);
    if (name < 0) {
      name = this.#written.add(codes, at, end, shape);
      if (name === 0) this.#meanings.length = 0;
      this.#meaningStarts.set(name, this.#meanings.length);
      emitName(text, at, start, bodyEnd, end, isPlain, this.#learnTerm);
      this.#meaningStarts.set(name + 1, this.#meanings.length);
    }
    const last = this.#meaningStarts.get(name + 1);
    for (let i = this.#meaningStarts.get(name); i < last; i += 1) this.#pushMeaning(this.#meanings.get(i));
  }

  operator(text: string, at: number, end: number): void {
    this.#pushTerm(text.slice(at, end), 1);
  }

  cjkRun(text: string, at: number, end: number): void {
    emitCjkRun(text.slice(at, end), this.#pushTerm);
  }

  readonly #learnTerm = (term: string, advance: 0 | 1): void => {
    this.#meanings.push((this.#numberOf(term) << advanceBits) | advance);
  };

  readonly #pushTerm = (term: string, advance: 0 | 1): void => {
    this.#pushMeaning((this.#numberOf(term) << advanceBits) | advance);
  };

  #pushMeaning(meaning: number): void {
    const place = ((meaning >>> advanceBits) << fieldBits) | this.#field;
    this.#entries.push((place << advanceBits) | (meaning & 1));
  }

  #numberOf(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const own = ownString(term);
    this.#numbers.set(own, this.#termNames.length);
    return this.#termNames.push(own) - 1;
  }
}

/**
 * Calls `sink` for each term of the snippet at `index` as `eachSnippetTerm` does, with the finder's number instead of
 * the term.
 */
export function eachFoundTerm(
  found: FoundTerms,
  index: number,
  sink: (field: number, term: number, advance: 0 | 1) => void,
): void {
  const end = found.starts[index + 1] as number;
  for (let at = found.starts[index] as number; at < end; at += 1) {
    const entry = found.entries[at] as number;
    const place = entry >>> advanceBits;
    sink(place & ((1 << fieldBits) - 1), place >>> fieldBits, (entry & 1) as 0 | 1);
  }
}
