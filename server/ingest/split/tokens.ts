import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TokenTable } from './token-table.ts';

/** Runs without a break are counted exactly up to this many characters; merging byte pairs takes quadratic time. */
const exactRunChars = 256;
/** Longer runs are counted in slices of this many characters; each slice boundary may add one token. */
const slicedRunChars = 64;
/** Maximum length of a word cached by its bytes, which fit in two numbers. */
const shortWordChars = 8;
/** Size of that cache, a power of two: 96 kB fit in the CPU cache; 8 to 16 thousand perform the same. */
const shortWordPlaces = 8_192;
const shortWordShift = 19;
/** The same for words with non-ASCII characters, such as the symbols in answers. */
const wideWordUnits = 4;
const wideWordPlaces = 1_024;
const wideWordShift = 22;
/** Cached counts of distinct words outside the vocabulary; the cache is cleared when full. */
const rememberedWordsMax = 50_000;

// The split rule of o200k_base. ASCII and common symbols, nearly all of the input, are split by hand below with the
// same result.
const upper = String.raw`\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}`;
const lower = String.raw`\p{Ll}\p{Lm}\p{Lo}\p{M}`;
const ending = String.raw`(?:'(?:[sdmt]|ll|ve|re|[SDMT]|L[lL]|lL|V[eE]|vE|R[eE]|rE))?`;
const lead = String.raw`[^\r\n\p{L}\p{N}]?`;
const piece = new RegExp(
  `${lead}[${upper}]*[${lower}]+${ending}|${lead}[${upper}]+[${lower}]*${ending}` +
    String.raw`|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
  'uy',
);

const other = 0;
const upperCase = 1;
const lowerCase = 2;
const digit = 3;
const space = 4;
const lineEnd = 5;
/** Characters beyond ASCII and common symbols: the expression above decides. */
const beyond = 6;

const classes = new Uint8Array(0x10000).fill(beyond, 128);
for (let code = 0; code < 128; code++) {
  if (code >= 65 && code <= 90) classes[code] = upperCase;
  else if (code >= 97 && code <= 122) classes[code] = lowerCase;
  else if (code >= 48 && code <= 57) classes[code] = digit;
  else if (code === 10 || code === 13) classes[code] = lineEnd;
  else if (code === 32 || code === 9 || code === 11 || code === 12) classes[code] = space;
}
// Punctuation, quotes, dashes, arrows and box-drawing characters. The rule treats them like ASCII punctuation.
for (const [from, to] of [[0xa1, 0xbf] as const, [0x2010, 0x205e] as const, [0x2190, 0x25ff] as const]) {
  for (let code = from; code <= to; code++) {
    if (/[^\s\p{L}\p{N}\p{M}]/u.test(String.fromCharCode(code))) classes[code] = other;
  }
}

let vocabulary: TokenTable | undefined;
const remembered = new Map<string, number>();

/**
 * Loads the vocabulary once. The first count does so implicitly; a server calls this before the first request. Most
 * commands count nothing and skip the cost.
 */
export function readVocabulary(): TokenTable {
  // Read from a file: as a module, the list would take a hundred megabytes of strings in every thread.
  vocabulary ??= new TokenTable(
    readFileSync(fileURLToPath(import.meta.resolve('gpt-tokenizer/data/o200k_base.tiktoken'))),
  );
  return vocabulary;
}

/** A text's UTF-16 units; reading them costs the same regardless of how the string is stored. */
interface Units {
  text: string;
  codes: Uint16Array;
  length: number;
}

/** Most texts fit; longer ones get a separate array. */
const reusedUnits = new Uint16Array(1 << 16);
const reusedBytes = Buffer.from(reusedUnits.buffer);
/** Below this length, copying character by character is faster than a call out of the JavaScript engine. */
const shortText = 80;

function unitsOf(text: string): Units {
  const { length } = text;
  if (length > reusedUnits.length) {
    const codes = new Uint16Array(length);
    Buffer.from(codes.buffer).write(text, 'utf16le');
    return { text, codes, length };
  }
  if (length > shortText) reusedBytes.write(text, 'utf16le');
  else for (let at = 0; at < length; at++) reusedUnits[at] = text.charCodeAt(at);
  return { text, codes: reusedUnits, length };
}

/**
 * Returns the number of o200k_base tokens in `text`. Special tokens such as `<|endoftext|>` count as ordinary text.
 * Exact, except that runs of more than 256 characters without a break are counted in slices, which keeps the time
 * linear for any input. If there are more than `enough` tokens, the result is only known to exceed `enough`.
 */
export function countTokens(text: string, enough = Number.POSITIVE_INFINITY): number {
  const units = unitsOf(text);
  let count = 0;
  let at = 0;
  while (at < units.length && count <= enough) {
    const end = plainPieceEnd(units, at) || anyPieceEnd(text, at);
    count += pieceTokens(units, at, end);
    at = end;
  }
  return count;
}

/**
 * Returns the tokens that an empty line between `text` and `next` adds to the sum of their tokens, or undefined if only
 * counting them together gives the result. Avoids recounting a text composed of counted ones.
 */
export function tokensOfEmptyLine(text: string, next: string): number | undefined {
  if (joinsLineEnds(next, 0)) return undefined;
  const last = classOfChar(text, text.length - 1);
  if (last === upperCase || last === lowerCase || last === digit) return 1;
  // Line ends are in one piece with the punctuation before them, so the last line, in which that piece starts, is
  // recounted.
  const lineStart = text.lastIndexOf('\n') + 1;
  if (text.length - lineStart > exactRunChars || (lineStart > 0 && joinsLineEnds(text, lineStart))) return undefined;
  const tail = text.slice(lineStart);
  return countTokens(`${tail}\n\n`) - countTokens(tail);
}

/**
 * Returns `countTokens` of a text that contains the `counted` texts in this order, without recounting them. Each must
 * start on a new line and be followed by an empty line; otherwise the whole text is counted.
 */
export function countTokensAround(text: string, counted: readonly { text: string; tokens: number }[]): number {
  let sum = 0;
  let at = 0;
  for (const part of counted) {
    if (part.text === '') continue;
    const start = text.indexOf(part.text, at);
    const end = start + part.text.length;
    const isOnOwnLines = start >= 0 && (start === 0 || text[start - 1] === '\n') && !joinsLineEnds(part.text, 0);
    if (!isOnOwnLines) return countTokens(text);
    sum += countTokens(text.slice(at, start)) + part.tokens;
    at = end;
    if (end === text.length) break;
    const emptyLine = text.startsWith('\n\n', end)
      ? tokensOfEmptyLine(part.text, text.slice(end + 2, end + 3))
      : undefined;
    if (emptyLine === undefined) return countTokens(text);
    sum += emptyLine;
    at = end + 2;
  }
  return sum + countTokens(text.slice(at));
}

/**
 * Returns true if line ends before this character form one piece with it or the following text; also past the end,
 * where this is unknown.
 */
function joinsLineEnds(text: string, at: number): boolean {
  const kind = classOfChar(text, at);
  if (kind === beyond) return !/^\S/u.test(text.slice(at, at + 2));
  return kind === space || kind === lineEnd || text[at] === '/';
}

function classOfChar(text: string, at: number): number {
  return at >= 0 && at < text.length ? (classes[text.charCodeAt(at)] as number) : beyond;
}

/** Returns the end of the piece that starts at `at`, or 0 if a character without a class is involved. */
function plainPieceEnd(units: Units, at: number): number {
  const { codes } = units;
  const first = classes[codes[at] as number];
  if (first === upperCase || first === lowerCase) return wordEnd(units, at);
  if (first === digit) return digitsEnd(units, at);
  if (first === beyond) return 0;
  const second = at + 1 < units.length ? classes[codes[at + 1] as number] : lineEnd;
  if (first !== lineEnd) {
    if (second === beyond) return 0;
    if (second === upperCase || second === lowerCase) return wordEnd(units, at + 1);
  }
  if (first === other) return marksEnd(units, at);
  if (codes[at] === 32 && second === other) return marksEnd(units, at + 1);
  return spacesEnd(units, at);
}

/** Returns the first position from `from` on whose character has another class. */
function runEnd(units: Units, from: number, kind: number): number {
  const { codes, length } = units;
  let at = from;
  while (at < length && classes[codes[at] as number] === kind) at++;
  return at;
}

function isBeyond(units: Units, at: number): boolean {
  return at < units.length && classes[units.codes[at] as number] === beyond;
}

function wordEnd(units: Units, from: number): number {
  const at = runEnd(units, runEnd(units, from, upperCase), lowerCase);
  if (isBeyond(units, at)) return 0;
  return at < units.length && units.codes[at] === 39 ? at + endingLength(units, at) : at;
}

/** Returns the length of `'s`, `'ll` and similar endings at `at`, or 0. */
function endingLength(units: Units, at: number): number {
  const one = at + 1 < units.length ? (units.codes[at + 1] as number) | 32 : 0;
  if (one === 115 || one === 100 || one === 109 || one === 116) return 2;
  const two = at + 2 < units.length ? (units.codes[at + 2] as number) | 32 : 0;
  const isLong = (one === 108 && two === 108) || ((one === 118 || one === 114) && two === 101);
  return isLong ? 3 : 0;
}

function digitsEnd(units: Units, from: number): number {
  const { codes, length } = units;
  const limit = Math.min(from + 3, length);
  let at = from + 1;
  while (at < limit && classes[codes[at] as number] === digit) at++;
  return at < from + 3 && isBeyond(units, at) ? 0 : at;
}

function marksEnd(units: Units, from: number): number {
  const { codes, length } = units;
  let at = runEnd(units, from, other);
  if (isBeyond(units, at)) return 0;
  while (at < length && (classes[codes[at] as number] === lineEnd || codes[at] === 47)) at++;
  return at;
}

function spacesEnd(units: Units, from: number): number {
  const { codes, length } = units;
  let at = from;
  let afterLastLineEnd = 0;
  while (at < length) {
    const kind = classes[codes[at] as number];
    if (kind !== space && kind !== lineEnd) break;
    at++;
    if (kind === lineEnd) afterLastLineEnd = at;
  }
  if (isBeyond(units, at)) return 0;
  if (afterLastLineEnd > 0) return afterLastLineEnd;
  return at === length || at - from === 1 ? at : at - 1;
}

function anyPieceEnd(text: string, at: number): number {
  piece.lastIndex = at;
  return piece.test(text) ? piece.lastIndex : at + 1;
}

function pieceTokens(units: Units, start: number, end: number): number {
  if (end - start === 1 && (units.codes[start] as number) < 128) return 1;
  if (end - start <= shortWordChars) return shortWordTokens(units, start, end);
  if (end - start <= exactRunChars) return wordTokens(units, start, end);
  let count = 0;
  for (let at = start; at < end; at += slicedRunChars)
    count += wordTokens(units, at, Math.min(end, at + slicedRunChars));
  return count;
}

/** Counts of recent short words, as a direct-mapped cache: a new word replaces the one in its slot. */
const shortWords = new Int32Array(3 * shortWordPlaces);

/**
 * Counts a word of up to eight ASCII characters, compared as two numbers: covers nearly all words, and few of them
 * occur often.
 */
function shortWordTokens(units: Units, start: number, end: number): number {
  const { codes } = units;
  let low = 0;
  let high = 0;
  for (let at = start; at < end; at++) {
    const code = codes[at] as number;
    // Words with a NUL character have no unique key.
    if (code === 0) return wordTokens(units, start, end);
    if (code >= 128) return wideWordTokens(units, start, end);
    if (at - start < 4) low |= code << (8 * (at - start));
    else high |= code << (8 * (at - start - 4));
  }
  const place = 3 * (Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1) >>> shortWordShift);
  if (shortWords[place] === low && shortWords[place + 1] === high) return shortWords[place + 2] as number;
  const count = wordTokens(units, start, end);
  shortWords[place] = low;
  shortWords[place + 1] = high;
  shortWords[place + 2] = count;
  return count;
}

const wideWords = new Int32Array(3 * wideWordPlaces);

/** Counts a word of up to four characters of any kind. */
function wideWordTokens(units: Units, start: number, end: number): number {
  if (end - start > wideWordUnits) return wordTokens(units, start, end);
  const { codes } = units;
  let low = 0;
  let high = 0;
  for (let at = start; at < end; at++) {
    const code = codes[at] as number;
    if (code === 0) return wordTokens(units, start, end);
    if (at - start < 2) low |= code << (16 * (at - start));
    else high |= code << (16 * (at - start - 2));
  }
  const place = 3 * (Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1) >>> wideWordShift);
  if (wideWords[place] === low && wideWords[place + 1] === high) return wideWords[place + 2] as number;
  const count = wordTokens(units, start, end);
  wideWords[place] = low;
  wideWords[place + 1] = high;
  wideWords[place + 2] = count;
  return count;
}

function wordTokens(units: Units, start: number, end: number): number {
  // The table holds bytes: ASCII text equals its bytes; other text is looked up as UTF-8 below.
  if (isAscii(units.codes, start, end) && readVocabulary().rank(units.codes, start, end) >= 0) return 1;
  const word = units.text.slice(start, end);
  const known = remembered.get(word);
  if (known !== undefined) return known;
  const bytes = Uint16Array.from(Buffer.from(word, 'utf8'));
  const count = readVocabulary().rank(bytes, 0, bytes.length) >= 0 ? 1 : mergedCount(bytes);
  if (remembered.size >= rememberedWordsMax) remembered.clear();
  remembered.set(word, count);
  return count;
}

/**
 * Merges the adjacent pair of lowest rank until no pair is in the vocabulary; returns the number of remaining tokens.
 */
function mergedCount(bytes: Uint16Array): number {
  const starts = Array.from({ length: bytes.length + 1 }, (_, index) => index);
  const rankAt = (index: number): number => {
    const end = starts[index + 2];
    if (end === undefined) return Number.POSITIVE_INFINITY;
    const rank = readVocabulary().rank(bytes, starts[index] as number, end);
    return rank < 0 ? Number.POSITIVE_INFINITY : rank;
  };
  const pairs = starts.map((_, index) => rankAt(index));
  for (;;) {
    let best = -1;
    let bestRank = Number.POSITIVE_INFINITY;
    for (let index = 0; index < pairs.length; index++) {
      const rank = pairs[index] as number;
      if (rank < bestRank) {
        best = index;
        bestRank = rank;
      }
    }
    if (best < 0) return starts.length - 1;
    starts.splice(best + 1, 1);
    pairs.splice(best + 1, 1);
    pairs[best] = rankAt(best);
    if (best > 0) pairs[best - 1] = rankAt(best - 1);
  }
}

function isAscii(codes: Uint16Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if ((codes[at] as number) >= 128) return false;
  return true;
}
