/** Share of common word sequences from which two passages say the same: versions of one text, or one page twice. */
const sameShare = 0.85;
/** `sequencesOf` keeps the last two words: it is written for this many. */
const sequenceWords = 3;

/** Remembers passages and tells whether another says nearly the same as one of them. */
export interface DuplicateFilter {
  /** False, and nothing remembered, when the text nearly equals a remembered one. Texts under 8 words always pass. */
  admit(text: string): boolean;
}

export function createDuplicateFilter(): DuplicateFilter {
  const known: Int32Array[] = [];
  return {
    admit(text) {
      const sequences = sequencesOf(text);
      if (sequences.length < 6) return true;
      if (known.some((other) => commonShare(sequences, other) >= sameShare)) return false;
      known.push(sequences);
      return true;
    },
  };
}

/** Hashes of all runs of so many words, each once, ascending. A word is a run of letters, digits and underscores, in any case. */
function sequencesOf(text: string): Int32Array {
  const lower = text.toLowerCase();
  // Two characters make a word at least, but for the last.
  const sequences = new Int32Array((lower.length >> 1) + 1);
  let count = 0;
  let first = 0;
  let second = 0;
  let words = 0;
  const add = (word: number): void => {
    words += 1;
    if (words >= sequenceWords) sequences[count++] = (Math.imul(Math.imul(first, 31) + second, 31) + word) | 0;
    first = second;
    second = word;
  };
  let hash = emptyHash;
  for (let at = 0; at < lower.length; at++) {
    const code = lower.charCodeAt(at);
    if (code < 128 ? asciiWord[code] === 1 : isWordBeyondAscii(lower, at)) {
      hash = Math.imul(hash ^ code, 0x01000193);
    } else if (hash !== emptyHash) {
      add(hash);
      hash = emptyHash;
    }
  }
  if (hash !== emptyHash) add(hash);
  return withoutRepeats(sequences.subarray(0, count).sort());
}

function withoutRepeats(sorted: Int32Array): Int32Array {
  let count = 0;
  for (const sequence of sorted) if (count === 0 || sequence !== sorted[count - 1]) sorted[count++] = sequence;
  return sorted.subarray(0, count);
}

const emptyHash = 0x811c9dc5 | 0;
const asciiWord = Uint8Array.from({ length: 128 }, (_, code) => (/\w/.test(String.fromCharCode(code)) ? 1 : 0));

function isWordBeyondAscii(text: string, at: number): boolean {
  // The second half of a pair belongs to the character that begins before it.
  const isSecondHalf = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  const point = text.codePointAt(isSecondHalf && at > 0 ? at - 1 : at) ?? 0;
  return /[\p{L}\p{N}]/u.test(String.fromCodePoint(point));
}

function commonShare(a: Int32Array, b: Int32Array): number {
  if (Math.min(a.length, b.length) < sameShare * Math.max(a.length, b.length)) return 0;
  let common = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const difference = (a[i] as number) - (b[j] as number);
    if (difference === 0) common += 1;
    if (difference <= 0) i += 1;
    if (difference >= 0) j += 1;
  }
  return common / (a.length + b.length - common);
}
