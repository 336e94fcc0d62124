/** Two passages with this share of common word sequences say the same: versions of one text, or one page twice. */
const sameShare = 0.85;
/** Words per sequence; `sequencesOf` keeps the last two words, so it only works with 3. */
const sequenceWords = 3;

/** Remembers passages and detects passages that nearly repeat one of them. */
export interface DuplicateFilter {
  /**
   * Returns true and remembers the text unless it nearly equals a remembered one. Texts under 8 words are always
   * admitted. If the title is a qualified name, its qualifiers count as equal in all texts: an inherited method has a
   * page in each class.
   */
  admit(text: string, title?: string): boolean;
}

export function createDuplicateFilter(): DuplicateFilter {
  const known: Int32Array[] = [];
  const unqualified: Int32Array[] = [];
  const isKnown = (among: readonly Int32Array[], { length }: Int32Array): boolean =>
    among.some((other) => shareOfPresent(other, length) >= sameShare);
  return {
    admit(text, title = '') {
      const sequences = sequencesOf(text, noNames);
      if (sequences.length < 6) return true;
      if (isKnown(known, sequences)) return false;
      const whole = sequences.slice();
      const names = qualifiersOf(title);
      if (names.size > 0) {
        const masked = sequencesOf(text, names);
        if (isKnown(unqualified, masked)) return false;
        unqualified.push(masked.slice());
      }
      known.push(whole);
      return true;
    },
  };
}

const noNames: ReadonlySet<number> = new Set();
/** A title that is only a qualified name: `QIFResults.t_test`, `std::vector::insert`, but not `Node.js`. */
const qualifiedTitle = /^((?:[\p{L}\p{N}_]+(?:\.|::|#))+)[\p{L}\p{N}_]{3,}(?:\(\))?$/u;
const titleCharactersMax = 300;

/** Returns the hashes of the qualifiers in a title that is a qualified name. */
function qualifiersOf(title: string): ReadonlySet<number> {
  const [, qualifiers] = qualifiedTitle.exec(title.slice(0, titleCharactersMax).trim()) ?? [];
  if (qualifiers === undefined) return noNames;
  const hashes = new Set<number>();
  eachWord(qualifiers, (hash) => hashes.add(hash));
  return hashes;
}

/** A set of numbers that is cleared without overwriting memory: only entries with the current stamp count. */
class StampedSet {
  #numbers = new Int32Array(0);
  #stamps = new Uint32Array(0);
  #stamp = 0;
  #mask = 0;

  /** Clears the set and makes room for `most` numbers. */
  start(most: number): void {
    const size = 2 << (32 - Math.clz32(most));
    this.#mask = size - 1;
    this.#stamp = (this.#stamp + 1) >>> 0;
    if (size <= this.#numbers.length && this.#stamp > 0) return;
    this.#numbers = new Int32Array(Math.max(size, this.#numbers.length));
    this.#stamps = new Uint32Array(this.#numbers.length);
    this.#stamp = 1;
  }

  /** Adds the number; returns true if it was not in the set. */
  add(number: number): boolean {
    const slot = this.#slotOf(number);
    if (this.#stamps[slot] === this.#stamp) return false;
    this.#stamps[slot] = this.#stamp;
    this.#numbers[slot] = number;
    return true;
  }

  has(number: number): boolean {
    return this.#stamps[this.#slotOf(number)] === this.#stamp;
  }

  #slotOf(number: number): number {
    let slot = (number ^ (number >>> 15)) & this.#mask;
    while (this.#stamps[slot] === this.#stamp && this.#numbers[slot] !== number) slot = (slot + 1) & this.#mask;
    return slot;
  }
}

/** The sequences found by the last `sequencesOf` call. */
const present = new StampedSet();
let found = new Int32Array(1 << 12);

/**
 * Returns the distinct hashes of all runs of `sequenceWords` words; `present` holds them too, until the next call. All
 * words in `names` count as the same word.
 */
function sequencesOf(text: string, names: ReadonlySet<number>): Int32Array {
  // Each word takes at least two characters with its separator, except the last.
  const most = (text.length >> 1) + 1;
  present.start(most);
  if (found.length < most) found = new Int32Array(most);
  let count = 0;
  let first = 0;
  let second = 0;
  let words = 0;
  eachWord(text, (hash) => {
    const word = names.has(hash) ? nameHash : hash;
    words += 1;
    if (words >= sequenceWords) {
      const sequence = (Math.imul(Math.imul(first, 31) + second, 31) + word) | 0;
      if (present.add(sequence)) found[count++] = sequence;
    }
    first = second;
    second = word;
  });
  return found.subarray(0, count);
}

/** Visits the hash of each word: a run of letters, digits and underscores, ignoring case. */
function eachWord(text: string, visit: (hash: number) => void): void {
  const lower = text.toLowerCase();
  let hash = emptyHash;
  for (let at = 0; at < lower.length; at++) {
    const code = lower.charCodeAt(at);
    if (code < 128 ? asciiWord[code] === 1 : isWordBeyondAscii(lower, at)) {
      hash = Math.imul(hash ^ code, 0x01000193);
    } else if (hash !== emptyHash) {
      visit(hash);
      hash = emptyHash;
    }
  }
  if (hash !== emptyHash) visit(hash);
}

const emptyHash = 0x811c9dc5 | 0;
/** Hash that stands for every word in `names`. */
const nameHash = 1;
const asciiWord = Uint8Array.from({ length: 128 }, (_, code) => (/\w/.test(String.fromCharCode(code)) ? 1 : 0));

function isWordBeyondAscii(text: string, at: number): boolean {
  // The second half of a surrogate pair belongs to the character that begins before it.
  const isSecondHalf = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  const point = text.codePointAt(isSecondHalf && at > 0 ? at - 1 : at) ?? 0;
  return /[\p{L}\p{N}]/u.test(String.fromCodePoint(point));
}

/** Returns the share of sequences that a remembered text has in common with the current text, which has `count`. */
function shareOfPresent(other: Int32Array, count: number): number {
  if (Math.min(count, other.length) < sameShare * Math.max(count, other.length)) return 0;
  let common = 0;
  for (const sequence of other) if (present.has(sequence)) common += 1;
  return common / (count + other.length - common);
}
