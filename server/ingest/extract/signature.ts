import type { Block } from '../document.ts';
import { codeBlockOf } from './code-block.ts';
import { newTerm } from './definition-list.ts';
import { ownAnchor } from './heading.ts';
import { childElements, elementBefore, findElement, HtmlElement, HtmlText, squash } from './html-tree.ts';
import { identifiersOf } from './identifiers.ts';
import { codeText, plainText } from './inline.ts';
import { codeSpan } from './markdown-text.ts';
import { idsIn, type Walk } from './walk.ts';

/** Classes of declarations laid out with spans or tables instead of `pre`. */
const PROTOTYPES: ReadonlyMap<string, string | undefined> = new Map([
  ['memproto', undefined],
  ['member-signature', 'java'],
  ['type-signature', 'java'],
  ['methodSignature', 'java'],
  ['tsd-signature', 'typescript'],
  // dartdoc
  ['multi-line-signature', 'dart'],
  // Scaladoc 3
  ['main-signature', 'scala'],
  // adrdox
  ['function-prototype', 'd'],
  ['aggregate-prototype', 'd'],
  // Natural Docs
  ['NDPrototype', undefined],
]);

/** Returns a declaration (javadoc, Doxygen, DocBook) as a code block; undefined for other elements. */
export function prototypeBlock(element: HtmlElement, walk: Walk): Block | undefined {
  const marked = element.classes.find((name) => PROTOTYPES.has(name));
  const isSynopsis = element.hasClass('funcsynopsis');
  if (!isSynopsis && marked === undefined && !isHighlighted(element)) return undefined;
  const text = isSynopsis ? synopsisText(element) : marked ? prototypeText(element) : squash(codeText(element));
  if (text === '') return undefined;
  const language = marked === undefined ? undefined : PROTOTYPES.get(marked);
  return codeBlockOf(text, walk.anchors.take(ownAnchor(element), idsIn(element)), language);
}

/** Returns true for highlighted code outside of a `pre`, as in Dokka's declarations. */
function isHighlighted(element: HtmlElement): boolean {
  return !element.hasBlock && childElements(element).some((child) => child.hasClass('token'));
}

/** Returns a DocBook synopsis: the includes, then a paragraph or table for each function. */
function synopsisText(element: HtmlElement): string {
  if (element.children.some((child) => child instanceof HtmlText && child.value.trim() !== ''))
    return prototypeText(element);
  const hasLines = (child: HtmlElement) => findElement(child, ({ name }) => name === 'pre') !== undefined;
  return childElements(element)
    .map((child) => (hasLines(child) ? codeText(child).trim() : prototypeText(child)))
    .filter(Boolean)
    .join('\n');
}

/** Returns the text without the invisible spaces that layout tables put around brackets and commas. */
function prototypeText(element: HtmlElement): string {
  return squash(codeText(element))
    .replace(/\(\s+/g, '(')
    .replace(/(?<!\s)\s+([),;])/g, '$1')
    .replace(/(\w)\s+\(/g, '$1(');
}

const pydoctorKinds =
  'function,method,classmethod,staticmethod,property,variable,classvariable,instancevariable,constant,attribute';

/** Classes of containers that start with a declaration, followed by its description. */
const MEMBERS: ReadonlyMap<string, (element: HtmlElement) => HtmlElement | undefined> = new Map([
  ...pydoctorKinds.split(',').map((kind): [string, typeof headerOf] => [`base${kind}`, headerOf]),
  // Haddock
  ['top', (element) => childElements(element).find((child) => child.name === 'p' && child.hasClass('src'))],
  // odoc; a type's cases are a table after its name
  ['odoc-spec', specOf],
  // Crystal
  ['entry-detail', (element) => childElements(element).find((child) => child.hasClass('signature'))],
  // documentation.js
  [
    'border-bottom',
    (element) =>
      childElements(element)
        .slice(0, 1)
        .find((child) => child.hasClass('toggle-sibling')),
  ],
  // sdoc
  ['method', (element) => childElements(element).find((child) => child.hasClass('method-title'))],
  // RDoc
  ['method-detail', (element) => childElements(element).find((child) => child.hasClass('method-heading'))],
  // Scaladoc 3
  ['documentableElement', (element) => findElement(element, (child) => child.hasClass('signature'))],
  // Dokka
  ['keyValue', (element) => childElements(element)[0]],
  // Doxygen before 1.8.14 had no heading above the declaration.
  [
    'memitem',
    (element) => (hasMemberHeading(element) ? undefined : findElement(element, (child) => child.hasClass('memproto'))),
  ],
]);

/** Returns a declaration and its description as a term and its body; undefined for other elements. */
export function memberBlocks(element: HtmlElement, walk: Walk): Block[] | undefined {
  for (const name of element.classes) {
    const declaration = MEMBERS.get(name)?.(element);
    if (!declaration || declaration.textLength === 0) continue;
    declaration.isDropped = true;
    const blocks = entryOf(declaration, element, walk);
    declaration.isDropped = false;
    return blocks;
  }
  return undefined;
}

function entryOf(declaration: HtmlElement, description: HtmlElement, walk: Walk): Block[] {
  const text = declaration.hasClass('memproto') ? prototypeText(declaration) : plainText(declaration);
  const anchor = ownAnchor(declaration) ?? declaration.parent?.id;
  const placed = { anchor, within: idsIn(declaration) };
  const named = declaration.name === 'code' ? (declaration.parent ?? declaration) : declaration;
  const names = identifiersOf(named, anchor, walk.subject);
  // A single word that links to its own page is a member's name; otherwise it is a parameter's.
  if (names.length === 0 && declaration.linkLength > 0 && /^[\p{L}_$][\w$]*$/u.test(text)) names.push(text);
  const term = newTerm(codeSpan(text), placed, names, walk);
  walk.termDepth++;
  const body = walk.blocksOf(description);
  walk.termDepth--;
  term.span = body.length;
  return [term, ...body];
}

const symbolOf = (item: HtmlElement): HtmlElement | undefined =>
  childElements(item).find((child) => child.hasClass('symbol'));

/**
 * Renders a list of members (Scaladoc 2), each with a declaration that ends at its symbol, then a description.
 * Undefined for other lists.
 */
export function memberListBlocks(list: HtmlElement, walk: Walk): Block[] | undefined {
  const items = childElements(list);
  if (items.length === 0 || !items.every(symbolOf)) return undefined;
  return items.flatMap((item) => {
    const end = symbolOf(item)!.position + 1;
    const declaration = new HtmlElement('span', '', [{ name: 'class', value: 'signature' }]);
    const description = new HtmlElement('div', '', []);
    declaration.children = item.children.slice(0, end);
    description.children = item.children.slice(end);
    return entryOf(declaration, description, walk);
  });
}

/** Returns pydoctor's line with a member's declaration. */
function headerOf(element: HtmlElement): HtmlElement | undefined {
  return childElements(element).find((child) => child.hasClass('functionHeader'));
}

function specOf(element: HtmlElement): HtmlElement | undefined {
  const spec = childElements(element).find((child) => child.hasClass('spec'));
  return spec?.hasBlock ? childElements(spec).find(({ name }) => name === 'code') : spec;
}

function hasMemberHeading(element: HtmlElement): boolean {
  return elementBefore(element)?.hasClass('memtitle') ?? false;
}
