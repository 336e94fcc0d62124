import type { Block, Place, Placed } from '../document.ts';
import { isBlockName } from './block-elements.ts';
import { hasTrait, TRAIT } from './class-traits.ts';
import { codeLanguage } from './code-language.ts';
import { lastLineOf } from './containers.ts';
import { findElement, HtmlElement, type HtmlNode, HtmlText, textOf } from './html-tree.ts';
import { fence } from './markdown-text.ts';
import { isServiceElement } from './service-elements.ts';
import { anchorOf, type Walk } from './walk.ts';

/** Returns true for elements that contain line numbers. */
export function isGutter(element: HtmlElement): boolean {
  return hasTrait(element, TRAIT.gutter);
}

/** Creates a code block; undefined if the element has no code. */
export function codeBlock(element: HtmlElement, walk: Walk): Block | undefined {
  const within: Place[] = [];
  const code = sourceText(element, within);
  if (code.trim() === '') return undefined;
  const placed = walk.anchors.take(element.id);
  const places = [...(placed.places ?? []), ...within];
  const block = codeBlockOf(code, placed, codeLanguage(element, code));
  return places.length > 0 ? { ...block, places } : block;
}

/** Creates a code block from given text, without a language unless one is passed. */
export function codeBlockOf(code: string, placed: Placed, language?: string): Block {
  return { type: 'code', markdown: fence(code, language), ...placed, ...(language && { language }) };
}

/**
 * Returns preformatted code verbatim, except for line numbers, copy buttons, trailing line breaks and the invisible
 * spaces at which javadoc lets signatures break (compilers refuse them). Elements that represent lines (`br`, a `div`,
 * `li` or row per line) become line breaks; a block between text gets separate lines. The ids inside are added to
 * `places`, with their line numbers in the fenced block.
 */
export function sourceText(element: HtmlElement, places?: Place[]): string {
  const { children } = element;
  let text: string;
  if (children.length === 1 && children[0] instanceof HtmlText) text = children[0].value;
  else text = collect(element, places);
  return text.replace(/(?<![\r\n])[\r\n]+$|\u200b(?=\()|(?<=,)\u200b/g, '');
}

// Stack markers for the end of a line element, and of a block between text.
const LINE_END = Symbol('line end');
const BLOCK_END = Symbol('block end');

function collect(root: HtmlElement, places?: Place[]): string {
  const parts: string[] = [];
  const lineNow = lineCounter(parts);
  // Only looks at the last part: joining the text each time would be quadratic.
  const endsLine = (): boolean => parts.length === 0 || parts[parts.length - 1]!.endsWith('\n');
  let isAfterBlock = false;
  const stack: (HtmlNode | typeof LINE_END | typeof BLOCK_END)[] = [];
  const lined = new Set<HtmlElement>();
  // White space between line elements is skipped.
  const pushChildren = (element: HtmlElement): void => {
    const isLined = element.hasBlock && hasOnlyLines(element);
    if (isLined) lined.add(element);
    for (let i = element.children.length - 1; i >= 0; i--) {
      const child = element.children[i]!;
      if (!isLined || child instanceof HtmlElement) stack.push(child);
    }
  };
  pushChildren(root);
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (places && node instanceof HtmlElement) {
      const id = anchorOf(node);
      if (id) places.push({ id, line: lineNow() });
    }
    if (node === LINE_END) {
      if (!endsLine()) parts.push('\n');
    } else if (node === BLOCK_END) {
      isAfterBlock = true;
    } else if (node instanceof HtmlText) {
      if (node.value === '') continue;
      if (isAfterBlock && !endsLine() && !/^\s*\n/.test(node.value)) parts.push('\n');
      isAfterBlock = false;
      parts.push(node.value);
    } else if (node.name === 'br') {
      parts.push('\n');
    } else if (!isGutter(node) && !isCodeService(node)) {
      if (node.parent && lined.has(node.parent)) {
        if (!endsLine()) parts.push('\n');
        // An element for an empty line has no text to end with a line break.
        if (node.textLength === 0 && !hasText(node)) parts.push('\n');
        else stack.push(LINE_END);
      } else if (isLine(node) && node.textLength > 0) {
        if (!endsLine()) parts.push('\n');
        stack.push(BLOCK_END);
      }
      pushChildren(node);
    }
  }
  return parts.join('');
}

/** Returns a function that counts the fenced block's lines so far and reads each part only once. */
function lineCounter(parts: readonly string[]): () => number {
  let line = 1;
  let counted = 0;
  return () => {
    for (; counted < parts.length; counted++) line += lastLineOf({ markdown: parts[counted]! });
    return line;
  };
}

function isCodeService(element: HtmlElement): boolean {
  if (element.name !== 'a' && element.name !== 'span' && element.name !== 'div') return false;
  return element.attributes.length > 0 && isServiceElement(element);
}

/** Returns true if every child is a block, one per line. */
function hasOnlyLines(element: HtmlElement): boolean {
  let lines = 0;
  for (const child of element.children) {
    if (child instanceof HtmlText) {
      if (child.value.trim() !== '') return false;
    } else if (isLine(child)) {
      lines++;
    } else if (child.textLength > 0) {
      return false;
    }
  }
  return lines > 0;
}

const NO_LINES = new Set(['pre', 'td', 'th', 'tbody', 'table', 'figure']);

function isLine(element: HtmlElement): boolean {
  return isBlockName(element.name) && !NO_LINES.has(element.name);
}

function hasText(element: HtmlElement): boolean {
  return element.children.some((child) =>
    child instanceof HtmlText ? child.value !== '' : child.name === 'br' || hasText(child),
  );
}

/** Returns the code cell of a table whose other cells are line numbers; undefined for any other table. */
export function codeCellOf(table: HtmlElement): HtmlElement | undefined {
  const isCodeTable = table.classes.some((name) =>
    /^(highlighttable|rouge-table|lntable|codehilitetable|code-table|hljs-ln|js-file-line-container)$/.test(name),
  );
  // HeVeA
  if (table.hasClass('lstframe')) return findElement(table, (cell) => cell.hasClass('lstlisting'));
  if (!isCodeTable) {
    const numbered = codeBesideNumbers(table);
    if (numbered) return numbered;
  }
  const gutter = isCodeTable
    ? table
    : findElement(table, (element) => (element.name === 'td' || element.name === 'th') && isGutter(element));
  if (!gutter) return undefined;
  const cells: HtmlElement[] = [];
  findElement(table, (element) => {
    if (element.name === 'td' && !isGutter(element) && element.textLength > 0) cells.push(element);
    return cells.length > 1;
  });
  const cell = cells.at(-1);
  if (!cell) return undefined;
  const pre = findElement(cell, ({ name }) => name === 'pre');
  // With one row per line, the whole table is the code.
  return cells.length > 1 ? (isCodeTable ? table : undefined) : (pre ?? cell);
}

/** Returns the code of a one-row table with numbers in the first cell and preformatted text in the second. */
function codeBesideNumbers(table: HtmlElement): HtmlElement | undefined {
  const cells: HtmlElement[] = [];
  findElement(table, (element) => {
    if (element.name === 'td' || element.name === 'th') cells.push(element);
    return cells.length > 2;
  });
  const [numbers, code] = cells;
  if (cells.length !== 2 || !numbers || !code || !/^\s*\d+(?:\s+\d+)*\s*$/.test(textOf(numbers))) return undefined;
  if (!findElement(numbers, ({ name }) => name === 'pre')) return undefined;
  return findElement(code, ({ name }) => name === 'pre');
}

/** Returns true if the node shows nothing. */
export function isBlank(node: HtmlNode): boolean {
  return node instanceof HtmlText
    ? node.value.trim() === ''
    : node.textLength === 0 && node.children.length === 0 && node.name !== 'img';
}

/** Returns multi-line code that is written as inline code with breaks, if the nodes contain nothing else. */
export function brokenCode(nodes: readonly HtmlNode[]): string | undefined {
  const shown = nodes.filter((node) => !isBlank(node));
  const only = shown[0];
  if (
    shown.length !== 1 ||
    !(only instanceof HtmlElement) ||
    (only.name !== 'code' && only.name !== 'tt' && only.name !== 'samp')
  )
    return undefined;
  if (!findElement(only, ({ name }) => name === 'br')) return undefined;
  const lines = sourceText(only)
    .replace(/(?:(?<![ \t])[ \t]+)?\n[ \t]*/g, '\n')
    .replace(/\u00a0/g, ' ')
    .split('\n');
  while (lines.length > 0 && lines[0]!.trim() === '') lines.shift();
  const code = lines
    .join('\n')
    .replace(/\n{2,}/g, '\n')
    .trimEnd();
  return code.includes('\n') ? code : undefined;
}
