import { headingDepth } from './block-elements.ts';
import { hasTrait, TRAIT } from './class-traits.ts';
import { childElements, HtmlElement, squashedText, textOf } from './html-tree.ts';
import { isInCode } from './service-links.ts';

// A longer element of such a name is text: `lang` is also a class of foreign words.
const SHORT_LENGTH_MAX = 24;

/** True for marks such as ¶ beside a heading, links to source and copy buttons. */
export function isServiceElement(element: HtmlElement): boolean {
  if (element.attributes.length === 0) return false;
  if (isSign(element) || isLevelSwitch(element)) return true;
  if (hasTrait(element, TRAIT.service)) return !isAroundName(element);
  // A highlighter may give its keywords such a class: Pike's `lang`.
  if (element.textLength <= SHORT_LENGTH_MAX && hasTrait(element, TRAIT.shortService))
    return element.name === 'a' ? !leadsAway(element) : element.name !== 'span' || !isInCode(element);
  return element.name === 'a' && (isMark(element) || isOwnNumber(element) || isSourceLink(element));
}

/** The permalink may be set around the words of a heading (DocC, VuePress 2) or around the name it leads to (mandoc). */
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

/** A link to another page is text, though it may show a tooltip of its own (Crystal). */
function leadsAway(link: HtmlElement): boolean {
  return /^[^#]/.test(link.attribute('href') ?? '');
}

/** A letter that stands for a picture, or an arrow that opens a row: joined to the name behind it, neither would be found. */
function isSign(element: HtmlElement): boolean {
  if (element.name !== 'span' || element.textLength === 0 || element.textLength > 2) return false;
  return (
    element.hasClass('icon') || (element.attribute('onclick') !== undefined && !/[\p{L}\p{N}]/u.test(textOf(element)))
  );
}

const LEVELS_LENGTH_MAX = 60;

/** Numbers to click on, by which a tree opens to that level. */
function isLevelSwitch(element: HtmlElement): boolean {
  if (element.name !== 'div' || element.textLength === 0 || element.textLength > LEVELS_LENGTH_MAX) return false;
  const levels = childElements(element);
  const isNumber = (level: HtmlElement) => level.attribute('onclick') !== undefined && /^\d+$/.test(textOf(level));
  return levels.length > 1 && levels.every(isNumber);
}

const OWN_NUMBER = /^#\d{1,6}$/;

/** SiSU sets a link to each paragraph before it: its number, which is the paragraph's id. */
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

/** A link that shows nothing but a symbol. */
function isMark(link: HtmlElement): boolean {
  if (link.textLength > MARK_LENGTH_MAX) return false;
  const href = link.attribute('href');
  if (href === undefined || link.children.length === 0) return false;
  const text = squashedText(link);
  return text !== '' && MARK.test(text) && (href.includes('#') || text === '↩' || text === '↩︎');
}

const SOURCE_TEXT = /^\[?(?:source|src|view source|docs)\]?$/i;

/** A link from a declaration to the code that implements it. */
function isSourceLink(link: HtmlElement): boolean {
  if (link.textLength > 13 || !SOURCE_TEXT.test(squashedText(link)) || isInCode(link)) return false;
  return (
    /(?:^|[/_-])(?:src|source|_modules|viewcode)|#(?:L|line|l)-?\d|\.html#line/i.test(link.attribute('href') ?? '') ||
    link.hasClass('link')
  );
}

/** Id a permalink mark leads to. Links to other pages, to source for example, are none. */
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
    // Not percent-encoded after all: ids may contain a bare per cent sign.
    return fragment;
  }
}
