import type { Block } from '../document.ts';
import { codeBlockOf } from './code-block.ts';
import { childElements, findElement, type HtmlElement, type HtmlNode, HtmlText, squash, textOf } from './html-tree.ts';
import { codeSpan } from './markdown-text.ts';
import { idsIn, type Walk } from './walk.ts';

/** Classes of Scribble's (Racket's) code tables, which have a row for each line. */
const CODE_TABLES = new Set(['RktBlk', 'SVerbatim']);
const INSETS = /^(?:S\w*Flow|refpara|refparaleft|refcolumn|refcolumnleft|refcontent|SubFlow)$/;

/** Renders a Scribble table: code or a definition box; undefined for any other table. */
export function scribbleTable(table: HtmlElement, walk: Walk): Block[] | undefined {
  if (table.hasClass('RBoxed')) return definitionBlocks(table, walk);
  if (!table.classes.some((name) => CODE_TABLES.has(name))) return undefined;
  return codeOf(table, walk);
}

/** Renders a Scribble inset, which is marked up as a quotation; undefined for real quotations. */
export function scribbleInset(quote: HtmlElement, walk: Walk): Block[] | undefined {
  if (!quote.classes.some((name) => INSETS.test(name))) return undefined;
  const isCode = quote.hasClass('SCodeFlow') && childElements(quote).every(isCodeOrLine);
  return isCode ? codeOf(quote, walk) : walk.blocksOf(quote);
}

function isCodeOrLine(element: HtmlElement): boolean {
  return element.name === 'p' || (element.name === 'table' && element.classes.some((name) => CODE_TABLES.has(name)));
}

function codeOf(element: HtmlElement, walk: Walk): Block[] {
  const lines = linesOf(element);
  while (lines.length > 0 && lines[0] === '') lines.shift();
  while (lines.length > 0 && lines.at(-1) === '') lines.pop();
  if (lines.length === 0) return [];
  const language = element.hasClass('SVerbatim') ? undefined : 'racket';
  return [codeBlockOf(lines.join('\n'), walk.anchors.take(element.id, idsIn(element)), language)];
}

const LINES = new Set('tr p div blockquote br li'.split(' '));

/** Returns rows and paragraphs as lines; no-break spaces belong to the code. */
function linesOf(root: HtmlElement): string[] {
  const lines: string[] = [];
  let line = '';
  let isOpen = false;
  const end = (isKept: boolean): void => {
    if (isOpen || isKept) lines.push(line.trimEnd());
    line = '';
    isOpen = false;
  };
  const visit = (node: HtmlNode): void => {
    if (node instanceof HtmlText) {
      const text = node.value.replace(/[\r\n]+/g, ' ').replaceAll('\u00a0', ' ');
      // White space between rows and cells is not part of the code.
      if (text.trim() === '' && !node.value.includes('\u00a0') && isBetweenCells(node)) return;
      line += text;
      isOpen ||= text !== '';
      return;
    }
    const isLine = LINES.has(node.name);
    if (isLine) end(false);
    const before = lines.length;
    for (const child of node.children) visit(child);
    // A row without text is an empty line.
    if (isLine) end(node.name === 'br' || (node.name === 'tr' && lines.length === before));
  };
  visit(root);
  end(false);
  return lines;
}

function isBetweenCells({ parent }: HtmlText): boolean {
  return parent !== null && /^(?:table|tbody|tr|blockquote|div)$/.test(parent.name);
}

/**
 * Renders a definition box: each form or procedure becomes a heading, followed later by its description, and the
 * argument contracts become code.
 */
function definitionBlocks(table: HtmlElement, walk: Walk): Block[] {
  const blocks: Block[] = [];
  let contracts: string[] = [];
  const endContracts = (): void => {
    if (contracts.length > 0) blocks.push(codeBlockOf(contracts.join('\n'), {}, 'racket'));
    contracts = [];
  };
  for (const row of rowsOf(table)) {
    const names = definedIn(row);
    const lines = linesOf(row).filter((line) => line !== '' && !LABELS.test(line));
    if (lines.length === 0) continue;
    const [name] = names;
    if (name === undefined) {
      contracts.push(...lines);
      continue;
    }
    endContracts();
    const [first = '', ...rest] = lines;
    const placed = walk.anchors.take(name.anchor, idsIn(row));
    const identifiers = names.map(({ text }) => text);
    const shown = rest.length === 0 ? squash(first) : `${identifiers.join(', ')}`;
    blocks.push({ type: 'heading', depth: 6, markdown: codeSpan(shown), ...placed, identifiers });
    if (rest.length > 0) blocks.push(codeBlockOf(lines.join('\n'), {}, 'racket'));
  }
  endContracts();
  return blocks;
}

/** The kind label in the corner of the box. */
const LABELS =
  /^(?:procedure|syntax|parameter|value|struct|method|constructor|class|interface|mixin|signature|bnf|reader|unit|syntax property|\w+ (?:method|procedure|syntax|field|clause))$/;

function rowsOf(table: HtmlElement): HtmlElement[] {
  const direct = childElements(table).flatMap((child) => (child.name === 'tr' ? [child] : childElements(child)));
  return direct.filter(({ name }) => name === 'tr');
}

function definedIn(row: HtmlElement): { text: string; anchor: string | undefined }[] {
  const names: { text: string; anchor: string | undefined }[] = [];
  let anchor: string | undefined;
  findElement(row, (element) => {
    if (element.name === 'a' && element.textLength === 0) anchor ??= element.attribute('name');
    if (element.classes.some((name) => /^Rkt(?:Val|Stx)Def$/.test(name))) {
      const text = squash(textOf(element));
      if (text !== '' && !names.some((known) => known.text === text)) names.push({ text, anchor });
      anchor = undefined;
    }
    return false;
  });
  return names;
}
