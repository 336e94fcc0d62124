import { hasTrait, TRAIT } from './class-traits.ts';
import { childElements, findElement, type HtmlElement } from './html-tree.ts';

/** Elements whose content is never text for readers. */
export const UNSEEN_ELEMENTS: ReadonlySet<string> = new Set(
  (
    'script style template noscript noframes noembed svg canvas iframe frame object embed audio video map head link meta ' +
    'base title input select option optgroup datalist textarea dialog progress meter portal param source track'
  ).split(' '),
);

/** Returns true for elements hidden by an attribute, inline style or well-known class. */
export function isHidden(element: HtmlElement): boolean {
  if (element.attributes.length === 0) return false;
  // An inactive tab is content: the page shows one panel at a time.
  if (isTabPanel(element) || isFoldedRow(element)) return false;
  for (const { name, value } of element.attributes) {
    if (name === 'hidden') {
      if (value.toLowerCase() !== 'until-found') return true;
    } else if (name === 'aria-hidden') {
      if (value.toLowerCase() === 'true') return true;
    } else if (name === 'style') {
      if (hidesByStyle(value)) return true;
    }
  }
  return hasTrait(element, TRAIT.hides);
}

/** Ids of the clickable rows in each group of rows. */
const openers = new WeakMap<HtmlElement, ReadonlySet<string>>();

/**
 * Returns true for a collapsed row of a tree: its id starts with the id of a row that opens it, `row_1_` for
 * `row_1_3_`.
 */
function isFoldedRow({ name, id, parent }: HtmlElement): boolean {
  if (name !== 'tr' || !parent || !id || id.length > ROW_ID_LENGTH_MAX) return false;
  let known = openers.get(parent);
  if (known === undefined) {
    const rows = childElements(parent).filter((row) => row.id && findElement(row, isToggle));
    known = new Set(rows.map((row) => row.id as string));
    openers.set(parent, known);
  }
  if (known.size === 0) return false;
  for (let end = id.length - 1; end > 0; end--) if (known.has(id.slice(0, end))) return true;
  return false;
}

const ROW_ID_LENGTH_MAX = 120;
const isToggle = (element: HtmlElement): boolean => element.attribute('onclick') !== undefined;

/** Returns true for one of several alternative views, only one of which is visible. */
export function isTabPanel(element: HtmlElement): boolean {
  return (
    element.role === 'tabpanel' ||
    hasTrait(element, TRAIT.panel) ||
    isCodeGroupPanel(element) ||
    panelName(element) !== undefined
  );
}

/** Returns the name by which a panel's button refers to it instead of its id: Dokka has one for each platform. */
export function panelName(element: HtmlElement): string | undefined {
  return element.name === 'div' ? element.attribute('data-togglable') : undefined;
}

/** Returns true for a block of a VitePress code group; these are not marked as panels. */
function isCodeGroupPanel(element: HtmlElement): boolean {
  const { parent } = element;
  return parent?.className === 'blocks' && parent.parent?.hasClass('vp-code-group') === true;
}

// Longer style attributes carry data (images, generated layouts) and do not hide text.
const STYLE_LENGTH_MAX = 2000;

function hidesByStyle(style: string): boolean {
  if (style.length > STYLE_LENGTH_MAX) return false;
  const rules = new Map<string, string>();
  for (const rule of style.toLowerCase().split(';')) {
    const colon = rule.indexOf(':');
    if (colon > 0)
      rules.set(
        rule.slice(0, colon).trim(),
        rule
          .slice(colon + 1)
          .replace('!important', '')
          .trim(),
      );
  }
  if (rules.get('display') === 'none' || rules.get('visibility') === 'hidden') return true;
  if (isZero(rules.get('opacity')) || isZero(rules.get('font-size'))) return true;
  const isClipped = rules.get('overflow') === 'hidden';
  if (isClipped && (isZero(rules.get('height')) || isZero(rules.get('width')) || isZero(rules.get('max-height'))))
    return true;
  if (
    isPositioned(rules) &&
    (isFarOff(rules.get('left')) || isFarOff(rules.get('top')) || isFarOff(rules.get('right')))
  ) {
    return true;
  }
  if (isFarOff(rules.get('text-indent'))) return true;
  if (/^rect\(\s*[01](px)?[\s,]+[01]/.test(rules.get('clip') ?? '')) return true;
  if (/^inset\(\s*(50|100)%/.test(rules.get('clip-path') ?? '')) return true;
  const color = rules.get('color');
  return color !== undefined && color === (rules.get('background-color') ?? rules.get('background'));
}

function isPositioned(rules: Map<string, string>): boolean {
  const position = rules.get('position');
  return position === 'absolute' || position === 'fixed';
}

const isZero = (value: string | undefined): boolean => value !== undefined && /^0(\.0*)?(px|em|rem|%|pt)?$/.test(value);
const isFarOff = (value: string | undefined): boolean =>
  value !== undefined && /^-\d{3,}(\.\d+)?(px|em|rem|pt|vw|%)?$/.test(value);
