import { charClass, classOf, isWordChar } from './char-class.ts';
import { type EmitTerm, emitCjkRun, emitCompound } from './compound.ts';
import { isOperator, operatorCharsMax } from './operators.ts';
import { stemWord } from './stem-cache.ts';

/** Runs without a space are cut here: longer ones are data, not words. */
export const wordCharsMax = 64;

const HYPHEN = 0x2d;
const DOT = 0x2e;
const COLON = 0x3a;
const UNDERSCORE = 0x5f;
const APOSTROPHE = 0x27;
const PLUS = 0x2b;
const HASH = 0x23;
const BANG = 0x21;
const OPEN = 0x28;

const isPart = (code: number): boolean => code === UNDERSCORE || isWordChar(code);

/** Marks that belong to the name after them: `--flag`, `-m`, `@decorator`, `$1`, `#include`, `%s`, `.gitignore`. */
function sigilLength(text: string, at: number): number {
  const before = at === 0 ? 0x20 : text.charCodeAt(at - 1);
  if (isPart(before)) return 0;
  const code = text.charCodeAt(at);
  const next = text.charCodeAt(at + 1);
  if (code === HYPHEN) {
    if (before === HYPHEN || before === DOT) return 0;
    if (next !== HYPHEN) return isPart(next) ? 1 : 0;
    return isPart(text.charCodeAt(at + 2)) ? 2 : 0;
  }
  if (code === 0x40 || code === 0x24) return isPart(next) ? 1 : 0;
  if (code === HASH || code === 0x25 || code === DOT) {
    const found = classOf(next);
    return before !== code && (found === charClass.lower || found === charClass.upper) ? 1 : 0;
  }
  return 0;
}

/** Characters that join two parts of one name at `at` (0, 1 or 2 of them): `.`, `-`, `'`, `::`. */
function joinerLength(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === DOT || code === HYPHEN) return isPart(text.charCodeAt(at + 1)) ? 1 : 0;
  if (code === APOSTROPHE) return classOf(text.charCodeAt(at + 1)) === charClass.lower ? 1 : 0;
  if (code !== COLON || text.charCodeAt(at + 1) !== COLON) return 0;
  return isPart(text.charCodeAt(at + 2)) ? 2 : 0;
}

/** Marks that belong to the name before them: `c++`, `c#`, `println!(`, `git-commit(1)`. */
function suffixLength(text: string, start: number, end: number): number {
  const code = text.charCodeAt(end);
  const next = text.charCodeAt(end + 1);
  const length = end - start;
  if (code === PLUS && next === PLUS && length <= 2) return isPart(text.charCodeAt(end + 2)) ? 0 : 2;
  if (code === HASH && length === 1) return isPart(next) ? 0 : 1;
  if (code === BANG) return next === OPEN || next === 0x5b || next === 0x7b ? 1 : 0;
  if (code !== OPEN || classOf(next) !== charClass.digit) return 0;
  if (text.charCodeAt(end + 2) === 0x29) return 3;
  return classOf(text.charCodeAt(end + 2)) === charClass.lower && text.charCodeAt(end + 3) === 0x29 ? 4 : 0;
}

function operatorLength(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && end - at <= operatorCharsMax && classOf(text.charCodeAt(end)) === charClass.other)
    end += 1;
  const closedLeft = at === 0 || classOf(text.charCodeAt(at - 1)) === charClass.space;
  for (let length = Math.min(end - at, operatorCharsMax); closedLeft && length >= 2; length -= 1) {
    const after = at + length;
    const closedRight = after >= text.length || classOf(text.charCodeAt(after)) === charClass.space;
    if (closedRight && isOperator(text.slice(at, after))) return length;
  }
  return 0;
}

/**
 * Emits every term of folded text in reading order and returns the number of characters looked at, which is linear in
 * the length of the text. Operators are left out of program listings, where they say nothing.
 */
export function scanTerms(text: string, withOperators: boolean, emit: EmitTerm): number {
  let steps = 0;
  let at = 0;
  while (at < text.length) {
    const found = classOf(text.charCodeAt(at));
    const start = at;
    if (found === charClass.space) {
      at += 1;
    } else if (found === charClass.cjk) {
      while (at < text.length && classOf(text.charCodeAt(at)) === charClass.cjk) at += 1;
      emitCjkRun(text.slice(start, at), emit);
    } else if (found !== charClass.other || text.charCodeAt(at) === UNDERSCORE) {
      at = scanName(text, at, 0, emit);
    } else {
      const sigil = sigilLength(text, at);
      const operator = sigil === 0 && withOperators ? operatorLength(text, at) : 0;
      if (sigil > 0) at = scanName(text, at, sigil, emit);
      else if (operator > 0) emit(text.slice(at, at + operator), 1, 'word');
      if (at === start) at += Math.max(1, operator);
      steps += operatorCharsMax;
    }
    steps += at - start;
  }
  return steps;
}

function scanName(text: string, at: number, sigil: number, emit: EmitTerm): number {
  const start = at + sigil;
  const limit = start + wordCharsMax;
  let end = start;
  let plain = sigil === 0;
  while (end < text.length && end < limit) {
    const code = text.charCodeAt(end);
    const found = classOf(code);
    if (found === charClass.lower) {
      end += 1;
    } else if (found !== charClass.cjk && isPart(code)) {
      plain &&= found === charClass.upper && end === start;
      end += 1;
    } else {
      const joiner = joinerLength(text, end);
      if (joiner === 0) break;
      plain = false;
      end += joiner;
    }
  }
  const suffix = suffixLength(text, start, end);
  if (plain && suffix === 0) {
    emit(stemWord(text.slice(start, end).toLowerCase()), 1, 'word');
    return end;
  }
  emitCompound(text.slice(at, start), text.slice(start, end), text.slice(end, end + suffix), emit);
  return end + suffix;
}
