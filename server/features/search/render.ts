import type { Snippet } from '#server/engine/index.ts';
import { countTokens, countTokensAround } from '#server/ingest/split/tokens.ts';
import { cleanLabel, cleanText, mark } from './clean-text.ts';
import { doubtNotice, isDoubtful } from './doubtful-text.ts';
import { withoutLinkTargets } from './link-targets.ts';

const headingsShownMax = 3;

/** A passage as sent to an agent; `text` is clean Markdown, cut or whole, or empty if only the address is sent. */
export interface ShownPassage {
  anchor: string;
  headingPath: string[];
  text: string;
}

export interface ShownPage {
  url: string;
  title: string;
  /** Shown after the title: private, or not refreshed for a long time. */
  remark: string;
  passages: ShownPassage[];
}

/**
 * Renders a search answer. Each line that begins with the mark is ours: an address or a note. A page's first passage
 * has the full address, the others only an anchor.
 */
export function renderPages(pages: ShownPage[], notes: string[]): string {
  return answerBlocks(pages, notes).map(textOf).join(blockSeparator);
}

/** A part of an answer: our own lines and the passage below them, if any. */
interface AnswerBlock {
  lines: string;
  passage: string;
}

const blockSeparator = '\n\n';

function answerBlocks(pages: ShownPage[], notes: string[]): AnswerBlock[] {
  const blocks = pages.flatMap((page) => {
    const [first, ...others] = page.passages;
    if (first === undefined) return [];
    const remarks = [page.remark, first.text === '' ? 'not shown' : ''].filter((remark) => remark !== '');
    const remark = remarks.length === 0 ? '' : ` (${remarks.join(', ')})`;
    const place = placeLine([page.title, ...first.headingPath]) + remark;
    return [
      passageBlock(withAnchor(page.url, first.anchor), place, first.text),
      ...others.map((other, at) => furtherBlock(other, page.passages[at])),
    ];
  });
  return [...blocks, ...notes.map((note) => ({ lines: `${mark} ${note}`, passage: '' }))];
}

function textOf({ lines, passage }: AnswerBlock): string {
  return passage === '' ? lines : `${lines}\n${passage}`;
}

/**
 * Returns a function that counts the o200k_base tokens of `renderPages` for answers that share passages, tokenizing
 * each block once. The sum is exact: a block begins with the mark, which never shares a token with the preceding line
 * breaks or the following text. `tokensOf` counts a passage.
 */
export function createPagesCounter(
  tokensOf: (passage: string) => number,
): (pages: ShownPage[], notes: string[]) => number {
  const counts = new Map<string, Map<string, number>>();
  const next = `${blockSeparator}${mark}`;
  const markTokens = countTokens(mark);
  const count = (block: AnswerBlock, isLast: boolean): number => {
    const counted = { text: block.passage, tokens: block.passage === '' ? 0 : tokensOf(block.passage) };
    const text = textOf(block);
    return isLast ? countTokensAround(text, [counted]) : countTokensAround(`${text}${next}`, [counted]) - markTokens;
  };
  return (pages, notes) => {
    const blocks = answerBlocks(pages, notes);
    return blocks.reduce((sum, block, at) => {
      const isLast = at === blocks.length - 1;
      const ofPassage = counts.get(block.passage) ?? new Map<string, number>();
      counts.set(block.passage, ofPassage);
      const key = isLast ? block.lines : `${block.lines}${next}`;
      const tokens = ofPassage.get(key) ?? count(block, isLast);
      ofPassage.set(key, tokens);
      return sum + tokens;
    }, 0);
  };
}

/** Renders a page's passages as one text, for answers with separate address and title fields. */
export function renderPassages(title: string, passages: ShownPassage[]): string {
  const [first, ...others] = passages;
  const text = first === undefined ? '' : withNotice(first.text, title, ...first.headingPath);
  return [text, ...others.map((other, at) => textOf(furtherBlock(other, passages[at])))]
    .filter((block) => block !== '')
    .join('\n\n');
}

/** Renders a further passage of a page; the headings are omitted if they repeat those of the previous passage. */
function furtherBlock({ anchor, headingPath, text }: ShownPassage, before: ShownPassage | undefined): AnswerBlock {
  const place = placeLine(headingPath);
  const isSaid = isSaidBy(anchor, place) || (before !== undefined && place === placeLine(before.headingPath));
  // Pages without anchors, such as text files, continue further down.
  return passageBlock(anchor === '' ? '…' : `#${anchor}`, isSaid ? '' : place, text);
}

/** Returns true if an anchor is derived from the heading, which then adds nothing. */
export function isSaidBy(anchor: string, heading: string): boolean {
  // Most anchors already differ in the first letter.
  if (firstLetter.exec(anchor)?.[0].toLowerCase() !== firstLetter.exec(heading)?.[0].toLowerCase()) return false;
  return lettersOf(anchor) === lettersOf(heading);
}

const firstLetter = /[\p{L}\p{N}]/u;

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

function passageBlock(address: string, place: string, passage: string): AnswerBlock {
  const notice = isDoubtful(place, passage) ? noticeLine : '';
  return { lines: [`${mark} ${address}`, notice, place].filter((line) => line !== '').join('\n'), passage };
}

/** Adds our notice above a text if it, or a text beside it, gives orders to programs. */
export function withNotice(text: string, ...beside: string[]): string {
  return isDoubtful(text, ...beside) ? `${noticeLine}\n${text}` : text;
}

const noticeLine = `${mark} ${doubtNotice}`;

/** Heading lines to cache: an answer renders them several times while packed, and many answers share them. */
const placesKept = 500;
/** Longer keys are not headings that people wrote, and would make the cache large. */
const keptCharactersMax = 1_000;
const placeLines = new Map<string, string>();

/** Returns the title and the nearest headings of a passage, without repetitions. */
export function placeLine(place: string[]): string {
  const key = place.join('\0');
  const known = placeLines.get(key);
  if (known !== undefined) return known;
  const line = makePlaceLine(place);
  if (key.length > keptCharactersMax) return line;
  if (placeLines.size >= placesKept) placeLines.clear();
  placeLines.set(key, line);
  return line;
}

function makePlaceLine(place: string[]): string {
  const parts: string[] = [];
  for (const part of place.map((heading) => cleanLabel(heading))) {
    if (part === '' || parts.some((known) => sameWords(known, part))) continue;
    parts.push(part);
  }
  const shown = parts.length <= headingsShownMax ? parts : [parts[0], ...parts.slice(-(headingsShownMax - 1))];
  return shown.join(' > ');
}

/**
 * Returns a passage as a search shows it: without leading headings that its path or page title repeat, and with links
 * reduced to their text.
 */
export function passageText(snippet: Pick<Snippet, 'text' | 'headingPath'>, pageTitle: string): string {
  const whole = dedented(trimmedLines(cleanText(snippet.text)));
  // Compare with the shortened title that is shown: a longer heading adds information.
  const title = cleanLabel(pageTitle);
  return withoutLinkTargets(withoutHeadings(whole, [title, ...snippet.headingPath]));
}

/**
 * Returns a part of a page that is read as a whole, without its own heading, which is shown above it, and without link
 * targets.
 */
export function partText(snippet: Pick<Snippet, 'text' | 'headingPath'>): string {
  return withoutLinkTargets(linkedText(snippet));
}

/**
 * Returns a part's text like `partText`, but with link targets. The first line keeps its indentation: it may continue a
 * nested list of the part before.
 */
export function linkedText(snippet: Pick<Snippet, 'text' | 'headingPath'>): string {
  const text = trimmedLines(cleanText(snippet.text));
  const first = leadingHeading.exec(text);
  const heading = snippet.headingPath.at(-1);
  const isOwn = first !== null && heading !== undefined && sameWords(first[1] as string, heading);
  return isOwn ? text.slice(first[0].length) : text;
}

function trimmedLines(text: string): string {
  return text.trimEnd().replace(/^(?:[^\S\n]*\n)+/, '');
}

/** Removes the indentation that all lines share, which a text from the middle of a nested list has. */
export function dedented(text: string): string {
  if (!/^[ \t]/.test(text)) return text;
  const shared = Math.min(...Array.from(text.matchAll(/^[ \t]*(?=\S)/gm), ([indent]) => indent.length));
  return text.replaceAll(/^.*/gm, (line) => line.slice(shared));
}

/** Removes the page title from the start of a part. */
export function withoutTitle(text: string, title: string): string {
  const first = leadingHeading.exec(text);
  return first !== null && sameWords(first[1] as string, title) ? text.slice(first[0].length) : text;
}

const leadingHeading = /^#{1,6} +([^\n]*)(?:\n+|$)/;

/** Matches a label above a page's title, such as the kind of what the page defines. */
const aboveTitle = /^(?:#{1,6} )?\p{L}[^\n]{0,80}\n{2,}(?=#)/u;

/** Removes leading headings that are known, and the title, which is known first, below a label. */
function withoutHeadings(text: string, known: string[]): string {
  const rest = withoutLeading(text, known);
  const [label = ''] = aboveTitle.exec(rest) ?? [];
  const below = rest.slice(label.length);
  const title = leadingHeading.exec(below)?.[1];
  const isBelow = label !== '' && title !== undefined && known[0] !== '' && sameWords(known[0] as string, title);
  return isBelow ? label + withoutLeading(below, known) : rest;
}

function withoutLeading(text: string, known: string[]): string {
  let rest = text;
  for (;;) {
    const first = leadingHeading.exec(rest);
    if (first === null || !known.some((heading) => sameWords(heading, first[1] as string))) return rest;
    rest = rest.slice(first[0].length);
  }
}

/**
 * Returns the address with its fragment; white space and control characters are encoded, so that they cannot end the
 * line.
 */
export function withAnchor(url: string, anchor: string): string {
  const address = anchor === '' ? url : `${url}#${anchor}`;
  // Fast path for nearly all addresses, which are rendered repeatedly while an answer is packed.
  if (plainAddress.test(address)) return address;
  return address.replace(/[\s\p{C}]/gu, (character) => encodeURIComponent(character.toWellFormed()));
}

const plainAddress = /^[\x21-\x7e]*$/;

function sameWords(a: string, b: string): boolean {
  return a === b || (wordsOf(a) !== '' && wordsOf(a) === wordsOf(b));
}

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
