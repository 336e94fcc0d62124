/** Character classes the scanner distinguishes; characters of the class `other` separate words. */
export const charClass = { other: 1, space: 2, lower: 3, upper: 4, digit: 5, letter: 6, cjk: 7 } as const;

const letterPattern = /[\p{L}\p{M}\p{Cs}]/u;
const digitPattern = /\p{N}/u;
const spacePattern = /\s/;
// Scripts written without spaces between words: Han, kana, Hangul (whose particles are glued), Thai, Lao, Khmer, Burmese.
const unspacedPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const known = new Uint8Array(65_536);

function classify(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return charClass.lower;
  if (code >= 0x41 && code <= 0x5a) return charClass.upper;
  if (code >= 0x30 && code <= 0x39) return charClass.digit;
  const char = String.fromCharCode(code);
  if (spacePattern.test(char)) return charClass.space;
  if (code < 0x80) return charClass.other;
  if (code >= 0xd800 && code <= 0xdfff) return charClass.letter;
  if (unspacedPattern.test(char)) return charClass.cjk;
  if (letterPattern.test(char)) return charClass.letter;
  return digitPattern.test(char) ? charClass.digit : charClass.other;
}

for (let code = 0; code < 128; code += 1) known[code] = classify(code);

/** Returns the class of one UTF-16 unit; surrogate halves count as letters. */
export function classOf(code: number): number {
  const found = known[code] as number;
  return found === 0 ? learned(code) : found;
}

function learned(code: number): number {
  const found = classify(code);
  known[code] = found;
  return found;
}

/** Returns true for letters and digits of any alphabet that is written with spaces. */
export function isWordChar(code: number): boolean {
  const found = classOf(code);
  return found >= charClass.lower && found <= charClass.letter;
}
