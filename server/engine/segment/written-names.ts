import { GrowingUint32 } from './growing-array.ts';

/** Longer names hardly ever occur twice. */
export const rememberedCharsMax = 40;
/** About 50 bytes per name; all names are dropped when the limit is exceeded. */
const namesMax = 200_000;
const slotsAtFirst = 1 << 12;

/**
 * Numbers distinct names as written. Looks them up by their characters without creating a string: nearly every word of
 * a text has occurred before.
 */
export class WrittenNames {
  readonly #namesMax: number;
  #slots = new Int32Array(slotsAtFirst);
  #hashes = new GrowingUint32();
  /** Length of each name and the borders of its parts. */
  #shapes = new GrowingUint32();
  #codeStarts = new GrowingUint32();
  #codes = new Uint16Array(1 << 15);
  #codesUsed = 0;
  #count = 0;

  constructor(most = namesMax) {
    this.#namesMax = most;
  }

  /**
   * Returns the number of the name between `at` and `end`; -1 if it is new. Names with different `shape` are different.
   */
  find(codes: Uint16Array, at: number, end: number, shape: number): number {
    const hash = hashOf(codes, at, end);
    const mask = this.#slots.length - 1;
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const name = (this.#slots[slot] as number) - 1;
      if (name < 0) return -1;
      if (this.#hashes.get(name) === hash && this.#shapes.get(name) === shape && this.#isAt(name, codes, at, end))
        return name;
    }
  }

  /** Adds a new name. Returns its number: the previous one plus 1, or 0 if the earlier names were dropped. */
  add(codes: Uint16Array, at: number, end: number, shape: number): number {
    if (this.#count >= this.#namesMax) this.#clear();
    const name = this.#count;
    this.#count += 1;
    this.#hashes.set(name, hashOf(codes, at, end));
    this.#shapes.set(name, shape);
    this.#codeStarts.set(name, this.#codesUsed);
    if (this.#codesUsed + end - at > this.#codes.length) {
      const grown = new Uint16Array(this.#codes.length * 2);
      grown.set(this.#codes);
      this.#codes = grown;
    }
    for (let i = at; i < end; i += 1) this.#codes[this.#codesUsed++] = codes[i] as number;
    if (this.#count * 2 > this.#slots.length) this.#rehash();
    else this.#enter(name);
    return name;
  }

  #isAt(name: number, codes: Uint16Array, at: number, end: number): boolean {
    const start = this.#codeStarts.get(name) - at;
    for (let i = at; i < end; i += 1) if (this.#codes[start + i] !== codes[i]) return false;
    return true;
  }

  #enter(name: number): void {
    const mask = this.#slots.length - 1;
    const hash = this.#hashes.get(name);
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = name + 1;
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (let name = 0; name < this.#count; name += 1) this.#enter(name);
  }

  #clear(): void {
    this.#slots = new Int32Array(slotsAtFirst);
    this.#count = 0;
    this.#codesUsed = 0;
  }
}

/** Returns the FNV-1a hash over UTF-16 units. */
function hashOf(codes: Uint16Array, at: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = at; i < end; i += 1) hash = Math.imul(hash ^ (codes[i] as number), 0x01000193);
  return hash >>> 0;
}
