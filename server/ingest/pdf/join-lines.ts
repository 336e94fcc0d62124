import { inlineOf } from './inline-text.ts';
import { type Line, textOfLine } from './page-text.ts';

/** Joins lines into one line of inline Markdown. */
export type JoinLines = (lines: readonly Line[]) => string;

const wordsMax = 300_000;

/**
 * Creates a function that joins lines with spaces and rejoins words hyphenated at a line end. The hyphen stays if the
 * document elsewhere writes the word with it and never without.
 */
export function createJoiner(lines: readonly Line[]): JoinLines {
  const words = wordsOf(lines);
  const known = new WeakMap<Line, string>();
  const textOf = (line: Line) => {
    const text = known.get(line) ?? line.cells.map((cell) => inlineOf(cell.runs)).join(' ');
    known.set(line, text);
    return text;
  };
  return (joined) => {
    let text = '';
    for (const line of joined) text = append(text, textOf(line), words);
    return text.replace(/\u00ad/g, '').trim();
  };
}

function append(text: string, next: string, words: ReadonlySet<string>): string {
  if (text === '' || next === '') return text + next;
  if (text.endsWith('\u00ad')) return text.slice(0, -1) + next;
  if (isCutCall(text) && next.startsWith('`')) return `${text.slice(0, -1)} ${next.slice(1)}`;
  // Code such as a name or an address that was broken at the line end: `GCRYCTL_` and `FORCE`.
  if (/[\w/][_/-]`$/.test(text) && /^`[\w~]/.test(next)) {
    const [first = '', second = ''] = [/([a-z\d]*)-`$/i.exec(text)?.[1]?.toLowerCase(), /^`([a-z\d]+)/.exec(next)?.[1]];
    const isHyphenated = first !== '' && words.has(first + second) && !words.has(`${first}-${second}`);
    return text.slice(0, isHyphenated ? -2 : -1) + next.slice(1);
  }
  const head = /([\p{L}\p{N}]+)[-\u2010]$/u.exec(text);
  const tail = /^[\p{L}\p{N}]+/u.exec(next);
  if (head === null || tail === null) return joinsWithoutSpace(text, next) ? text + next : `${text} ${next}`;
  const [first, second] = [(head[1] as string).toLowerCase(), tail[0].toLowerCase()];
  const isHyphenated = /^\p{Ll}/u.test(next) && !(words.has(`${first}-${second}`) && !words.has(first + second));
  return isHyphenated ? text.slice(0, -1) + next : text + next;
}

/** Returns true if the code at the end has an open bracket. */
function isCutCall(text: string): boolean {
  const code = /`([^`]*)`$/.exec(text)?.[1] ?? '';
  return code.lastIndexOf('(') > code.lastIndexOf(')');
}

/** Returns true if both texts are in scripts written without spaces. */
function joinsWithoutSpace(text: string, next: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f]$/u.test(text) &&
    /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f]/u.test(next)
    ? true
    : false;
}

function wordsOf(lines: readonly Line[]): Set<string> {
  const words = new Set<string>();
  for (const line of lines) {
    if (words.size > wordsMax) break;
    for (const [word] of textOfLine(line).matchAll(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*(?!-)/gu))
      words.add(word.toLowerCase());
  }
  return words;
}
