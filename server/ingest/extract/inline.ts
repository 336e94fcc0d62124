import { isBlockName } from './block-elements.ts';
import { hasTrait, TRAIT } from './class-traits.ts';
import {
  childElements,
  findElement,
  HtmlElement,
  type HtmlNode,
  HtmlText,
  squash,
  squashedText,
  textOf,
} from './html-tree.ts';
import { codeSpan, escapeLineStart, escapeText, markdownLink } from './markdown-text.ts';
import { formulaOf, isFormula } from './math.ts';
import type { AddressBook } from './page-links.ts';
import { isServiceElement } from './service-elements.ts';

/** Options for rendering a line of text. */
export interface InlineStyle {
  /** Omits links, bold and italics: headings and terms are names, not prose. */
  isPlain?: boolean;
  /** Converts line breaks to spaces: table cells, headings and terms are one line. */
  isOneLine?: boolean;
}

/** Renders nodes without blocks as one paragraph of inline Markdown; empty if they show nothing. */
export function renderInline(nodes: readonly HtmlNode[], addresses: AddressBook, style: InlineStyle = {}): string {
  const raw = new InlineRenderer(addresses, style.isPlain === true).render(nodes);
  if (!raw.includes('\n')) {
    const line = (raw.includes('  ') ? raw.replace(/ {2,}/g, ' ') : raw).trim();
    return style.isOneLine ? line : escapeLineStart(line);
  }
  const lines = raw
    .split('\n')
    .map((line) => line.replace(/ {2,}/g, ' ').trim())
    .filter((line, at, all) => line !== '' || (at > 0 && at < all.length - 1));
  if (style.isOneLine) return lines.filter(Boolean).join(' ');
  return trimLines(lines)
    .map(escapeLineStart)
    .join('  \n')
    .replace(/( {2}\n){2,}/g, '\n\n');
}

function trimLines(lines: string[]): string[] {
  let start = 0;
  let end = lines.length;
  while (start < end && lines[start] === '') start++;
  while (end > start && lines[end - 1] === '') end--;
  return lines.slice(start, end);
}

/** The recursion depth is bounded by the tree's nesting limit. */
class InlineRenderer {
  readonly #addresses: AddressBook;
  readonly #isPlain: boolean;
  #isInLink = false;
  #isInEmphasis = false;
  /** Marks of the elements around: bold text within bold text needs no mark, and would end the one around it. */
  readonly #open = new Set<string>();

  constructor(addresses: AddressBook, isPlain: boolean) {
    this.#addresses = addresses;
    this.#isPlain = isPlain;
  }

  /** Renders breaks as newlines; white space is collapsed but not yet trimmed. */
  render(nodes: readonly HtmlNode[]): string {
    let markdown = '';
    let last = '';
    for (let at = 0; at < nodes.length; at += 1) {
      const node = nodes[at] as HtmlNode;
      const run = emphasisFrom(nodes, at);
      if (run.length > 1) {
        last = this.#emphasised(run);
        at += run.length - 1;
      } else if (isCode(node) && codeFrom(nodes, at).length > 1) {
        const parts = codeFrom(nodes, at);
        last = codeSpan(parts.map(codeText).join(''));
        at += parts.length - 1;
      } else if (node instanceof HtmlText) last = escapeText(foldSpace(node.value));
      else if (node.name === 'sup') last = this.#raised(node, last, '^');
      else if (node.name === 'sub') last = this.#raised(node, last, '_');
      else last = this.#element(node);
      const isGap = isApart(node, nodes[at - 1]) || isIcon(nodes[at - 1]);
      if (isGap && /[^\s(]$/.test(markdown) && /^[^\s.,;:)]/.test(last)) markdown += ' ';
      markdown += last;
    }
    return markdown;
  }

  #element(element: HtmlElement): string {
    if (isServiceElement(element)) return '';
    if (isFormula(element)) return formulaOf(element);
    switch (element.name) {
      case 'br':
        return '\n';
      case 'wbr':
        return '';
      case 'span':
        // MediaWiki
        if (element.hasClass('mw-geshi')) return this.#code(element);
        // Sandcastle has the same piece of code in each of .NET's languages.
        if (element.hasClass('languageSpecificText')) return this.render(element.children.slice(0, 1));
        return isSeparator(element) ? '.' : this.render(isLines(element) ? withBreaks(element) : element.children);
      case 'code':
      case 'tt':
      case 'samp':
        return this.#code(element);
      case 'em':
      case 'i':
      case 'strong':
      case 'b':
        return this.#wrapped(element, markOf(element) ?? '');
      case 'del':
      case 's':
      case 'strike':
        return this.#wrapped(element, '~~');
      case 'a':
        return this.#link(element);
      case 'img':
        return imageText(element);
      case 'q':
        return `“${this.render(element.children)}”`;
      case 'rt':
        return `(${this.render(element.children)})`;
      case 'rp':
        return '';
      default:
        return isBlockName(element.name) ? ` ${this.render(element.children)} ` : this.render(element.children);
    }
  }

  #code(element: HtmlElement): string {
    const text = codeText(element);
    // A space in code font, between a number and its title.
    if (text !== '' && text.trim() === '') return ' ';
    const span = codeSpan(text);
    const link = singleLink(element);
    const shown = link && span !== '' ? this.#linked(span, link) : span;
    // A line break at the edge of the element is a space between two words.
    return `${/^\s/.test(text) ? ' ' : ''}${shown}${/\s$/.test(text) ? ' ' : ''}`;
  }

  /**
   * Renders adjacent emphasised elements as one text, because Sphinx emphasises each token of a type; without marks if
   * part of it is a link.
   */
  #emphasised(run: readonly HtmlElement[]): string {
    const before = this.#isInEmphasis;
    this.#isInEmphasis = true;
    const inner = run.map((element) => this.#element(element)).join('');
    this.#isInEmphasis = before;
    return before || run.some(({ name }) => name === 'a')
      ? inner
      : this.#marked(inner, markOf(run[0] as HtmlElement) ?? '');
  }

  #wrapped(element: HtmlElement, mark: string): string {
    const isWithin = this.#open.has(mark);
    this.#open.add(mark);
    const inner = this.render(element.children);
    if (isWithin) return inner;
    this.#open.delete(mark);
    return this.#isInEmphasis ? inner : this.#marked(inner, mark);
  }

  #marked(inner: string, mark: string): string {
    if (this.#isPlain) return inner;
    const text = inner.trim();
    // A code span has its own mark; emphasis around a break or around nothing is layout.
    if (text === '' || /^`[^`]*`$/.test(text) || text.includes('\n') || text.startsWith(mark)) return inner;
    const before = /^\s/.test(inner) ? ' ' : '';
    const after = /\s$/.test(inner) ? ' ' : '';
    return `${before}${mark}${text}${mark}${after}`;
  }

  #link(element: HtmlElement): string {
    if (this.#isInLink || element.attribute('href') === undefined) return this.render(element.children);
    this.#isInLink = true;
    const inner = this.render(element.children);
    this.#isInLink = false;
    const text = inner.replace(/\s+/g, ' ').trim();
    if (text === '' || isPictureOfStep(element)) return element.textLength > 0 ? inner : '';
    const before = /^\s/.test(inner) ? ' ' : '';
    const after = /\s$/.test(inner) ? ' ' : '';
    return `${before}${this.#linked(text, element)}${after}`;
  }

  #linked(text: string, element: HtmlElement): string {
    if (this.#isPlain) return text;
    const href = element.attribute('href');
    const address = href === undefined ? undefined : this.#addresses.resolve(href);
    return address === undefined ? text : markdownLink(text, address);
  }

  /** Renders superscripts and subscripts as 2^32 and x_i, not 232 and xi. Footnote references stay links. */
  #raised(element: HtmlElement, before: string, mark: '^' | '_'): string {
    const inner = this.#element(element);
    const isPower =
      /[\w)\]`]$/.test(before) &&
      /^[-+]?[\w.]{1,8}$/.test(inner) &&
      element.linkLength === 0 &&
      !/^(st|nd|rd|th|tm|sm|r)$/i.test(inner);
    return isPower ? `${mark}${inner}` : inner;
  }
}

const emphasisMarks: Readonly<Record<string, string>> = { em: '*', i: '*', strong: '**', b: '**' };

/** Returns the mark of an emphasised text, or of a link whose text is all emphasised; undefined for any other node. */
function markOf(node: HtmlNode | undefined): string | undefined {
  if (!(node instanceof HtmlElement)) return undefined;
  return node.name === 'a' && node.children.length === 1 ? markOf(node.children[0]) : emphasisMarks[node.name];
}

/**
 * Returns the consecutive elements with the same mark and nothing between them; none if the node at `at` has no mark.
 */
function emphasisFrom(nodes: readonly HtmlNode[], at: number): HtmlElement[] {
  const mark = markOf(nodes[at]);
  if (mark === undefined) return [];
  let end = at + 1;
  while (markOf(nodes[end]) === mark) end += 1;
  return nodes.slice(at, end) as HtmlElement[];
}

const isCode = (node: HtmlNode | undefined): node is HtmlElement =>
  node instanceof HtmlElement && (node.name === 'code' || node.name === 'tt' || node.name === 'samp');

const isVariable = (node: HtmlNode | undefined): node is HtmlElement =>
  node instanceof HtmlElement && node.name === 'var';

/**
 * Returns the code at `at` with the variables and code that follow without a space, as they form one text: `s:string:`.
 * Two adjacent code words stay separate, because key combinations are written like that.
 */
function codeFrom(nodes: readonly HtmlNode[], at: number): HtmlElement[] {
  const parts: HtmlElement[] = [];
  for (let next = nodes[at]; isCode(next) || isVariable(next); next = nodes[at + parts.length]) {
    const last = parts.at(-1);
    const areWords = isCode(last) && isCode(next) && /\w$/.test(codeText(last)) && /^\w/.test(codeText(next));
    if (next.linkLength > 0 || areWords) break;
    parts.push(next);
  }
  return parts;
}

// Line-breaking hints; inside a name they would prevent it from being found.
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]/g;

const NEEDS_FOLDING = /[^\S ]| {2}|[\u00ad\u200b\u2060\ufeff]/;

/** Collapses white space to single spaces and removes invisible characters. */
function foldSpace(text: string): string {
  return NEEDS_FOLDING.test(text) ? text.replace(INVISIBLE, '').replace(/\s+/g, ' ') : text;
}

/** Returns true for MediaWiki's element whose children are lines only by style. */
const isLines = (element: HtmlElement): boolean => element.hasClass('t-lines') && element.children.length > 1;

const withBreaks = (lines: HtmlElement): HtmlNode[] =>
  childElements(lines)
    .filter(({ textLength }) => textLength > 0)
    .flatMap((line, at) => (at === 0 ? [line] : [new HtmlText(', '), line]));

/** Returns true for gi-docgen's separators between parts of a name, whose dots come from the style sheet. */
function isSeparator(element: HtmlElement): boolean {
  return element.children.length === 0 && element.attributes.length === 1 && element.hasClass('sep');
}

/** Returns true for a link to another place on the page whose text is an arrow or "top" as an image. */
function isPictureOfStep(link: HtmlElement): boolean {
  return link.textLength === 0 && link.attribute('href')?.startsWith('#') === true;
}

/**
 * Returns true if only the page's style separates a node from the one before: a label (`inline` in Doxygen, `Readonly`
 * in TypeDoc, a badge), or a phrase in its own element after another (the name and text of a VitePress home page).
 */
function isApart(node: HtmlNode, before: HtmlNode | undefined): boolean {
  if (isLabel(node) || isLabel(before)) return true;
  return (
    node instanceof HtmlElement &&
    before instanceof HtmlElement &&
    node.name === 'span' &&
    node.className !== '' &&
    before.className !== '' &&
    /^\p{Lu}\p{L}* \p{L}/u.test(textOf(node))
  );
}

/** Returns true for an element that the page's style fills with a picture: `See the<span class="icon"></span><a>`. */
function isIcon(node: HtmlNode | undefined): boolean {
  return node instanceof HtmlElement && node.children.length === 0 && /\bm?icon\b/.test(node.className);
}

/** Returns true for a label of the neighbouring text. */
export function isLabel(node: HtmlNode | undefined): boolean {
  return node instanceof HtmlElement && hasTrait(node, TRAIT.label);
}

/** Returns a code element's text without page controls. */
export function codeText(element: HtmlElement): string {
  if (element.children.every((child) => child instanceof HtmlText)) return textOf(element).replace(INVISIBLE, '');
  let text = '';
  const stack: HtmlNode[] = element.children.toReversed();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node instanceof HtmlText) text += node.value;
    else if (node.name === 'br') text += ' ';
    else if (isSeparator(node)) text += '.';
    else if (node.name === 'img') text += imageText(node);
    else if (!isServiceElement(node)) {
      if (isApart(node, node.parent?.children[node.position - 1])) text += ' ';
      if (isLabel(node)) stack.push(new HtmlText(' '));
      // In rustdoc, the `where` clause of a signature is a separate line.
      if (isBlockName(node.name)) {
        text += ' ';
        stack.push(new HtmlText(' '));
      }
      for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!);
    }
  }
  return text.replace(INVISIBLE, '');
}

/** Returns the link of a code element that has exactly one; the link then covers the whole code. */
function singleLink(element: HtmlElement): HtmlElement | undefined {
  if (element.linkLength === 0) return undefined;
  let found: HtmlElement | undefined;
  const second = findElement(element, (child) => {
    if (child.name !== 'a' || child.attribute('href') === undefined || isServiceElement(child)) return false;
    if (found) return true;
    found = child;
    return false;
  });
  return second ? undefined : found;
}

const ICON_PIXELS_MAX = 24;

/** Returns true for the image's path without its ending, which Texinfo writes if the author gave no text. */
function isPathOfImage(alt: string, source: string): boolean {
  return alt.includes('/') && source.startsWith(alt) && /^\.\w+$/.test(source.slice(alt.length));
}

/** Returns true if the text next to the image repeats its alternative text. */
function isLabelled({ parent, position }: HtmlElement, alt: string): boolean {
  const beside = [parent?.children[position - 1], parent?.children[position + 1]];
  return beside.some((node) => node instanceof HtmlText && squash(node.value) === alt);
}

/** Returns an image's alternative text, unless the image is an icon or the text only repeats other text. */
function imageText(element: HtmlElement): string {
  const alt = squash(element.attribute('alt') ?? '');
  if (alt === '') return '';
  if (Number.parseInt(element.attribute('width') ?? '', 10) <= ICON_PIXELS_MAX) return '';
  if (
    /^[\w./\\-]+\.(png|gif|jpe?g|svg|webp|ico|bmp)$/i.test(alt) ||
    /^(\[.\]|image|\[?([\w.+-]+ )?logo\]?|icon|picture|[^\p{L}\p{N}]+)$/iu.test(alt) ||
    isPathOfImage(alt, element.attribute('src') ?? '') ||
    isLabelled(element, alt)
  )
    return '';
  return escapeText(alt);
}

/** Returns an element's plain text without page controls. */
export function plainText(element: HtmlElement): string {
  const hasElements = element.children.some((child) => child instanceof HtmlElement);
  return hasElements ? squash(codeText(element)) : squashedText(element).replace(INVISIBLE, '');
}
