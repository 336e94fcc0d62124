import type { ExtractedDocument } from '../../document.ts';
import { plainText } from '../../split/plain-inline.ts';
import { fenced, titleFromUrl } from '../draft.ts';
import { identifiersIn } from '../identifiers.ts';
import { outdented } from '../margin.ts';
import { openMarkdown } from '../markdown/extract-markdown.ts';
import { codeSpan, escapeMarkdown, oneLine } from '../write-markdown.ts';

/** Lists nested deeper than this are not indented further. */
const indentMax = 40;

/** An open list: the indentation of its items' text, and whether its last item is an open term. */
interface OpenList {
  indent: string;
  hasTerm: boolean;
}

/** Extracts Perl's POD: paragraphs are converted to Markdown, and named items become terms. */
export function extractPod(text: string, { url }: { url: string }): ExtractedDocument {
  const { draft, read, anchorOf } = openMarkdown(url);
  let out: string[] = [];
  const flush = (): void => {
    if (out.length > 0) read(out.join('\n\n'));
    out = [];
  };
  const lists: OpenList[] = [];
  const endTerm = (list: OpenList | undefined): void => {
    if (list?.hasTerm !== true) return;
    flush();
    draft.closeTerm();
    list.hasTerm = false;
  };
  let skipped = 0;
  let isPod = !/^=(?:cut|pod|head\d|over|item|begin|for|encoding)\b/m.test(text);
  for (const paragraph of paragraphsOf(text)) {
    const command = /^=([a-zA-Z]\w*)[ \t]*([\s\S]*)$/.exec(paragraph);
    const name = command?.[1] ?? '';
    const rest = (command?.[2] ?? '').trim();
    if (name !== '') isPod = name !== 'cut';
    if (!isPod) continue;
    if (name === 'begin') skipped++;
    if (name === 'end') skipped = Math.max(0, skipped - 1);
    if (skipped > 0 || name === 'begin' || name === 'end' || name === 'for' || name === 'encoding') continue;
    const indent = lists.at(-1)?.indent ?? '';
    if (/^head[1-6]$/.test(name)) {
      while (lists.length > 0) endTerm(lists.pop());
      out.push(`${'#'.repeat(Number(name.slice(4)))} ${oneLine(inlineOf(rest))}`);
    } else if (name === 'over') lists.push({ indent, hasTerm: false });
    else if (name === 'back') endTerm(lists.pop());
    else if (name === 'item' && isNamed(rest) && indent === '' && lists.length > 0) {
      const list = lists.at(-1) as OpenList;
      endTerm(list);
      flush();
      const shown = oneLine(inlineOf(rest));
      const plain = plainText(shown);
      const indexed = [...rest.matchAll(/\bX<([^<>\s]+)>/g)].map(([, entry = '']) => entry);
      const names = new Set([...namesOf(plain), ...indexed, ...identifiersIn(shown)]);
      draft.openTerm(shown, [...names], anchorOf(plain));
      list.hasTerm = true;
    } else if (name === 'item') out.push(item(lists, rest));
    else if (/^[ \t]/.test(paragraph)) addCode(out, paragraph, indent);
    else if (name === '' || name === 'pod') {
      const shown = inlineOf(name === 'pod' ? rest : paragraph.trim());
      const isFirstOfItem = /^ *(?:-|\d+\.) $/.test(out.at(-1) ?? '');
      if (isFirstOfItem) out.push(out.pop() + shown.replaceAll('\n', `\n${indent}`));
      else if (shown !== '') out.push(shown.replace(/^/gm, indent));
    }
  }
  flush();
  const [first, second] = draft.blocks;
  // Pages start with `NAME` and `Module::Name - what it does`.
  const named = first?.type === 'heading' && /^name$/i.test(first.markdown) ? second : first;
  draft.title = plainText(named?.markdown ?? '').split(/(?<!\s)\s+-+\s|\n/, 1)[0] || titleFromUrl(url);
  return draft.finish();
}

/** Returns true if the item's label is a name rather than a bullet or number. */
function isNamed(item: string): boolean {
  return item !== '' && !/^(?:[*o-]|\d{1,4}[.)]?)(?:\s|$)/.test(item);
}

/** Returns the name in an item such as `splice ARRAY,OFFSET` or `--force`; none for a sentence. */
function namesOf(item: string): string[] {
  const name = /^([\w:$@%&.+-]+)(?:\s+[A-Z([{,<*$@%/\d].*|\s*[(=[].*|\s*,.*)?$/.exec(item)?.[1];
  return name === undefined ? [] : [name];
}

/** Yields paragraphs, which empty lines separate; adjacent indented ones are joined to one code block. */
function* paragraphsOf(text: string): Iterable<string> {
  let code = '';
  for (const paragraph of text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .split(/\n(?:[ \t]*\n)+/)) {
    if (/^[ \t]+\S/.test(paragraph)) {
      code += code === '' ? paragraph : `\n\n${paragraph}`;
      continue;
    }
    if (code !== '') yield code;
    code = '';
    yield paragraph.replace(/^\n+/, '');
  }
  if (code !== '') yield code;
}

function item(lists: OpenList[], text: string): string {
  const list = lists.at(-1) ?? { indent: '', hasTerm: false };
  const before = lists.length > 1 ? (lists.at(-2)?.indent ?? '') : '';
  const mark = /^(?:\*|-|o)?(?:\s+|$)/.exec(text);
  const number = /^(\d{1,4})[.)]?(?:\s+|$)/.exec(text);
  const marker = number && text.length > 0 ? `${number[1]}. ` : '- ';
  list.indent = before.length < indentMax ? before + ' '.repeat(marker.length) : before;
  if (number) return `${before}${marker}${oneLine(inlineOf(text.slice(number[0].length)))}`;
  const isBullet = mark !== null && mark[0] !== '';
  const shown = oneLine(inlineOf(isBullet ? text.slice(mark[0].length) : text));
  // Other items name the text that follows.
  return `${before}${marker}${isBullet || shown === '' || shown.includes('`') || shown.includes('**') ? shown : `**${shown}**`}`;
}

function addCode(out: string[], paragraph: string, indent: string): void {
  const lines = paragraph.replace(/^\n+/, '').trimEnd().replaceAll('\t', '        ').split('\n');
  out.push(fenced(outdented(lines).join('\n'), 'perl').replace(/^/gm, indent));
}

const named: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  verbar: '|',
  sol: '/',
  quot: '"',
  amp: '&',
  nbsp: ' ',
};
const depthMax = 20;

/** Converts formatting codes (`C<code>`, `B<< a > b >>`) to Markdown. */
function inlineOf(text: string, depth = 0): string {
  let out = '';
  let at = 0;
  const open = /([A-Z])(<(?:<+\s)?)/g;
  // Searching for the end of each of many unclosed codes takes quadratic time.
  const last = text.lastIndexOf('>');
  for (let match = open.exec(text); match && depth < depthMax; match = open.exec(text)) {
    const [whole, letter = '', bracket = ''] = match;
    const start = match.index + whole.length;
    if (start > last) break;
    const width = bracket.trim().length;
    const end = width > 1 ? text.indexOf(` ${'>'.repeat(width)}`, start) : closing(text, start);
    if (end < 0) continue;
    out += escapeMarkdown(text.slice(at, match.index)) + coded(letter, text.slice(start, end), depth);
    at = end + (width > 1 ? width + 1 : 1);
    open.lastIndex = at;
  }
  return out + escapeMarkdown(text.slice(at));
}

function closing(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length && at < from + 5_000; at++) {
    if (text[at] === '<' && /[A-Z]/.test(text[at - 1] ?? '')) depth++;
    else if (text[at] === '>' && depth-- === 0) return at;
  }
  return -1;
}

function coded(letter: string, text: string, depth: number): string {
  switch (letter) {
    case 'C':
      return codeSpan(plainOf(text));
    case 'B':
      return `**${inlineOf(text, depth + 1).trim()}**`;
    case 'I':
    case 'F':
      return `*${inlineOf(text, depth + 1).trim()}*`;
    case 'E':
      return named[text] ?? (/^\d+$/.test(text) ? String.fromCodePoint(Math.min(Number(text), 0x10ffff)) : text);
    case 'L':
      return linkOf(text, depth);
    case 'X':
    case 'Z':
      return '';
    default:
      return inlineOf(text, depth + 1);
  }
}

function plainOf(text: string): string {
  return text
    .replace(/[A-DF-Z]<{1,3}\s?([^<>]*?)\s?>{1,3}/g, '$1')
    .replace(/E<(\w+)>/g, (whole, name: string) => named[name] ?? whole);
}

function linkOf(text: string, depth: number): string {
  const bar = text.indexOf('|');
  const target = bar < 0 ? text : text.slice(bar + 1);
  const label =
    bar < 0 ? target.replace(/^\/?"?|"?$/g, '').replace(/\/"?/, ', ') : inlineOf(text.slice(0, bar), depth + 1);
  return /^https?:\/\/\S+$/.test(target)
    ? `[${bar < 0 ? target : label}](${target})`
    : bar < 0
      ? escapeMarkdown(label)
      : label;
}
