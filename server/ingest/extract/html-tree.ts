/** An attribute as the parser returns it: name in lower case, value decoded. */
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

/** An element without the parser's comments, source positions and accessors. */
export class HtmlElement {
  readonly name: string;
  /** Namespace URI; distinguishes SVG and MathML from HTML. */
  readonly namespace: string;
  attributes: HtmlAttribute[];
  children: HtmlNode[] = [];
  parent: HtmlElement | null = null;
  /** Index in the parent's children. Set by `surveyPage`. */
  position = 0;
  /** Index among the page's visible elements in source order; -1 if invisible. Set by `surveyPage`. */
  order = -1;
  /** Order of the last visible descendant. Set by `surveyPage`. */
  endOrder = -1;
  /** Length of the text inside, without white space between elements. Set by `surveyPage`. */
  textLength = 0;
  /** The part of `textLength` inside links. Set by `surveyPage`. */
  linkLength = 0;
  /** True if it contains an element that starts a block. Set by `sweepTree`. */
  hasBlock = false;
  /** True if removed from the page. Set by `sweepTree`. */
  isDropped = false;
  /** Levels added to a heading's depth. Set by `nestOutlines`. */
  deeper = 0;
  /** The class attribute as written; empty if missing. */
  className = '';
  id: string | undefined = undefined;
  /** The ARIA role in lower case. */
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

  /** Returns an attribute's value; undefined if it is missing. */
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

/** Returns the child elements in order. */
export function childElements(element: HtmlElement): HtmlElement[] {
  return element.children.filter((child): child is HtmlElement => child instanceof HtmlElement);
}

// How far to look back for a neighbour; real neighbours have at most white space between them.
const NEIGHBOURS_MAX = 8;

/** Returns the element directly before, skipping empty and dropped ones; undefined if text stands between. */
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

/** Returns the first descendant (not the element itself) that passes the test, in document order. */
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

/** Returns all text inside, as written in the source. */
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

/** Returns all text inside with white space collapsed to single spaces. */
export function squashedText(root: HtmlNode): string {
  return squash(textOf(root));
}

// Most text only has single spaces and is used unchanged.
const NEEDS_FOLDING = /^\s|\s$|[^\S ]| {2}/;

/** Collapses white space, including no-break spaces, to single spaces and trims. */
export function squash(text: string): string {
  return NEEDS_FOLDING.test(text) ? text.replace(/\s+/g, ' ').trim() : text;
}
