import { headingDepth, isBlockName } from './block-elements.ts';
import { HtmlElement, type HtmlNode, HtmlText, textOf } from './html-tree.ts';
import { isHidden, isTabPanel, UNSEEN_ELEMENTS } from './visibility.ts';

// Real pages stay below 60. Deeper elements are flattened, which also bounds every recursion over the tree.
const NESTING_MAX = 128;

/** Results of one pass over the page, so that later steps need not search the tree again. */
export interface PageSurvey {
  body: HtmlElement;
  /** Links in source order, including hidden ones and the pages of frames. */
  links: HtmlElement[];
  /** `main`, `role=main` and generator-specific equivalents. */
  mains: HtmlElement[];
  articles: HtmlElement[];
  headings: HtmlElement[];
  /** Possible boilerplate: landmarks and elements with a class, id or role. */
  marked: HtmlElement[];
  /** Tab labels by their panel's id or their own id. */
  tabLabels: Map<string, string>;
  /** Tab panels in source order. */
  panels: HtmlElement[];
}

/**
 * Visits the page once: limits the nesting, drops invisible elements, measures every element's text and link text and
 * notes the landmarks. Linear in the size of the page, without recursion.
 */
export function surveyPage(document: HtmlElement): PageSurvey {
  const body = bodyOf(document);
  const survey: PageSurvey = {
    body,
    links: [],
    mains: [],
    articles: [],
    headings: [],
    marked: [],
    tabLabels: new Map(),
    panels: [],
  };
  const order = visibleElements(body, survey);
  measure(order);
  return survey;
}

function bodyOf(document: HtmlElement): HtmlElement {
  const root = document.children.find((child): child is HtmlElement => child instanceof HtmlElement);
  const bodies = root?.children.filter((child): child is HtmlElement => child instanceof HtmlElement) ?? [];
  return bodies.find(({ name }) => name === 'body' || name === 'frameset') ?? root ?? document;
}

/** Returns the visible elements in document order, parents before children. */
function visibleElements(body: HtmlElement, survey: PageSurvey): HtmlElement[] {
  const order: HtmlElement[] = [];
  const stack: HtmlElement[] = [body];
  const depths: number[] = [0];
  for (let element = stack.pop(); element; element = stack.pop()) {
    const depth = depths.pop()!;
    element.order = order.length;
    order.push(element);
    if (depth === NESTING_MAX) flatten(element, survey);
    const { children } = element;
    for (let i = children.length - 1; i >= 0; i--) {
      const child = children[i];
      if (!(child instanceof HtmlElement)) continue;
      child.position = i;
      if (isFixedCheckbox(child)) {
        children[i] = tickOf(child, element);
        continue;
      }
      if (UNSEEN_ELEMENTS.has(child.name)) {
        child.isDropped = !isTexScript(child);
        if (child.name === 'frame' || child.name === 'iframe') survey.links.push(child);
        continue;
      }
      if (isControl(child) || isHidden(child)) {
        child.isDropped = true;
        noteUnseen(child, survey);
        continue;
      }
      stack.push(child);
      depths.push(depth + 1);
    }
    note(element, survey);
  }
  return order;
}

/** Returns true for controls to remove: all buttons except those that contain a heading's text (accordions). */
function isControl(element: HtmlElement): boolean {
  if (element.name !== 'button') return false;
  return !(element.parent && /^h[1-6]$/.test(element.parent.name) && element.attribute('aria-controls') !== undefined);
}

/** Returns true for a disabled checkbox, which is text: it shows whether a task is done or a feature exists. */
function isFixedCheckbox(element: HtmlElement): boolean {
  if (element.name !== 'input' || element.attribute('type')?.toLowerCase() !== 'checkbox') return false;
  return element.attribute('disabled') !== undefined && !isHidden(element);
}

/** Returns the checkbox as in a Markdown task list. */
function tickOf(checkbox: HtmlElement, parent: HtmlElement): HtmlText {
  const text = new HtmlText(checkbox.attribute('checked') === undefined ? '[ ] ' : '[x] ');
  text.parent = parent;
  return text;
}

/** Returns true for a script in which MathJax 2 keeps a formula's source. */
function isTexScript(element: HtmlElement): boolean {
  return element.name === 'script' && (element.attribute('type') ?? '').startsWith('math/tex');
}

/** Makes all text and void elements below direct children, so that nothing is nested deeper. */
function flatten(element: HtmlElement, survey: PageSurvey): void {
  const flat: HtmlNode[] = [];
  const stack: HtmlNode[] = element.children.toReversed();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node instanceof HtmlText) flat.push(node);
    else if (node.name === 'br' || node.name === 'img') flat.push(node);
    else if (!UNSEEN_ELEMENTS.has(node.name) && !isHidden(node)) {
      if (node.name === 'a') {
        node.parent = element;
        survey.links.push(node);
      }
      if (isBlockName(node.name)) flat.push(new HtmlText(' '));
      for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!);
    }
  }
  for (const node of flat) node.parent = element;
  element.children = flat;
}

function note(element: HtmlElement, survey: PageSurvey): void {
  const { name, attributes } = element;
  if (headingDepth(element) > 0) survey.headings.push(element);
  if (LANDMARKS.has(name)) noteLandmark(element, survey);
  if (attributes.length === 0) return;
  // Doxygen's content element; theme additions are outside of it.
  if (element.id === 'doc-content') survey.mains.push(element);
  if (element.role !== undefined) {
    if (element.role === 'main' && name !== 'main') survey.mains.push(element);
    if (element.role === 'tab') noteTab(element, survey);
    mark(element, survey);
  } else if ((element.className !== '' || element.id !== undefined) && isBlockName(name)) {
    mark(element, survey);
  }
  if (name === 'label' || name === 'a') noteTab(element, survey);
  if (isTabPanel(element)) survey.panels.push(element);
}

const LANDMARKS = new Set('a area main article nav header footer aside form ul ol search address'.split(' '));

function noteLandmark(element: HtmlElement, survey: PageSurvey): void {
  const { name } = element;
  if (name === 'a' || name === 'area') survey.links.push(element);
  else if (name === 'main') survey.mains.push(element);
  else if (name === 'article') survey.articles.push(element);
  else mark(element, survey);
}

function mark(element: HtmlElement, survey: PageSurvey): void {
  if (survey.marked[survey.marked.length - 1] !== element) survey.marked.push(element);
}

/** Notes links and tab labels in invisible elements too, such as closed menus and tab buttons. */
function noteUnseen(root: HtmlElement, survey: PageSurvey): void {
  const stack: HtmlElement[] = [root];
  for (let element = stack.pop(); element; element = stack.pop()) {
    if (element.name === 'a' || element.name === 'area') survey.links.push(element);
    if (element.role === 'tab' || element.name === 'label' || element.name === 'button') noteTab(element, survey);
    for (let i = element.children.length - 1; i >= 0; i--) {
      const child = element.children[i];
      if (child instanceof HtmlElement) stack.push(child);
    }
  }
}

const LABEL_LENGTH_MAX = 80;

function noteTab(element: HtmlElement, survey: PageSurvey): void {
  const isTab = element.role === 'tab';
  const target =
    element.attribute('aria-controls') ??
    (isTab || element.attribute('data-toggle') === 'tab' || element.attribute('data-bs-toggle') === 'tab'
      ? fragment(element)
      : element.attribute('data-toggle'));
  const id = isTab ? element.id : undefined;
  if (!target && !id) return;
  const label = textOf(element).replace(/\s+/g, ' ').trim();
  if (label === '' || label.length > LABEL_LENGTH_MAX) return;
  if (target) survey.tabLabels.set(target, label);
  if (id) survey.tabLabels.set(id, label);
}

function fragment(element: HtmlElement): string | undefined {
  const target = element.attribute('href') ?? element.attribute('data-target') ?? element.attribute('data-bs-target');
  return target?.startsWith('#') ? target.slice(1) : undefined;
}

/** Sums text and link text from the leaves up, and notes each element's last descendant. */
function measure(order: readonly HtmlElement[]): void {
  for (let i = order.length - 1; i >= 0; i--) {
    const element = order[i]!;
    let own = 0;
    for (const child of element.children) if (child instanceof HtmlText) own += shownLength(child.value);
    element.textLength += own;
    if (element.endOrder < i) element.endOrder = i;
    if (element.name === 'a' && element.attributes.length > 0 && element.attribute('href') !== undefined) {
      element.linkLength = element.textLength;
    }
    const { parent } = element;
    if (parent && i > 0) {
      parent.textLength += element.textLength;
      parent.linkLength += element.linkLength;
      if (parent.endOrder < element.endOrder) parent.endOrder = element.endOrder;
    }
  }
}

/** Returns the length without white space at both ends; 0 for white space between elements. */
function shownLength(text: string): number {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return end - start;
}

const isSpace = (code: number): boolean => code <= 0x20 || code === 0xa0;

/**
 * Removes dropped elements below `root` and notes which elements contain blocks. Call once, after all elements have
 * been marked.
 */
export function sweepTree(root: HtmlElement): void {
  const order: HtmlElement[] = [];
  const stack: HtmlElement[] = [root];
  for (let element = stack.pop(); element; element = stack.pop()) {
    order.push(element);
    const { children } = element;
    let hasDropped = false;
    for (let i = children.length - 1; i >= 0; i--) {
      const child = children[i];
      if (!(child instanceof HtmlElement)) continue;
      if (child.isDropped) hasDropped = true;
      else stack.push(child);
    }
    if (hasDropped) {
      element.children = children.filter((child) => !(child instanceof HtmlElement && child.isDropped));
      element.children.forEach((child, position) => {
        if (child instanceof HtmlElement) child.position = position;
      });
    }
  }
  for (let i = order.length - 1; i > 0; i--) {
    const element = order[i]!;
    if (element.parent && (element.hasBlock || isBlockName(element.name) || isTabPanel(element)))
      element.parent.hasBlock = true;
  }
}
