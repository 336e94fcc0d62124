import type { HtmlElement } from './html-tree.ts';

/** Elements that start a new block. Unknown elements do so only if they contain one of these. */
const BLOCK_ELEMENTS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form ' +
    'frameset h1 h2 h3 h4 h5 h6 h7 h8 h9 header hgroup hr html legend li listing main menu nav ol optgroup p plaintext pre search ' +
    'section summary table caption tbody td tfoot th thead tr ul xmp'
  ).split(' '),
);

/** Returns true if elements of this name start a block. */
export function isBlockName(name: string): boolean {
  return BLOCK_ELEMENTS.has(name);
}

/** Returns true if the element is or contains a block and so cannot be part of a line of text. */
export function isBlock(element: HtmlElement): boolean {
  return element.hasBlock || BLOCK_ELEMENTS.has(element.name);
}

/**
 * Returns the depth, 1 to 6, of a heading element or `role=heading`; 0 for any other. ocamldoc writes `h7` and `div
 * class="h8"`.
 */
export function headingDepth(element: HtmlElement): number {
  const { name } = element;
  if (name.length === 2 && name.charCodeAt(0) === 0x68 /* h */) {
    const depth = name.charCodeAt(1) - 0x30;
    return depth >= 1 && depth <= 9 ? Math.min(depth + element.deeper, 6) : 0;
  }
  if (element.role === 'heading') return roleDepth(element);
  if (name !== 'div') return 0;
  if (element.className === 'CTitle') return NATURAL_DOCS_DEPTH;
  return isDoxygenTitle(element) ? 1 : /^h[7-9]$/.test(element.className) ? 6 : 0;
}

/** Depth of Natural Docs entry names, which are `div` elements. */
const NATURAL_DOCS_DEPTH = 3;

function roleDepth(element: HtmlElement): number {
  const level = Number(element.attribute('aria-level') ?? 2);
  return level >= 1 && level <= 6 ? Math.trunc(level) : 6;
}

/** Returns true for Doxygen's page title, which is a `div`; no other known generator does this. */
function isDoxygenTitle(element: HtmlElement): boolean {
  return element.className === 'title' && element.parent?.hasClass('headertitle') === true;
}
