import { GrowingUint32 } from './growing-array.ts';

const countMax = 65_535;

/** Counts the terms of one snippet or page by field; emptied after each, at the cost of what was counted. */
export class TermTally {
  /** The distinct terms, in the order of first appearance. */
  readonly terms: number[] = [];
  readonly #fieldCount: number;
  /** Place in `terms` plus one; 0 for a term not counted. */
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

  /** Counts by field of the term at a place in `terms`; valid until the next change. */
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
