import { evidenceOf } from './boilerplate-names.ts';
import { CONTENTS_TITLE } from './boilerplate-phrases.ts';
import { elementBefore, findElement, type HtmlElement, squashedText } from './html-tree.ts';
import { linkDensity } from './main-content.ts';
import type { AddressBook } from './page-links.ts';

const DENSITY_MIN = 0.75;
// A page that is nothing but links to its own places keeps them.
const SHARE_MAX = 0.7;

/**
 * Marks a list of the page's own sections as dropped: all its links lead to places on the same page, with hardly any
 * text beside them, under a title or a name that says so. Without either it is an overview that someone wrote.
 */
export function dropLocalContents(list: HtmlElement, root: HtmlElement, addresses: AddressBook): void {
  if (list.linkLength === 0 || linkDensity(list) < DENSITY_MIN || list.textLength > SHARE_MAX * root.textLength) return;
  const unit = wholeOf(list);
  const before = elementBefore(unit);
  const title = before && isContentsTitle(before) ? before : undefined;
  if (!title && !isNamedContents(list)) return;
  const foreign = findElement(list, (element) => {
    const href = element.name === 'a' ? element.attribute('href') : undefined;
    return href !== undefined && href !== '' && !addresses.isLocal(href);
  });
  if (foreign) return;
  unit.isDropped = true;
  if (title) title.isDropped = true;
}

/** The outermost element that holds the list and no other text. */
function wholeOf(list: HtmlElement): HtmlElement {
  let unit = list;
  while (unit.parent && unit.parent.textLength === unit.textLength) unit = unit.parent;
  return unit;
}

const NAME_LEVELS_MAX = 4;
const TITLE_LENGTH_MAX = 40;

function isNamedContents(list: HtmlElement): boolean {
  let node: HtmlElement | null = list;
  for (let level = 0; node && level < NAME_LEVELS_MAX; level++, node = node.parent) {
    if (node.textLength > list.textLength + TITLE_LENGTH_MAX) return false;
    if (evidenceOf(node, 'class') !== 'none' || evidenceOf(node, 'id') !== 'none') return true;
  }
  return false;
}

function isContentsTitle(element: HtmlElement): boolean {
  return element.textLength < TITLE_LENGTH_MAX && CONTENTS_TITLE.test(squashedText(element));
}
