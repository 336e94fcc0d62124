import type { Block } from '../document.ts';
import { headingDepth } from './block-elements.ts';
import { nestTerms, quoteBlocks } from './containers.ts';
import { childElements, findElement, type HtmlElement, HtmlText } from './html-tree.ts';
import { plainText } from './inline.ts';
import { idsIn, type Walk } from './walk.ts';

const KINDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    note: 'Note',
    notes: 'Note',
    info: 'Info',
    information: 'Info',
    tip: 'Tip',
    hint: 'Hint',
    important: 'Important',
    warning: 'Warning',
    warn: 'Warning',
    caution: 'Caution',
    danger: 'Danger',
    attention: 'Attention',
    error: 'Error',
    bug: 'Bug',
    seealso: 'See also',
    'see-also': 'See also',
    todo: 'To do',
    deprecated: 'Deprecated',
    deprecation: 'Deprecated',
    success: 'Success',
    question: 'Question',
    example: 'Example',
    abstract: 'Abstract',
    failure: 'Failure',
    remark: 'Remark',
    invariant: 'Invariant',
    pitfall: 'Pitfall',
    'best-practice': 'Best practice',
    experimental: 'Experimental',
    secondary: 'Note',
    primary: 'Note',
  }),
);

// Classes that mark an admonition of any kind.
const FAMILY =
  /^(?:admonition|admonitionblock|callout|alert|theme-admonition|custom-block|starlight-aside|markdown-alert|adm|doc-note|note-box|notecard|message|hint|bd-callout|md-admonition|admonition-block|remark-admonition|infobox|notice|td-note)$/;
// Kinds that mark a block as an admonition without a family class; the other kinds are too common as ordinary names.
const STRONG_KINDS = new Set(
  'note tip important warning caution danger hint attention seealso see-also deprecated deprecation-block pitfall'.split(
    ' ',
  ),
);
const PREFIX =
  /^(?:alert|alert-|admonition|callout|callout-|bd-callout|notice|notice-|markdown-alert|theme-admonition|starlight-aside-|hint|is|aside|custom-block|type|note|message|admon|box)-{0,2}([a-z][a-z-]*)$/;

const HOSTS = new Set('div aside section blockquote details table p dl article'.split(' '));

/**
 * Returns an admonition's kind, or undefined for any other element. The empty string is an admonition without a kind.
 */
export function admonitionKind(element: HtmlElement): string | undefined {
  if (element.attributes.length === 0 || !HOSTS.has(element.name)) return undefined;
  const { classes } = element;
  if (classes.length === 0 && element.role !== 'note') return undefined;
  let isFamily = element.role === 'note';
  let kind: string | undefined;
  let isStrong = false;
  for (const raw of classes) {
    // BEM part of an admonition, such as `starlight-aside__title`.
    if (raw.includes('__')) continue;
    const name = raw.toLowerCase().replace(/_+/g, '-');
    // Some themes style every `details` as an alert.
    if (FAMILY.test(name) && !(element.name === 'details' && name === 'alert')) isFamily = true;
    if (KINDS.has(name) && !(name === 'hint' && isFamily)) {
      kind ??= KINDS.get(name);
      isStrong ||= STRONG_KINDS.has(name);
    } else if (name === 'deprecation-block' || name === 'deprecationblock') {
      kind = 'Deprecated';
      isStrong = true;
    } else {
      const suffix = PREFIX.exec(name)?.[1];
      if (suffix && KINDS.has(suffix)) kind ??= KINDS.get(suffix);
      if (/^(admonition|theme-admonition|markdown-alert|starlight-aside)-/.test(name)) isFamily = true;
    }
  }
  if (!isFamily && !isStrong) return undefined;
  return kind ?? (isFamily ? '' : undefined);
}

/**
 * Returns an admonition as a quote that begins with its bold label; undefined if the element is not an admonition after
 * all.
 */
export function admonitionBlocks(element: HtmlElement, kind: string, walk: Walk): Block[] | undefined {
  // A page whose whole text is inside `class="note"` is not one long note.
  if (headingsIn(element) > 2) return undefined;
  const content = contentOf(element);
  const title = titleOf(content) ?? titleOf(element) ?? headCellOf(element, content);
  const label = labelOf(title && plainText(title), kind || iconLabel(element));
  if (title) {
    title.isDropped = true;
    for (const id of idsIn(title)) walk.anchors.noteAside(id);
  }
  if (content !== element) walk.anchors.note(element.id);
  const placed = walk.anchors.take();
  const blocks = nestTerms(walk.blocksOf(content));
  if (title) title.isDropped = false;
  if (label === undefined && blocks.length === 0) return [];
  if (label === undefined) return quoteBlocks(blocks, 'quote', '', placed);
  const body = withoutRepeatedLabel(blocks, label);
  return quoteBlocks(body, 'admonition', `**${label}**`, placed);
}

function headingsIn(element: HtmlElement): number {
  let count = 0;
  findElement(element, (child) => {
    if (headingDepth(child) > 0) count++;
    return count > 2;
  });
  return count;
}

/**
 * Returns the element with the text: AsciiDoc and old DocBook lay admonitions out as a table with an icon and a content
 * cell.
 */
function contentOf(element: HtmlElement): HtmlElement {
  const table = element.name === 'table' ? element : onlyChild(element);
  if (table?.name !== 'table') return element;
  const cell = findElement(table, (child) => child.name === 'td' && child.hasClass('content'));
  return cell ?? bodyCellOf(table) ?? element;
}

/**
 * Returns the text cell of DocBook's layout: an icon spanning two rows, the label in a head cell, the text in the only
 * other cell.
 */
function bodyCellOf(table: HtmlElement): HtmlElement | undefined {
  const cells: HtmlElement[] = [];
  let heads = 0;
  let nested = false;
  const rows = childElements(table).flatMap((child) => (child.name === 'tr' ? [child] : childElements(child)));
  for (const row of rows.filter(({ name }) => name === 'tr')) {
    for (const cell of childElements(row)) {
      if (cell.name === 'th') heads++;
      else if (cell.name === 'td' && cell.textLength > 0) cells.push(cell);
      nested ||= cell.name !== 'th' && cell.name !== 'td';
    }
  }
  return heads === 1 && cells.length === 1 && !nested ? cells[0] : undefined;
}

/** Returns the head cell of DocBook's layout, which contains the label. */
function headCellOf(element: HtmlElement, content: HtmlElement): HtmlElement | undefined {
  if (content === element || content.name !== 'td' || content.hasClass('content')) return undefined;
  return findElement(element, ({ name, textLength }) => name === 'th' && textLength > 0);
}

function onlyChild(element: HtmlElement): HtmlElement | undefined {
  const children = childElements(element).filter((child) => child.textLength > 0);
  return children.length === 1 ? children[0] : undefined;
}

/** Returns the icon's alternative text or text, in which AsciiDoc and DocBook name the kind. */
function iconLabel(element: HtmlElement): string {
  const icon = findElement(element, (child) => child.hasClass('icon') || child.name === 'img');
  if (!icon) return '';
  const image = icon.name === 'img' ? icon : findElement(icon, ({ name }) => name === 'img');
  const text =
    plainText(icon) ||
    image?.attribute('alt') ||
    findElement(icon, (child) => child.attribute('title') !== undefined)?.attribute('title') ||
    '';
  return text.trim().length <= 24 ? text.trim() : '';
}

const TITLE_CLASS =
  /(?:^|[-_])(?:title|heading|header|label|caption)$|^admonition-?heading|admonitionHeading|__heading|^deprecated-label$|^alert-heading$/i;
const TITLE_LENGTH_MAX = 200;

/** Returns the label element: the first with a title class, or a heading or summary at the start. */
function titleOf(element: HtmlElement): HtmlElement | undefined {
  const seen: HtmlElement[] = [];
  const stack = childElements(element).toReversed();
  for (let child = stack.pop(); child && seen.length < 6; child = stack.pop()) {
    if (child.textLength === 0) continue;
    seen.push(child);
    if (child.textLength <= TITLE_LENGTH_MAX) {
      if (child.name === 'summary' || headingDepth(child) > 0 || child.classes.some((name) => TITLE_CLASS.test(name)))
        return child;
    }
    // Only an element at the very start can be the label.
    if (child.name === 'p' || child.name === 'pre' || child.name === 'ul') return undefined;
    const inner = childElements(child);
    for (let i = inner.length - 1; i >= 0; i--) stack.push(inner[i]!);
  }
  return undefined;
}

function labelOf(title: string | undefined, kind: string): string | undefined {
  const text = title?.replace(/[:：]\s*$/, '').trim() ?? '';
  const shown = text.replace(/[*`_[\]\\]/g, '\\$&');
  if (text === '') return kind === '' ? undefined : kind;
  if (kind === '' || kind === 'Example' || text.toLowerCase().includes(kind.toLowerCase())) return shown;
  // If the title does not name the kind given by the class, the kind still shows how serious the note is.
  return ['Warning', 'Danger', 'Caution', 'Important', 'Deprecated', 'Error'].includes(kind) && !isLabelWord(text)
    ? `${kind}: ${shown}`
    : shown;
}

function isLabelWord(text: string): boolean {
  return KINDS.has(text.toLowerCase()) || !/\s/.test(text);
}

/**
 * Removes the label from the start of the text, where it often appears in bold (`Note: …`) if there is no label
 * element.
 */
function withoutRepeatedLabel(blocks: readonly Block[], label: string): Block[] {
  const first = blocks[0];
  if (first?.type !== 'paragraph') return [...blocks];
  const escaped = label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const markdown = first.markdown.replace(new RegExp(`^\\*{0,2}${escaped}\\*{0,2}:?\\*{0,2}:?(?:\\s+|$)`, 'i'), '');
  if (markdown === first.markdown) return [...blocks];
  return markdown === '' ? blocks.slice(1) : [{ ...first, markdown }, ...blocks.slice(1)];
}

/** Returns the admonition for a quote that opens with `[!NOTE]` or a bold "Note:"; such admonitions have no classes. */
export function quotedAdmonition(quote: HtmlElement, blocks: readonly Block[]): Block[] | undefined {
  const first = blocks[0];
  if (first?.type !== 'paragraph' || quote.children.every((child) => child instanceof HtmlText)) return undefined;
  const match = /^(?:\\?\[!(\w+)\\?\]|\*\*(\w[\w ]{1,15}?):?\*\*:?)(?:\s+|$)/.exec(first.markdown);
  const kind = KINDS.get((match?.[1] ?? match?.[2] ?? '').toLowerCase());
  if (!match || !kind) return undefined;
  const rest = first.markdown.slice(match[0].length);
  return quoteBlocks(
    rest === '' ? blocks.slice(1) : [{ ...first, markdown: rest }, ...blocks.slice(1)],
    'admonition',
    `**${kind}**`,
    { ...(first.anchor && { anchor: first.anchor }) },
  );
}
