/** An attribute as the parser hands it over: name in lower case, value decoded. */
export interface HtmlAttribute {
  name: string;
  value: string;
}

/** A run of text. */
export class HtmlText {
  value: string;
  parent: HtmlElement | null = null;

  constructor(value: string) {
    this.value = value;
  }
}

/** An element of the lean tree: no comments, no source positions, no accessors. */
export class HtmlElement {
  readonly name: string;
  /** Namespace address; tells SVG and MathML from HTML. */
  readonly namespace: string;
  attributes: HtmlAttribute[];
  children: HtmlNode[] = [];
  parent: HtmlElement | null = null;
  /** Place among the children of its parent. Set by `surveyPage`. */
  position = 0;
  /** Place among the visible elements of the page in source order; -1 for what no one sees. Set by `surveyPage`. */
  order = -1;
  /** Order of the last visible element inside. Set by `surveyPage`. */
  endOrder = -1;
  /** Length of the text inside, runs of white space between elements left out. Set by `surveyPage`. */
  textLength = 0;
  /** The part of `textLength` that stands inside links. Set by `surveyPage`. */
  linkLength = 0;
  /** Contains an element that starts a block of its own. Set by `sweepTree`. */
  hasBlock = false;
  /** Taken out of the page by `sweepTree`. */
  isDropped = false;
  /** By how much a heading is deeper than its name says. Set by `nestOutlines`. */
  deeper = 0;
  /** The class attribute as written; empty without one. */
  className = '';
  id: string | undefined = undefined;
  /** In lower case. */
  role: string | undefined = undefined;

  constructor(name: string, namespace: string, attributes: HtmlAttribute[]) {
    this.name = name;
    this.namespace = namespace;
    this.attributes = attributes;
    for (const attribute of attributes) {
      if (attribute.name === 'class') this.className = attribute.value;
      else if (attribute.name === 'id') this.id = attribute.value || undefined;
      else if (attribute.name === 'role') this.role = attribute.value.trim().toLowerCase() || undefined;
    }
  }

  /** Value of an attribute; undefined when the element does not carry it. */
  attribute(name: string): string | undefined {
    for (const attribute of this.attributes) if (attribute.name === name) return attribute.value;
    return undefined;
  }

  /** Class names in source order. */
  get classes(): readonly string[] {
    if (this.className === '') return NO_CLASSES;
    let names = splitNames.get(this.className);
    if (names === undefined) {
      names = this.className.split(/[\t\n\f\r ]+/).filter(Boolean);
      if (splitNames.size >= SPLIT_NAMES_MAX) splitNames.clear();
      splitNames.set(this.className, names);
    }
    return names;
  }

  hasClass(name: string): boolean {
    return this.className !== '' && this.classes.includes(name);
  }
}

const NO_CLASSES: readonly string[] = [];
// Pages repeat a few class attributes thousands of times.
const splitNames = new Map<string, readonly string[]>();
const SPLIT_NAMES_MAX = 20_000;

export type HtmlNode = HtmlElement | HtmlText;

/** Elements among the children, in order. */
export function childElements(element: HtmlElement): HtmlElement[] {
  return element.children.filter((child): child is HtmlElement => child instanceof HtmlElement);
}

// How far back a neighbour is looked for; between real neighbours stands white space at most.
const NEIGHBOURS_MAX = 8;

/** The element that stands directly before, empty and dropped ones skipped; undefined when text stands between. */
export function elementBefore(element: HtmlElement): HtmlElement | undefined {
  const siblings = element.parent?.children ?? [];
  for (let i = element.position - 1; i >= 0 && i >= element.position - NEIGHBOURS_MAX; i--) {
    const sibling = siblings[i];
    if (sibling instanceof HtmlText) {
      if (sibling.value.trim() !== '') return undefined;
    } else if (sibling && sibling.textLength > 0 && !sibling.isDropped) {
      return sibling;
    }
  }
  return undefined;
}

/** First descendant (not the element itself) that satisfies the test, in document order. */
export function findElement(root: HtmlElement, test: (element: HtmlElement) => boolean): HtmlElement | undefined {
  const stack: HtmlElement[] = [root];
  for (let element = stack.pop(); element; element = stack.pop()) {
    if (element !== root && test(element)) return element;
    for (let i = element.children.length - 1; i >= 0; i--) {
      const child = element.children[i];
      if (child instanceof HtmlElement) stack.push(child);
    }
  }
  return undefined;
}

/** All text inside, as it stands in the source. */
export function textOf(root: HtmlNode): string {
  if (root instanceof HtmlText) return root.value;
  if (root.children.length === 1 && root.children[0] instanceof HtmlText) return root.children[0].value;
  let text = '';
  const stack: HtmlNode[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node instanceof HtmlText) text += node.value;
    else for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!);
  }
  return text;
}

/** All text inside with white space folded to single spaces. */
export function squashedText(root: HtmlNode): string {
  return squash(textOf(root));
}

// Most text has single spaces only and is used as it is.
const NEEDS_FOLDING = /^\s|\s$|[^\S ]| {2}/;

/** Folds white space, no-break spaces included, to single spaces and trims. */
export function squash(text: string): string {
  return NEEDS_FOLDING.test(text) ? text.replace(/\s+/g, ' ').trim() : text;
}
