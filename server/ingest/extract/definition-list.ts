import type { Block, Place } from '../document.ts';
import { headingDepth, isBlock } from './block-elements.ts';
import { ownAnchor } from './heading.ts';
import { childElements, findElement, HtmlElement, type HtmlNode, HtmlText } from './html-tree.ts';
import { identifiersOf } from './identifiers.ts';
import { plainText, renderInline } from './inline.ts';
import { codeSpan } from './markdown-text.ts';
import { idsIn, type Walk } from './walk.ts';

/** A term with all its names, and its description. */
interface Entry {
  terms: HtmlElement[];
  bodies: HtmlElement[];
}

// Names whose combined length exceeds this become separate terms.
const TERMS_LENGTH_MAX = 600;

/**
 * Returns a definition list as terms, each followed by its body. Alternative names (`-n`, `--dry-run`) share one term.
 * Footnote lists become paragraphs, tables of contents become lists.
 */
export function definitionListBlocks(list: HtmlElement, walk: Walk): Block[] {
  if (list.classes.some((name) => /^(footnote|citation|footnotes)$/.test(name))) return noteBlocks(list, walk);
  const entries = entriesOf(list);
  if (isContentsList(list, entries)) return contentsBlocks(entries, walk);
  return entries.flatMap((entry) => entryBlocks(entry, walk));
}

function entriesOf(list: HtmlElement): Entry[] {
  const entries: Entry[] = [];
  let current: Entry = { terms: [], bodies: [] };
  for (const part of partsOf(list)) {
    if (part.name === 'dt') {
      if (current.bodies.length > 0) {
        if (isContinued(part, current)) continue;
        entries.push(current);
        current = { terms: [], bodies: [] };
      }
      current.terms.push(part);
    } else if (part.name !== 'dd' && holdsHeading(part)) {
      // An unclosed list contains the sections that follow: a heading ends the term.
      entries.push(current, { terms: [], bodies: [part] });
      current = { terms: [], bodies: [] };
    } else {
      current.bodies.push(part);
    }
  }
  entries.push(current);
  return entries.filter(({ terms, bodies }) => terms.length + bodies.length > 0);
}

/** Returns true for an empty term, with which man2html starts another paragraph of the same entry. */
function isContinued(term: HtmlElement, { terms }: Entry): boolean {
  return terms.length > 0 && term.textLength === 0 && term.id === undefined && childElements(term).length === 0;
}

function holdsHeading(element: HtmlElement): boolean {
  return headingDepth(element) > 0 || findElement(element, (child) => headingDepth(child) > 0) !== undefined;
}

/** Returns terms and bodies in order; `div` groups are unwrapped, loose text and links are kept as a body. */
function partsOf(list: HtmlElement): HtmlElement[] {
  const parts: HtmlElement[] = [];
  let loose: HtmlElement | undefined;
  for (const child of list.children) {
    const isText = child instanceof HtmlText;
    if (isText && child.value.trim() === '' && loose === undefined) continue;
    if (isText || !isBlock(child)) {
      if (loose === undefined) parts.push((loose = new HtmlElement('dd', '', [])));
      loose.children.push(child);
      continue;
    }
    loose = undefined;
    if (child.name === 'div' && childElements(child).some(({ name }) => name === 'dt'))
      for (const part of childElements(child)) parts.push(part);
    else parts.push(child);
  }
  return parts;
}

function entryBlocks(entry: Entry, walk: Walk): Block[] {
  if (isSeveral(entry)) {
    const { terms, bodies } = entry;
    return terms.flatMap((term, at) =>
      entryBlocks({ terms: [term], bodies: at === terms.length - 1 ? bodies : [] }, walk),
    );
  }
  const term = termBlock(entry.terms, walk);
  const inner = termInner(entry.terms, walk);
  if (!term) return [...inner, ...entry.bodies.flatMap((body) => bodyBlocks(body, walk))];
  walk.termDepth++;
  const body = [...inner, ...entry.bodies.flatMap((part) => bodyBlocks(part, walk))];
  walk.termDepth--;
  term.span = body.length;
  return [term, ...body];
}

/**
 * Returns true if the terms are separate entries rather than alternative names: they have no body (as in odoc's lists
 * of a module's values) or are long together.
 */
function isSeveral({ terms, bodies }: Entry): boolean {
  if (terms.length < 2) return false;
  return bodies.length === 0 || terms.reduce((sum, { textLength }) => sum + textLength, 0) > TERMS_LENGTH_MAX;
}

function bodyBlocks(body: HtmlElement, walk: Walk): Block[] {
  if (body.name !== 'dd') return walk.blocksOfElement(body);
  walk.anchors.note(body.id);
  return walk.blocksOf(body);
}

/** Creates the term for one or more `dt` elements; undefined if they show nothing or contain only blocks. */
function termBlock(terms: readonly HtmlElement[], walk: Walk): Block | undefined {
  const names: string[] = [];
  const identifiers = new Set<string>();
  const within: string[] = [];
  let anchor: string | undefined;
  for (const element of terms) {
    const line = lineOf(element);
    const own = ownAnchor(element) ?? groupAnchor(element);
    anchor ??= own;
    if (own) within.push(own);
    for (const id of idsIn(element)) within.push(id);
    const markdown = termMarkdown(line, walk);
    if (markdown === '') continue;
    names.push(markdown);
    for (const name of identifiersOf(withoutClassifiers(line), own, walk.subject)) identifiers.add(name);
  }
  if (names.length === 0) {
    walk.anchors.note(anchor);
    return undefined;
  }
  return newTerm(names.join(', '), { anchor, within }, [...identifiers], walk);
}

/** Returns the id of a `div` around a term and its description. */
function groupAnchor(term: HtmlElement): string | undefined {
  const { parent } = term;
  if (parent?.name !== 'div' || parent.parent?.name !== 'dl') return undefined;
  return parent.children.find((child) => child instanceof HtmlElement) === term ? parent.id : undefined;
}

/** Returns a docutils term without its type, which is not part of the name. */
function withoutClassifiers(term: HtmlElement): HtmlElement {
  const children = term.children.filter((child) => !(child instanceof HtmlElement && child.hasClass('classifier')));
  if (children.length === term.children.length) return term;
  const named = new HtmlElement(term.name, term.namespace, term.attributes);
  named.children = children;
  return named;
}

/** Creates a term block at the current depth, with its span not set yet. Consumes the noted anchors. */
export function newTerm(
  markdown: string,
  { anchor, within }: { anchor: string | undefined; within: readonly string[] },
  identifiers: string[],
  walk: Walk,
): Block {
  return {
    type: 'term',
    markdown,
    depth: Math.min(walk.termDepth + 1, 6),
    span: 0,
    ...walk.anchors.take(anchor, within),
    ...(identifiers.length > 0 && { identifiers }),
  };
}

/** Returns the name part of a `dt`: all of it, or its first line if it contains blocks. */
function lineOf(term: HtmlElement): HtmlElement {
  if (!term.hasBlock) return term;
  const heading = findElement(term, (element) => headingDepth(element) > 0 && element.textLength > 0);
  if (heading) return heading;
  const isLine = (element: HtmlElement) => isBlock(element) && (!element.hasBlock || element.name === 'pre');
  return findElement(term, (element) => element.textLength > 0 && isLine(element)) ?? term;
}

/** Returns the blocks inside a `dt` other than its name. */
function termInner(terms: readonly HtmlElement[], walk: Walk): Block[] {
  return terms.flatMap((term) => {
    if (!term.hasBlock) return [];
    const line = lineOf(term);
    const blocks = walk.blocksOf(term);
    const name = renderInline(line.children, walk.addresses, { isPlain: true, isOneLine: true });
    return blocks.filter((block) => block.markdown !== name && block.type !== 'heading' && !isRepeat(block, name));
  });
}

const isRepeat = (block: Block, name: string): boolean =>
  block.type === 'paragraph' && block.markdown.replace(/[*\\]/g, '') === name.replace(/[*\\]/g, '');

function termMarkdown(element: HtmlElement, walk: Walk): string {
  if (isSignature(element)) return codeSpan(signatureText(element));
  const hasClassifier = findElement(element, (child) => child.hasClass('classifier'));
  if (hasClassifier) return classifiedMarkdown(element, walk);
  return inlineOf(element.children, walk).replace(/^:\s+/, '');
}

/** Renders a docutils `name : type`; the colon comes from the style sheet. */
function classifiedMarkdown(element: HtmlElement, walk: Walk): string {
  const before: HtmlNode[] = [];
  const classifiers: string[] = [];
  for (const child of element.children) {
    if (child instanceof HtmlElement && child.hasClass('classifier')) classifiers.push(inlineOf([child], walk));
    else before.push(child);
  }
  const name = inlineOf(before, walk).replace(/(?<!\s)\s*:$/, '');
  return [name, ...classifiers.filter(Boolean)].join(' : ');
}

const inlineOf = (nodes: readonly HtmlNode[], walk: Walk): string =>
  renderInline(nodes, walk.addresses, { isPlain: true, isOneLine: true });

/**
 * Returns true for API signatures, which are set as code: Sphinx marks them, other generators put the whole term in
 * code.
 */
function isSignature(element: HtmlElement): boolean {
  if (
    element.hasClass('sig') ||
    element.hasClass('signature') ||
    element.parent?.hasClass('function') ||
    isSphinxDomain(element.parent)
  )
    return true;
  const meaningful = element.children.filter((child) =>
    child instanceof HtmlText ? child.value.trim() !== '' : child.textLength > 0,
  );
  return (
    meaningful.length > 1 &&
    meaningful.every((child) => child instanceof HtmlElement && (child.name === 'code' || child.name === 'tt'))
  );
}

/** Returns true for a list with a domain and kind class, which Sphinx before version 4 uses instead of `sig`. */
function isSphinxDomain(list: HtmlElement | null): boolean {
  if (!list || list.name !== 'dl') return false;
  const [domain, kind] = list.classes;
  return (
    kind !== undefined && /^(py|c|cpp|js|rst|std|php|rb|go|http|rust|java)$/.test(domain ?? '') && kind !== 'glossary'
  );
}

function signatureText(element: HtmlElement): string {
  return plainText(element)
    .replace(/^:\s*/, '')
    .replace(/(?<!\s)\s+([,)\]])/g, '$1')
    .replace(/([([])\s+/g, '$1');
}

function noteBlocks(list: HtmlElement, walk: Walk): Block[] {
  return entriesOf(list).flatMap((entry) => {
    const label = entry.terms.map((term) => plainText(term).replace(/^\[?(.*?)\]?$/, '$1')).join(', ');
    for (const id of entry.terms.flatMap(idsIn)) walk.anchors.note(id);
    const blocks = entry.bodies.flatMap((body) => bodyBlocks(body, walk));
    const first = blocks[0];
    if (first?.type === 'paragraph') first.markdown = `[${label}] ${first.markdown}`;
    return blocks;
  });
}

/** Returns true if all terms are links without descriptions. */
function isContentsList(list: HtmlElement, entries: readonly Entry[]): boolean {
  if (list.textLength === 0 || list.linkLength < 0.7 * list.textLength) return false;
  if (entries.every(({ terms }) => terms.length === 0)) return false;
  return entries.every(({ bodies }) =>
    bodies.every((body) => childElements(body).every(({ name, textLength }) => name === 'dl' || textLength === 0)),
  );
}

function contentsBlocks(entries: readonly Entry[], walk: Walk): Block[] {
  const lines: string[] = [];
  const places: Place[] = [];
  collectLines(entries, 0, { lines, places }, walk);
  if (lines.length === 0) return [];
  return [{ type: 'list', markdown: lines.join('\n'), ...walk.anchors.take(), ...(places.length > 0 && { places }) }];
}

// Deeper entries are indented like this depth, so that indentation cannot grow with hostile nesting.
const INDENT_DEPTH_MAX = 8;

function collectLines(
  entries: readonly Entry[],
  depth: number,
  out: { lines: string[]; places: Place[] },
  walk: Walk,
): void {
  const indent = '  '.repeat(Math.min(depth, INDENT_DEPTH_MAX));
  for (const { terms, bodies } of entries) {
    for (const term of terms) {
      const markdown = renderInline(term.children, walk.addresses, { isOneLine: true });
      if (markdown === '') continue;
      for (const id of idsIn(term)) out.places.push({ id, line: out.lines.length });
      out.lines.push(`${indent}- ${markdown}`);
    }
    for (const body of bodies) {
      const inner = body.name === 'dl' ? [body] : childElements(body).filter(({ name }) => name === 'dl');
      for (const list of inner) collectLines(entriesOf(list), depth + 1, out, walk);
    }
  }
}
