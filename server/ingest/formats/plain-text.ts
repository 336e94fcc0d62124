import type { ExtractedDocument } from '../document.ts';
import { Draft, fileNameOf, Slugs } from './draft.ts';
import { outdented } from './margin.ts';

/** A longer line in capitals is emphasis, not a heading. */
const capitalHeadingCharsMax = 60;

/**
 * Extracts plain text: paragraphs, indented code, lists, and headings that are underlined or in capitals on a separate
 * line.
 */
export function extractPlainText(text: string, page: { url: string }): ExtractedDocument {
  const lines = text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r|\f/)
    .map((line) => line.trimEnd());
  const draft = new Draft(page.url);
  const slugs = new Slugs();
  let at = 0;
  while (at < lines.length) {
    const heading = headingAt(lines, at);
    if (lines[at] === '') at++;
    else if (heading) {
      draft.addHeading(heading.text, heading.depth, slugs.next(heading.text));
      at = heading.next;
    } else at = readBlock(draft, lines, at);
  }
  return draft.finish();
}

interface Heading {
  text: string;
  depth: number;
  next: number;
}

function headingAt(lines: readonly string[], at: number): Heading | undefined {
  const line = lines[at] as string;
  if (line === '' || line.length > 120 || /^\s/.test(line)) return undefined;
  const under = lines[at + 1] ?? '';
  const mark = /^(?:=+|-+|~+|\^+|\++|\*+|#+)$/.test(under) && under.length >= 3 ? under[0] : undefined;
  // A rule below a paragraph is not the underline of its last line.
  const isEnd = /[.;,]$/.test(line) && at > 0 && lines[at - 1] !== '';
  if (
    mark !== undefined &&
    !isEnd &&
    Math.abs(under.length - line.length) <= Math.max(2, line.length >> 1) &&
    /[\p{L}\p{N}]/u.test(line)
  ) {
    return {
      text: line.trim(),
      depth: mark === '=' || mark === '*' || mark === '#' ? 1 : mark === '-' ? 2 : 3,
      next: at + 2,
    };
  }
  const isAlone = (at === 0 || lines[at - 1] === '') && (under === '' || /^\s/.test(under));
  const isCapital =
    line.length <= capitalHeadingCharsMax && /^[A-Z][A-Z0-9 /&,():'-]*[A-Z0-9)]:?$/.test(line) && /[A-Z]{2}/.test(line);
  const isNumbered = under === '' && /^\d{1,2}(?:\.\d{1,2}){0,3}\.?\s{1,4}[A-Z][^.!?]{2,80}$/.test(line);
  if (!isAlone || !(isCapital || isNumbered)) return undefined;
  return { text: line.replace(/:$/, ''), depth: isNumbered ? 1 + (line.match(/\d+/g)?.length ?? 1) : 2, next: at + 1 };
}

/** Reads lines up to the next empty one; code continues over empty lines while it is indented. */
function readBlock(draft: Draft, lines: readonly string[], at: number): number {
  const isList = /^\s{0,6}(?:[-*+o•]|\d{1,3}[.)])\s+\S/.test(lines[at] as string);
  const isCode = !isList && /^(?: {4}|\t)/.test(lines[at] as string) && !isIndentedProse(lines, at);
  let end = at;
  while (end < lines.length && (lines[end] !== '' || (isCode && isIndented(lines, end)))) {
    if (end > at && headingAt(lines, end)) break;
    end++;
  }
  const block = lines.slice(at, end);
  if (isCode) draft.addCode(outdented(block).join('\n'));
  else
    draft.addText(
      isList ? 'list' : 'paragraph',
      (isList ? listLines(block) : block.map((line) => escaped(line.trim()))).join('\n'),
    );
  return end;
}

/** Returns true for an empty line inside code: the next line is indented too. */
function isIndented(lines: readonly string[], at: number): boolean {
  const next = lines[at + 1] ?? '';
  return /^(?: {4}|\t)/.test(next);
}

/** Returns true for indented lines that read like sentences: some whole documents are indented, especially manuals. */
function isIndentedProse(lines: readonly string[], at: number): boolean {
  const line = (lines[at] as string).trim();
  const words = line.split(/\s+/);
  const isWordy =
    words.length >= 6 &&
    words.filter((word) => /^\(?[A-Za-z][a-z'’-]*[.,;:)]?$/.test(word)).length * 10 >= words.length * 8;
  return isWordy && !/[{};=]\s*$/.test(line);
}

function listLines(block: readonly string[]): string[] {
  const indent = (block[0] as string).length - (block[0] as string).trimStart().length;
  return block.map((line) =>
    line.slice(Math.min(indent, line.length - line.trimStart().length)).replace(/^([o•])(?=\s)/, '-'),
  );
}

/** Escapes text that would open a code fence in Markdown. */
function escaped(line: string): string {
  return line.startsWith('```') || line.startsWith('~~~') ? `\\${line}` : line;
}

/** Extracts JSON, configuration or source code as one code block titled with the file's name. */
export function extractCodeFile(text: string, page: { url: string; language: string }): ExtractedDocument {
  const draft = new Draft(page.url);
  draft.title = fileNameOf(page.url);
  const code = text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .trimEnd();
  if (code !== '') draft.addCode(code, page.language);
  return draft.finish();
}
