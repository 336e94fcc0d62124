import { GrowingUint32 } from './growing-array.ts';

/** Longer names are hardly ever met twice. */
export const rememberedCharsMax = 40;
/** About 50 bytes each; all are given up when there are more. */
const namesMax = 200_000;
const slotsAtFirst = 1 << 12;

/**
 * Names as written with what they mean, found by their characters without making a string: nearly every word of a text
 * was met before.
 */
export class WrittenNames {
  readonly #namesMax: number;
  #slots = new Int32Array(slotsAtFirst);
  #hashes = new GrowingUint32();
  /** Length of each name and where its parts border. */
  #shapes = new GrowingUint32();
  #codeStarts = new GrowingUint32();
  #codes = new Uint16Array(1 << 15);
  #codesUsed = 0;
  #count = 0;

  constructor(most = namesMax) {
    this.#namesMax = most;
  }

  /** Number of the name whose characters stand from `at` to `end`; -1 when it is new. `shape` is part of what it is. */
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

  /** Numbers a new name: one more than the last, or 0 when those before were given up. */
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

/** FNV-1a over UTF-16 units. */
function hashOf(codes: Uint16Array, at: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = at; i < end; i += 1) hash = Math.imul(hash ^ (codes[i] as number), 0x01000193);
  return hash >>> 0;
}
