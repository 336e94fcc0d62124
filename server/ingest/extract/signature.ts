import type { Block } from '../document.ts';
import { codeBlockOf } from './code-block.ts';
import { newTerm } from './definition-list.ts';
import { ownAnchor } from './heading.ts';
import { childElements, elementBefore, findElement, type HtmlElement, HtmlText, squash } from './html-tree.ts';
import { identifiersOf } from './identifiers.ts';
import { codeText, plainText } from './inline.ts';
import { codeSpan } from './markdown-text.ts';
import { idsIn, type Walk } from './walk.ts';

/** Declarations that generators lay out with spans or tables instead of `pre`. */
const PROTOTYPE_CLASSES = new Set('memproto member-signature type-signature methodSignature tsd-signature'.split(' '));

/** Text of a declaration (javadoc, doxygen, DocBook) as a block of code; undefined for other elements. */
export function prototypeBlock(element: HtmlElement, walk: Walk): Block | undefined {
  const isSynopsis = element.hasClass('funcsynopsis');
  if (!isSynopsis && !element.classes.some((name) => PROTOTYPE_CLASSES.has(name))) return undefined;
  const text = isSynopsis ? synopsisText(element) : prototypeText(element);
  if (text === '') return undefined;
  return codeBlockOf(text, walk.anchors.take(ownAnchor(element), idsIn(element)), languageOf(element));
}

function languageOf(prototype: HtmlElement): string | undefined {
  if (prototype.hasClass('memproto') || prototype.hasClass('funcsynopsis')) return undefined;
  return prototype.hasClass('tsd-signature') ? 'typescript' : 'java';
}

/** DocBook's synopsis: what to include, then a paragraph or a table for each function. */
function synopsisText(element: HtmlElement): string {
  if (element.children.some((child) => child instanceof HtmlText && child.value.trim() !== ''))
    return prototypeText(element);
  const hasLines = (child: HtmlElement) => findElement(child, ({ name }) => name === 'pre') !== undefined;
  return childElements(element)
    .map((child) => (hasLines(child) ? codeText(child).trim() : prototypeText(child)))
    .filter(Boolean)
    .join('\n');
}

/** Layout tables put spaces around brackets and commas that no reader sees. */
function prototypeText(element: HtmlElement): string {
  return squash(codeText(element))
    .replace(/\(\s+/g, '(')
    .replace(/\s+([),;])/g, '$1')
    .replace(/(\w)\s+\(/g, '$1(');
}

/** A container whose first part is a declaration and whose rest describes it. */
const MEMBERS: ReadonlyMap<string, (element: HtmlElement) => HtmlElement | undefined> = new Map([
  // Haddock
  ['top', (element) => childElements(element).find((child) => child.name === 'p' && child.hasClass('src'))],
  // odoc; the cases of a type are a table after its name
  ['odoc-spec', specOf],
  // RDoc
  ['method-detail', (element) => childElements(element).find((child) => child.hasClass('method-heading'))],
  // Scaladoc 3
  ['documentableElement', (element) => findElement(element, (child) => child.hasClass('signature'))],
  // Doxygen before 1.8.14 had no heading above the declaration.
  [
    'memitem',
    (element) => (hasMemberHeading(element) ? undefined : findElement(element, (child) => child.hasClass('memproto'))),
  ],
]);

/** A declaration with its description as a term and its body; undefined for other elements. */
export function memberBlocks(element: HtmlElement, walk: Walk): Block[] | undefined {
  for (const name of element.classes) {
    const declaration = MEMBERS.get(name)?.(element);
    if (!declaration || declaration.textLength === 0) continue;
    const text = declaration.hasClass('memproto') ? prototypeText(declaration) : plainText(declaration);
    const anchor = ownAnchor(declaration) ?? declaration.parent?.id;
    const placed = { anchor, within: idsIn(declaration) };
    const named = declaration.name === 'code' ? (declaration.parent ?? declaration) : declaration;
    const term = newTerm(codeSpan(text), placed, identifiersOf(named, anchor, walk.subject), walk);
    declaration.isDropped = true;
    walk.termDepth++;
    const body = walk.blocksOf(element);
    walk.termDepth--;
    declaration.isDropped = false;
    term.span = body.length;
    return [term, ...body];
  }
  return undefined;
}

function specOf(element: HtmlElement): HtmlElement | undefined {
  const spec = childElements(element).find((child) => child.hasClass('spec'));
  return spec?.hasBlock ? childElements(spec).find(({ name }) => name === 'code') : spec;
}

function hasMemberHeading(element: HtmlElement): boolean {
  return elementBefore(element)?.hasClass('memtitle') ?? false;
}
