import { headingDepth } from './block-elements.ts';
import { hasTrait, TRAIT } from './class-traits.ts';
import { childElements, HtmlElement, squashedText, textOf } from './html-tree.ts';
import { isInCode } from './service-links.ts';

// Longer elements of these classes are text: `lang` also marks foreign words.
const SHORT_LENGTH_MAX = 24;

/** Returns true for permalink marks such as ¶, source links and copy buttons. */
export function isServiceElement(element: HtmlElement): boolean {
  if (isTooltip(element)) return true;
  if (element.attributes.length === 0) return false;
  if (isSign(element) || isLevelSwitch(element)) return true;
  if (hasTrait(element, TRAIT.service)) return !isAroundName(element);
  // A highlighter may give its keywords this class (Pike: `lang`).
  if (element.textLength <= SHORT_LENGTH_MAX && hasTrait(element, TRAIT.shortService))
    return element.name === 'a' ? !leadsAway(element) : element.name !== 'span' || !isInCode(element);
  return element.name === 'a' && (isMark(element) || isOwnNumber(element) || isSourceLink(element));
}

/** Returns true for the signature that a link shows as its tooltip, before its name (Crystal). */
function isTooltip({ name, parent, textLength }: HtmlElement): boolean {
  return name === 'span' && parent?.name === 'a' && textLength < parent.textLength && parent.hasClass('tooltip');
}

/** Returns true if the permalink contains the heading's words (DocC, VuePress 2) or the name it leads to (mandoc). */
function isAroundName(link: HtmlElement): boolean {
  const { parent, textLength } = link;
  if (link.name !== 'a' || textLength <= MARK_LENGTH_MIN) return false;
  if (parent?.textLength === textLength && (headingDepth(parent) > 0 || parent.name === 'dt')) return true;
  const [, id = ''] = /^#(.+?)(?:~\d+)?$/.exec(link.attribute('href') ?? '') ?? [];
  const name = lettersOf(id);
  return name !== '' && lettersOf(textOf(link)).startsWith(name);
}

const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();

const MARK_LENGTH_MIN = 1;

/** Returns true for a link to another page, which is text even if it shows a tooltip (Crystal). */
function leadsAway(link: HtmlElement): boolean {
  return /^[^#]/.test(link.attribute('href') ?? '');
}

/**
 * Returns true for a letter used as an icon or an arrow that expands a row: joined to the following name, it would make
 * the name unsearchable.
 */
function isSign(element: HtmlElement): boolean {
  if (!/^(?:a|span)$/.test(element.name) || element.textLength === 0 || element.textLength > 2) return false;
  return (
    element.hasClass('icon') || (element.attribute('onclick') !== undefined && !/[\p{L}\p{N}]/u.test(textOf(element)))
  );
}

const LEVELS_LENGTH_MAX = 60;

/** Returns true for a row of clickable numbers that expand a tree to that level. */
function isLevelSwitch(element: HtmlElement): boolean {
  if (element.name !== 'div' || element.textLength === 0 || element.textLength > LEVELS_LENGTH_MAX) return false;
  const levels = childElements(element);
  const isNumber = (level: HtmlElement) => level.attribute('onclick') !== undefined && /^\d+$/.test(textOf(level));
  return levels.length > 1 && levels.every(isNumber);
}

const OWN_NUMBER = /^#\d{1,6}$/;

/** Returns true for the link that SiSU puts before each paragraph: its number, which is the paragraph's id. */
function isOwnNumber(link: HtmlElement): boolean {
  const href = link.attribute('href') ?? '';
  const { parent } = link;
  if (!OWN_NUMBER.test(href) || parent?.textLength !== link.textLength || `#${squashedText(link)}` !== href)
    return false;
  const after = parent.parent?.children.slice(parent.position + 1, parent.position + 3);
  return after?.some((node) => node instanceof HtmlElement && `#${node.id}` === href) ?? false;
}

const MARK = /^[¶#§↑🔗⚓∞◆◇⬥↩⏎\u200b\ufe0e\ufe0f\s]*$/u;
const MARK_LENGTH_MAX = 8;

/** Returns true for a link that shows only a symbol. */
function isMark(link: HtmlElement): boolean {
  if (link.textLength > MARK_LENGTH_MAX) return false;
  const href = link.attribute('href');
  if (href === undefined || link.children.length === 0) return false;
  const text = squashedText(link);
  // Agda's ∞ leads to its definition.
  if (leadsAway(link) && isInCode(link)) return false;
  return text !== '' && MARK.test(text) && (href.includes('#') || text === '↩' || text === '↩︎');
}

const SOURCE_TEXT = /^\[?(?:source|src|view source|docs)\]?$/i;

/** Returns true for a link from a declaration to its source code. */
function isSourceLink(link: HtmlElement): boolean {
  if (link.textLength > 13 || !SOURCE_TEXT.test(squashedText(link)) || isInCode(link)) return false;
  const href = link.attribute('href') ?? '';
  // A type named Source, which Dokka describes in `-source/index.html`.
  if (/(?:^|\/)-?source(?:\/index)?\.html$/i.test(href)) return false;
  return (
    /(?:^|[/_-])(?:src|source|_modules|viewcode)|#(?:L|line|l)-?\d|\.html#line/i.test(href) || link.hasClass('link')
  );
}

/** Returns the id that a permalink leads to; undefined for links to other pages, for example to source. */
export function permalinkTarget(element: HtmlElement): string | undefined {
  if (element.name !== 'a') return undefined;
  const href = element.attribute('href');
  if (!href || href.length < 2 || !href.startsWith('#')) return undefined;
  const isPermalink = element.textLength === 0 || element.hasClass('anchor') || isServiceElement(element);
  return isPermalink ? decodeFragment(href.slice(1)) : undefined;
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    // Not percent-encoded: ids may contain a bare per cent sign.
    return fragment;
  }
}
