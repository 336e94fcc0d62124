import { CodeSpans } from './code-spans.ts';
import type { Cut } from './limits.ts';
import { linksIn } from './markdown-links.ts';
import { countTokens } from './tokens.ts';

/** Longest stretch without a sentence end that is processed at once; a token is about four characters. */
const wordsChars = 800;
/** Text this short is not halved again: 50 characters of any script stay below every limit used here. */
const charsMin = 50;

/**
 * Cuts running text between sentences, outside code spans and link labels; sentences longer than `tokensMax` between
 * words, and longer words between characters. Rejoining the bodies with their joiners restores the text.
 */
export function cutText(text: string, tokensMax: number): Cut[] {
  const cuts: Cut[] = [];
  let joiner = '';
  for (const sentence of sentences(text)) {
    for (const part of boundedParts(sentence.text, tokensMax)) {
      cuts.push({ open: '', body: part.text, close: '', joiner, tokens: part.tokens });
      joiner = part.after;
    }
    joiner = sentence.after;
  }
  return cuts;
}

interface Sentence {
  text: string;
  /** White space between this part and the next. */
  after: string;
}

interface Part extends Sentence {
  tokens: number;
}

function sentences(text: string): Sentence[] {
  const parts: Sentence[] = [];
  let start = 0;
  let brackets = 0;
  let codeRun = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '`') {
      let run = 1;
      while (text[at + run] === '`') run++;
      if (codeRun === 0) codeRun = run;
      else if (codeRun === run) codeRun = 0;
      at += run - 1;
    } else if (char === '[') brackets++;
    else if (char === ']' && brackets > 0) brackets--;
    else if (char === '\n' || (isSentenceEnd(text, at) && codeRun === 0 && brackets === 0)) {
      const end = char === '\n' ? at : at + 1;
      let next = end;
      while (next < text.length && isSpace(text.charCodeAt(next))) next++;
      // A line break ends open marks, so that unbalanced ones do not join the rest of the text into one sentence.
      if (char === '\n') brackets = codeRun = 0;
      if (next < text.length && end > start) {
        parts.push({ text: text.slice(start, end), after: text.slice(end, next) });
        start = next;
        at = next - 1;
      }
    }
  }
  parts.push({ text: text.slice(start), after: '' });
  return parts;
}

function isSentenceEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === 0x3002 || code === 0xff01 || code === 0xff1f) return true;
  if (at + 1 >= text.length || !isSpace(text.charCodeAt(at + 1))) return false;
  if (code === 0x2e || code === 0x21 || code === 0x3f || code === 0x3b || code === 0x3a) return true;
  const isClosing = code === 0x22 || code === 0x29 || code === 0x201d;
  return isClosing && at > 0 && '.!?'.includes(text[at - 1] as string);
}

function boundedParts(sentence: string, tokensMax: number): Part[] {
  const parts: Part[] = [];
  let marks: Mark[] | undefined;
  let passed = 0;
  let start = 0;
  let size = wordsChars;
  while (start < sentence.length) {
    let end = wordBoundary(sentence, start, start + size);
    if (end < sentence.length) {
      marks ??= marksIn(sentence);
      while (passed < marks.length && marks[passed]!.end <= start) passed++;
      end = beforeTorn(sentence, { start, end }, marks, passed);
    }
    const text = sentence.slice(start, end);
    const tokens = countTokens(text);
    if (tokens > tokensMax && size > charsMin) {
      size = Math.max(charsMin, size >> 1);
      continue;
    }
    let next = end;
    while (next < sentence.length && isSpace(sentence.charCodeAt(next))) next++;
    parts.push({ text, after: sentence.slice(end, next), tokens });
    start = next;
    size = wordsChars;
  }
  return parts;
}

/** A link or code span, which must not be cut in two. */
interface Mark {
  start: number;
  end: number;
}

function marksIn(text: string): Mark[] {
  const marks: Mark[] = linksIn(text);
  const spans = new CodeSpans(text);
  for (let at = text.indexOf('`'); at >= 0; at = text.indexOf('`', at)) {
    const end = spans.end(at);
    marks.push({ start: at, end });
    at = end;
  }
  return marks.sort((a, b) => a.end - b.end);
}

/** Returns a part's end, moved before a mark that it would cut, unless the part starts with that mark. */
function beforeTorn(text: string, part: Mark, marks: readonly Mark[], from: number): number {
  let { end } = part;
  for (let at = from; at < marks.length && marks[at]!.start < part.end; at++) {
    const mark = marks[at]!;
    if (mark.end > part.end && mark.start > part.start) end = Math.min(end, mark.start);
  }
  while (end > part.start + 1 && isSpace(text.charCodeAt(end - 1))) end--;
  return end;
}

/** Returns the last space before `limit`, or `limit` itself; never between the halves of a surrogate pair. */
function wordBoundary(text: string, start: number, limit: number): number {
  if (limit >= text.length) return text.length;
  const earliest = start + ((limit - start) >> 1);
  for (let at = limit; at > earliest; at--) {
    if (isSpace(text.charCodeAt(at))) return at;
  }
  const isPairCut = (text.charCodeAt(limit) & 0xfc00) === 0xdc00 && (text.charCodeAt(limit - 1) & 0xfc00) === 0xd800;
  return isPairCut ? limit - 1 : limit;
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000;
}
