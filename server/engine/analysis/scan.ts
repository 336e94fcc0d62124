import { charClass, classOf, isWordChar } from './char-class.ts';
import { type EmitTerm, emitCjkRun, emitCompound } from './compound.ts';
import { stemWord } from './stem.ts';
import { type TextUnits, unitsOf } from './text-units.ts';

/** Runs without a space are cut at this length: longer ones are data, not words. */
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
const BACKTICK = 0x60;
const LESS = 0x3c;
const GREATER = 0x3e;

const isStart = (code: number): boolean => classOf(code) === charClass.space || code === BACKTICK;

/** Characters that may surround an operator in a sentence, besides white space: `(<=>)`, “`??=`,”. */
const isOpening = (code: number): boolean =>
  classOf(code) === charClass.space || '([{"\'`|,'.includes(String.fromCharCode(code));
const isClosing = (code: number): boolean =>
  classOf(code) === charClass.space || ')]}"\'`|,.;:'.includes(String.fromCharCode(code));

const isPart = (code: number): boolean => code === UNDERSCORE || isWordChar(code);

/**
 * Returns the length of the marks that belong to the following name: `--flag`, `-m`, `@decorator`, `$1`, `#include`,
 * `%s`, `.gitignore`.
 */
function sigilLength({ codes }: TextUnits, at: number): number {
  const before = at === 0 ? 0x20 : (codes[at - 1] as number);
  if (isPart(before)) return 0;
  const code = codes[at];
  const next = codes[at + 1] as number;
  if (code === HYPHEN) {
    if (before === HYPHEN || before === DOT) return 0;
    if (next !== HYPHEN) return isPart(next) ? 1 : 0;
    return isPart(codes[at + 2] as number) ? 2 : 0;
  }
  if (code === 0x40 || code === 0x24) return isPart(next) ? 1 : 0;
  // `!important` is a name that includes the mark. Before brackets or in conditions `!` negates.
  if (code === BANG) return isStart(before) && classOf(next) === charClass.lower ? 1 : 0;
  if (code === HASH || code === 0x25 || code === DOT) {
    const found = classOf(next);
    return before !== code && (found === charClass.lower || found === charClass.upper) ? 1 : 0;
  }
  return 0;
}

/** Returns how many characters (0, 1 or 2) at `at` join two parts of one name: `.`, `-`, `'`, `::`. */
function joinerLength({ codes }: TextUnits, at: number): number {
  const code = codes[at];
  if (code === DOT || code === HYPHEN) return isPart(codes[at + 1] as number) ? 1 : 0;
  if (code === APOSTROPHE) return classOf(codes[at + 1] as number) === charClass.lower ? 1 : 0;
  if (code !== COLON || codes[at + 1] !== COLON) return 0;
  return isPart(codes[at + 2] as number) ? 2 : 0;
}

/** Returns the length of the marks that belong to the preceding name: `c++`, `c#`, `println!(`, `git-commit(1)`. */
function suffixLength({ codes }: TextUnits, start: number, end: number): number {
  const code = codes[end];
  const next = codes[end + 1] as number;
  const length = end - start;
  if (code === PLUS && next === PLUS && length <= 2) return isPart(codes[end + 2] as number) ? 0 : 2;
  if (code === HASH && length === 1) return isPart(next) ? 0 : 1;
  if (code === BANG) return next === OPEN || next === 0x5b || next === 0x7b ? 1 : 0;
  if (code !== OPEN || classOf(next) !== charClass.digit) return 0;
  if (codes[end + 2] === 0x29) return 3;
  return classOf(codes[end + 2] as number) === charClass.lower && codes[end + 3] === 0x29 ? 4 : 0;
}

function operatorLength({ text, codes, length }: TextUnits, at: number): number {
  // Most marks stand next to a name and cannot start an operator: return before slicing the text.
  if (at > 0 && !isOpening(codes[at - 1] as number)) return 0;
  for (let size = Math.min(length - at, operatorCharsMax); size >= 2; size -= 1) {
    const after = at + size;
    const isClosed = after >= length || isClosing(codes[after] as number);
    if (isClosed && isOperator(text.slice(at, after))) return size;
  }
  return 0;
}

/** Returns true for shell redirections such as `2>&1` and `1>&2`, which begin like a number. */
function isRedirection({ codes }: TextUnits, at: number): boolean {
  const next = codes[at + 1];
  return (next === GREATER || next === LESS) && classOf(codes[at] as number) === charClass.digit;
}

/** Receives the spans of a text in reading order, before they become terms. */
export interface SpanSink {
  /**
   * Receives a name from `at` to `end`: marks up to `start`, its body up to `bodyEnd`, then marks. `isPlain` is true
   * for a word without marks and inner structure. The same characters always mean the same name.
   */
  name(units: TextUnits, at: number, start: number, bodyEnd: number, end: number, isPlain: boolean): void;
  operator(text: string, at: number, end: number): void;
  /** Receives characters of a script written without spaces. */
  cjkRun(text: string, at: number, end: number): void;
}

/** Emits the terms of a name that `scanSpans` found. */
export function emitName(
  text: string,
  at: number,
  start: number,
  bodyEnd: number,
  end: number,
  isPlain: boolean,
  emit: EmitTerm,
): void {
  if (isPlain) emit(stemWord(text.slice(start, end).toLowerCase()), 1, 'word');
  else emitCompound(text.slice(at, start), text.slice(start, bodyEnd), text.slice(bodyEnd, end), emit);
}

/**
 * Emits every term of folded text in reading order and returns the number of characters examined, which is linear in
 * the text's length. Skips operators in program listings, where they carry no information.
 */
export function scanTerms(text: string, withOperators: boolean, emit: EmitTerm): number {
  return scanSpans(unitsOf(text), withOperators, {
    name: (_, at, start, bodyEnd, end, isPlain) => emitName(text, at, start, bodyEnd, end, isPlain, emit),
    operator: (_, at, end) => emit(text.slice(at, end), 1, 'word'),
    cjkRun: (_, at, end) => emitCjkRun(text.slice(at, end), emit),
  });
}

/** Finds the names, operators and runs that `scanTerms` turns into terms; returns the same number. */
export function scanSpans(units: TextUnits, withOperators: boolean, sink: SpanSink): number {
  const { text, codes, length } = units;
  let steps = 0;
  let at = 0;
  while (at < length) {
    const found = classOf(codes[at] as number);
    const start = at;
    if (found === charClass.space) {
      at += 1;
    } else if (found === charClass.cjk) {
      while (at < length && classOf(codes[at] as number) === charClass.cjk) at += 1;
      sink.cjkRun(text, start, at);
    } else if (found !== charClass.other || codes[at] === UNDERSCORE) {
      const operator = withOperators && isRedirection(units, at) ? operatorLength(units, at) : 0;
      if (operator > 0) sink.operator(text, at, at + operator);
      at = operator > 0 ? at + operator : scanName(units, at, 0, sink);
    } else {
      const sigil = sigilLength(units, at);
      const operator = sigil === 0 && withOperators ? operatorLength(units, at) : 0;
      if (sigil > 0) at = scanName(units, at, sigil, sink);
      else if (operator > 0) sink.operator(text, at, at + operator);
      if (at === start) at += Math.max(1, operator);
      steps += operatorCharsMax;
    }
    steps += at - start;
  }
  return steps;
}

function scanName(units: TextUnits, at: number, sigil: number, sink: SpanSink): number {
  const { codes, length } = units;
  const start = at + sigil;
  const limit = Math.min(length, start + wordCharsMax);
  let end = start;
  let plain = sigil === 0;
  while (end < limit) {
    const code = codes[end] as number;
    const found = classOf(code);
    if (found === charClass.lower) {
      end += 1;
    } else if (found !== charClass.cjk && isPart(code)) {
      plain &&= found === charClass.upper && end === start;
      end += 1;
    } else {
      const joiner = joinerLength(units, end);
      if (joiner === 0) break;
      plain = false;
      end += joiner;
    }
  }
  const suffix = suffixLength(units, start, end);
  sink.name(units, at, start, end, end + suffix, plain && suffix === 0);
  return end + suffix;
}

/**
 * Operators and shell marks worth finding in prose, inline code and queries; longest first where several begin alike.
 */
const operators = new Set(
  (
    '== === != !== => -> <- := && || ?? ?. ... ** // >> << >>> <<< [[ ]] (( )) $@ $? $* $$ $! $# $- $_ $0 += -= *= /= |= ^= ++ -- <= >= ' +
    '<> |> <=> =~ ~= !~ :: .. ## %% {% {{ &> 2>&1 <% ??= &&= ||= %= **= //= &= @= <<= >>= >>>= ..= ..< ?: !! ~> =: <$> <*> <|> >>= ' +
    '=<< >=> ->> #> #>> @> <@ ?| ?& @@ ~~ ~* !~* !~~ %in% ${ $( <( >( >| >& <& &>> |& ;; ;& 1>&2 >&2 2> #{ #[ ^. ::= ==>'
  ).split(' '),
);

/** Longest operator in characters. */
const operatorCharsMax = 4;

/** Returns true if this run of punctuation is indexed as a separate term. */
function isOperator(run: string): boolean {
  return operators.has(run);
}
