import { headingDepth, isBlockName } from './block-elements.ts';
import { ARROW_LINK, SERVICE_LINK, STEP_LINE, STEP_LINK, STRONG_STEP } from './boilerplate-phrases.ts';
import { childElements, findElement, HtmlElement, type HtmlNode, squashedText, textOf } from './html-tree.ts';
import { linkDensity, proseLength } from './main-content.ts';

const LINK_LENGTH_MAX = 40;
const ROW_LENGTH_MAX = 160;
const LINE_LENGTH_MAX = 200;

/** Marks page controls as dropped: links to edit, report or print, and rows of previous, up and next. */
export function dropServiceLink(link: HtmlElement, root: HtmlElement): void {
  if (link.isDropped || link.textLength > LINK_LENGTH_MAX) return;
  if (link.textLength === 0) {
    link.isDropped = isStepPicture(link);
    return;
  }
  const text = squashedText(link);
  if (SERVICE_LINK.test(text)) {
    if ((/^\W*(?:more\W*)?$/i.test(text) || !isSentenceLink(link)) && !isInCode(link)) dropWithMarks(link, text);
    return;
  }
  if (!isStepText(text) && !isInStepLine(link)) return;
  if (isInCode(link)) return;
  const row = stepRow(link, root);
  if (row) row.isDropped = true;
  else if (isNamedStep(link)) link.isDropped = true;
  else for (const step of bareStepRow(link)) step.isDropped = true;
}

/** Drops a link and its element, if that shows nothing else but marks: `| Improve this Doc`. */
function dropWithMarks(link: HtmlElement, text: string): void {
  link.isDropped = true;
  const { parent } = link;
  if (parent?.name === 'span' && !/[\p{L}\p{N}]/u.test(squashedText(parent).replace(text, ''))) parent.isDropped = true;
}

const isStepText = (text: string): boolean => STEP_LINK.test(text) || ARROW_LINK.test(text);

const STEP_PICTURE = /^(?:prev(?:ious)?|next|up|home|top|contents|index)$/i;

/** Returns true for an image link to the previous, next or parent page; HeVeA and latex2html do not wrap it. */
function isStepPicture(link: HtmlElement): boolean {
  const [only, second] = childElements(link);
  return only?.name === 'img' && second === undefined && STEP_PICTURE.test(only.attribute('alt')?.trim() ?? '');
}

/** Returns true if the link's class or `rel` says that it leads to the previous or next page. */
function isNamedStep(link: HtmlElement): boolean {
  const names = `${link.attribute('rel') ?? ''} ${link.className.replace(/[_-]/g, ' ')}`;
  return /\b(?:prev|previous|next)\b/i.test(names);
}

const CODE_ELEMENTS = new Set('pre code tt samp kbd'.split(' '));
/** Code of Scribble and HeVeA, which is set in spans and tables. */
const CODE_CLASS = /\b(?:Rkt[A-Z]\w*|SVerbatim|lstframe|lstlisting)\b/;

/** True for elements inside code, where every word is part of the text. */
export function isInCode(element: HtmlElement): boolean {
  for (let node = element.parent; node; node = node.parent) {
    if (CODE_ELEMENTS.has(node.name) || CODE_CLASS.test(node.className)) return true;
  }
  return false;
}

const SENTENCE_LENGTH_MIN = 20;

/** Returns true for a link next to other words: it is part of the sentence, regardless of its text. */
function isSentenceLink(link: HtmlElement): boolean {
  const { parent, position } = link;
  if (!parent || parent.textLength - link.textLength < SENTENCE_LENGTH_MIN) return false;
  return [parent.children[position - 1], parent.children[position + 1]].some(
    (beside) => beside !== undefined && !(beside instanceof HtmlElement) && /[\p{L}\p{N}]/u.test(beside.value),
  );
}

/** Returns the largest block around a "previous" or "next" link that contains only such links. */
function stepRow(link: HtmlElement, root: HtmlElement): HtmlElement | undefined {
  let row: HtmlElement | undefined;
  for (let node = link.parent; node && node !== root; node = node.parent) {
    if (node.textLength > ROW_LENGTH_MAX || headingDepth(node) > 0) break;
    if (linkDensity(node) < 0.6 && proseLength(node) > 60) break;
    if (isBlockName(node.name)) row = node;
  }
  if (row === undefined) return undefined;
  const links: HtmlElement[] = [];
  findElement(row, (element) => {
    if (element.name === 'a' && element.attribute('href') !== undefined) links.push(element);
    return false;
  });
  return areSteps(links) ? row : undefined;
}

const BARE_ROW_MAX = 16;
const STEP_ALONE = /^\W*(?:prev(?:ious)?|next|up)\W*$/i;

/** Returns the links of a row of steps that stands between blocks without an element of its own (LinuxDoc, autogsdoc). */
function bareStepRow({ parent, position }: HtmlElement): HtmlElement[] {
  const beside = parent?.children ?? [];
  const isInRow = (node: HtmlNode | undefined): boolean =>
    node instanceof HtmlElement ? node.name === 'a' || node.name === 'br' : node?.value.trim() === '';
  let [first, end] = [position, position];
  while (end - first <= BARE_ROW_MAX && isInRow(beside[first - 1])) first--;
  while (end - first <= BARE_ROW_MAX && isInRow(beside[end])) end++;
  const isClosed = [beside[first - 1], beside[end]].every(
    (node) => node === undefined || (node instanceof HtmlElement && isBlockName(node.name)),
  );
  const links = beside
    .slice(first, end)
    .filter((node) => node instanceof HtmlElement && node.name === 'a') as HtmlElement[];
  return isClosed && (areSteps(links) || links.every((one) => STEP_ALONE.test(textOf(one)))) ? links : [];
}

function areSteps(links: readonly HtmlElement[]): boolean {
  let steps = 0;
  let strong = 0;
  for (const link of links) {
    const text = squashedText(link);
    if (isNamedStep(link) || STRONG_STEP.test(text) || ARROW_LINK.test(text) || isInStepLine(link)) strong++;
    if (isStepText(text) || isNamedStep(link) || isInStepLine(link)) steps++;
  }
  // "Overview" and "Index" alone may be two list entries.
  return strong >= 1 && steps >= 2 && steps * 2 >= links.length;
}

/** Returns true for a line such as `Next: Quoting, Previous: Syntax, Up: Top`. */
export function isStepLine(element: HtmlElement): boolean {
  return element.linkLength > 0 && element.textLength <= LINE_LENGTH_MAX && STEP_LINE.test(squashedText(element));
}

/** Returns true for a link in a step line. Its text is a title; only the words between the links name the step. */
function isInStepLine(link: HtmlElement): boolean {
  const { parent } = link;
  if (!parent || parent.textLength > LINE_LENGTH_MAX) return false;
  const first = parent.children[0];
  return first !== undefined && !(first instanceof HtmlElement) && STEP_LINE.test(first.value.trimStart());
}
