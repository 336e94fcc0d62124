import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode;
export type Element = DefaultTreeAdapterTypes.Element;

// The reference reading of a page must not share code with the extractor that it evaluates, so it uses the parser's own
// tree.

/** Returns a parsed page's root element. */
export function parsePage(html: string): Element {
  const root = parse(html).childNodes.find((node): node is Element => 'tagName' in node);
  if (!root) throw new Error('the parser made no root element');
  return root;
}

export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((attr) => attr.name === name)?.value;
}

export function classes(element: Element): string[] {
  return (attribute(element, 'class') ?? '').split(/\s+/).filter(Boolean);
}

export function parentOf(element: Element): Element | undefined {
  const parent = element.parentNode;
  return parent && 'tagName' in parent ? parent : undefined;
}

/** Returns all descendant elements in document order, without recursion. */
export function descendants(root: Element): Element[] {
  const found: Element[] = [];
  const stack: Node[] = root.childNodes.toReversed();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!('tagName' in node)) continue;
    found.push(node);
    for (let i = node.childNodes.length - 1; i >= 0; i--) stack.push(node.childNodes[i]!);
  }
  return found;
}

/** Returns true if the element or one of its ancestors up to the root satisfies the test. */
export function isWithin(element: Element, test: (candidate: Element) => boolean): boolean {
  for (let node: Element | undefined = element; node; node = parentOf(node)) if (test(node)) return true;
  return false;
}

const UNSEEN = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'button',
  'svg',
  'select',
  'input',
  'textarea',
  'title',
]);

/** Returns the text as readable in the source, without the elements that `skip` matches; `br` becomes a line break. */
export function text(
  root: Element,
  skip: (element: Element) => boolean = () => false,
  hasOwnLines: (element: Element) => boolean = () => false,
): string {
  let out = '';
  let isAfterLines = false;
  const stack: (Node | 'end')[] = root.childNodes.toReversed();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node === 'end') isAfterLines = true;
    if (node === 'end') continue;
    if (node.nodeName === '#text') {
      const { value } = node as DefaultTreeAdapterTypes.TextNode;
      if (isAfterLines && !out.endsWith('\n') && !/^\s*\n/.test(value)) out += '\n';
      isAfterLines = false;
      out += value;
    }
    if (!('tagName' in node)) continue;
    if (node.tagName === 'br') out += '\n';
    if (UNSEEN.has(node.tagName) || skip(node)) continue;
    if (hasOwnLines(node) && !out.endsWith('\n')) out += '\n';
    if (hasOwnLines(node)) stack.push('end');
    for (let i = node.childNodes.length - 1; i >= 0; i--) stack.push(node.childNodes[i]!);
  }
  return out;
}

/**
 * Returns a test for a list of simple selectors separated by commas: `tag`, `.class`, `#id`, `[attr]`, `[attr=value]`
 * and their compounds, and `A B` for descendants.
 */
export function selector(list: string): (element: Element) => boolean {
  const alternatives = list
    .split(',')
    .map((part) => part.trim().split(/\s+/).filter(Boolean).map(compound))
    .filter((steps) => steps.length > 0);
  return (element) => alternatives.some((steps) => matchesSteps(element, steps));
}

function matchesSteps(element: Element, steps: readonly ((element: Element) => boolean)[]): boolean {
  if (!steps[steps.length - 1]!(element)) return false;
  let step = steps.length - 2;
  for (let node = parentOf(element); node && step >= 0; node = parentOf(node)) if (steps[step]!(node)) step--;
  return step < 0;
}

function compound(source: string): (element: Element) => boolean {
  const tests: ((element: Element) => boolean)[] = [];
  for (const [part] of source.matchAll(/[.#]?[\w-]+|\[[^\]]+\]|\*/g)) {
    if (part === '*') continue;
    if (part.startsWith('.')) tests.push((element) => classes(element).includes(part.slice(1)));
    else if (part.startsWith('#')) tests.push((element) => attribute(element, 'id') === part.slice(1));
    else if (part.startsWith('[')) {
      const [name, value] = part.slice(1, -1).split('=');
      tests.push((element) =>
        value === undefined ? attribute(element, name!) !== undefined : attribute(element, name!) === value,
      );
    } else tests.push((element) => element.tagName === part);
  }
  return (element) => tests.every((test) => test(element));
}
