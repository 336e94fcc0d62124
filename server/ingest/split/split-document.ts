import { hash } from 'node:crypto';
import { textAnchor } from '#contract/anchor.ts';
import type { Snippet, SnippetKind, SnippetSection } from '../../engine/types.ts';
import type { Block, ExtractedDocument, Place } from '../document.ts';
import { withDeclaredName } from './declared-name.ts';
import { type Fragment, render, renderedTokens } from './fragments.ts';
import { type Piece, piecesOf } from './pieces.ts';
import { plainText } from './plain-inline.ts';
import { headingPath, type Section, sectionsOf } from './sections.ts';
import { shortenLinks } from './shorten-links.ts';

/** 128 bits: two of a billion snippets share an id once in 10^20 installations. */
const idChars = 32;

/**
 * Cuts a document into snippets of 250 to 400 tokens where its sections allow: a whole section where it fits, else parts of one.
 * Nothing is left out and the order is kept; fences and table headers are repeated where a block had to be cut. No snippet is
 * above 600 tokens, or 1,200 when it holds a whole code block. Links within the page's own site are reduced to their text. Same input, same snippets, same ids. Linear in the input.
 */
export function splitDocument(doc: ExtractedDocument, page: { url: string; title?: string }): Snippet[] {
  const blocks = doc.blocks.map((block, at, all) => withDeclaredName(shortenLinks(block, page.url), all[at + 1]));
  const sections = sectionsOf(blocks, page.title ?? doc.title);
  const anchors = anchorsOf(blocks, sections);
  const seen = new Map<string, number>();
  const starts = startsOf(sections);
  const pieces = piecesOf(blocks, sections);
  const { places, pages } = placesIn(pieces, blocks);
  return pieces.map((piece) => {
    const text = render(piece.fragments);
    const turned = pages.get(piece.fragments[0] as Fragment);
    const anchor = turned ?? anchorOf(piece, sections, anchors);
    const key = `${page.url}\0${anchor}\0${text}`;
    const ordinal = seen.get(key) ?? 0;
    seen.set(key, ordinal + 1);
    return {
      id: hash('sha256', `${key}\0${ordinal}`, 'hex').slice(0, idChars),
      anchor,
      headingPath: pathOf(piece, sections),
      kind: kindOf(piece, blocks, sections),
      identifiers: identifiersOf(piece, blocks),
      text,
      tokens: renderedTokens(piece.fragments, text),
      ...sharedBy({ piece, anchor, page: turned, anchors, places }, blocks, sections, starts),
    };
  });
}

/** The section that begins with a block. */
function startsOf(sections: readonly Section[]): Map<number, number> {
  return new Map(
    sections.flatMap(({ kind, start }, index) =>
      kind === 'heading' || kind === 'term' ? [[start, index] as const] : [],
    ),
  );
}

interface AddressedPiece {
  piece: Piece;
  anchor: string;
  /** The page on which it begins, where that is another than the page of its block. */
  page: string | undefined;
  anchors: readonly string[];
  places: ReadonlyMap<Fragment, string[]>;
}

/**
 * The sections that share a snippet, so that each is found by its own anchor, and the ids within their texts. A term that is
 * called by its anchor is found by its name without that.
 */
function sharedBy(
  { piece, anchor: main, page, anchors, places }: AddressedPiece,
  blocks: readonly Block[],
  sections: readonly Section[],
  starts: ReadonlyMap<number, number>,
): Pick<Snippet, 'sections' | 'places'> {
  const shared: SnippetSection[] = [];
  const known = new Set(['']);
  const within: string[] = [];
  let current: SnippetSection | undefined;
  const begin = (anchor: string, index: number, isTerm: boolean, aliases: readonly string[] = []) => {
    current = {
      anchor,
      headingPath: headingPath(sections, index, isTerm),
      tokens: 0,
      ...(isTerm && { isEntry: true }),
      ...(aliases.length > 0 && { aliases: [...aliases] }),
    };
    shared.push(current);
    for (const id of [anchor, ...aliases]) known.add(id);
  };
  const name = (id: string) => {
    const { headingPath: path, isEntry } = current as SnippetSection;
    if (known.has(id)) return;
    known.add(id);
    shared.push({ anchor: id, headingPath: path, tokens: 0, ...(isEntry && { isEntry }) });
  };
  for (const [at, fragment] of piece.fragments.entries()) {
    const { anchor = '', aliases, identifiers = [], type } = blocks[fragment.block] as Block;
    const isTerm = type === 'term';
    const index = starts.get(fragment.block);
    if (at === 0)
      begin(page ?? (anchors[fragment.block] as string), piece.section, isTerm, index === undefined ? [] : aliases);
    else if (index !== undefined && (!isTerm || (anchor !== '' && !identifiers.includes(anchor)))) {
      begin(anchor, index, isTerm, aliases);
    } else if (isTerm) for (const id of aliases ?? []) within.push(id);
    if (index === undefined && (at > 0 || page === undefined)) name(anchor);
    for (const id of places.get(fragment) ?? []) within.push(id);
    if (current !== undefined) (current as SnippetSection).tokens += fragment.tokens;
  }
  const isShared = shared.length > 1 || shared[0]?.anchor !== main || shared[0].aliases !== undefined;
  const unnamed = [...new Set(within)].filter((id) => !known.has(id)).slice(0, placesMax);
  return { ...(isShared && { sections: shared }), ...(unnamed.length > 0 && { places: unnamed }) };
}

/** Far more ids than stand in a passage that someone wrote. */
const placesMax = 500;

/** What stands within the pieces of a document. */
interface PlacesWithin {
  /** The ids within each fragment. */
  places: Map<Fragment, string[]>;
  /** The page on which a later stretch of a block begins, where that is another than the page of the block. */
  pages: Map<Fragment, string>;
}

const pageAnchor = /^page=\d+$/;

/** The ids of a block that was cut belong to the stretch that has their line. */
function placesIn(pieces: readonly Piece[], blocks: readonly Block[]): PlacesWithin {
  const found = new Map<Fragment, string[]>();
  const pages = new Map<Fragment, string>();
  const fragments = pieces.flatMap((piece) => piece.fragments);
  let line = 0;
  let at = 0;
  let page: string | undefined;
  for (const [index, fragment] of fragments.entries()) {
    const { aliases = [], places = [], type } = blocks[fragment.block] as Block;
    const isFirst = fragments[index - 1]?.block !== fragment.block;
    const isLast = fragments[index + 1]?.block !== fragment.block;
    if (isFirst) [at, page] = [0, undefined];
    const isNamed = type === 'heading' || type === 'term';
    const ids = isFirst && !isNamed ? [...aliases] : [];
    line = isFirst ? linesOf(fragment.open) : line + linesOf(fragment.joiner);
    const start = line;
    let first = page;
    line += linesOf(fragment.body);
    for (; at < places.length && (isLast || (places[at] as Place).line <= line); at++) {
      const place = places[at] as Place;
      if (ids.length < placesMax) ids.push(place.id);
      if (pageAnchor.test(place.id)) page = place.id;
      if (place.line <= start) first = page;
    }
    if (ids.length > 0) found.set(fragment, ids);
    if (first !== undefined && !isFirst) pages.set(fragment, first);
  }
  return { places: found, pages };
}

const linesOf = (text: string): number => text.split('\n').length - 1;

/**
 * For each block the anchor that leads to it: the nearest at or before it. A term without one, and what stands under it, is
 * reached by its text (https://wicg.github.io/scroll-to-text-fragment/), so that entries of a list share no address.
 */
function anchorsOf(blocks: readonly Block[], sections: readonly Section[]): string[] {
  const anchors = blocks.map(() => '');
  const taken = new Set<string>();
  const inForce: (string | undefined)[] = [];
  let nearest = '';
  for (const { kind, start, ownEnd, parent, label } of sections) {
    let text = kind === 'heading' ? undefined : inForce[parent];
    // What follows the entries of a list belongs to what they belong to, not to the last of them.
    if (kind === 'rest') text = anchors[(sections[parent] as Section).start];
    if (kind === 'term') text = entryAnchor(nearest, [label, plainText((blocks[start] as Block).markdown)], taken);
    for (let at = start; at < ownEnd; at++) {
      const anchor = anchorFrom(blocks[at] as Block, text ?? nearest);
      if (anchor !== undefined) {
        nearest = anchor;
        text = undefined;
      }
      anchors[at] = text ?? nearest;
    }
    inForce.push(text);
  }
  return anchors;
}

/** Marks that lead from an index to a word, and ids that change with each build. */
const mark = /^(?:index|idx)[-:_]|^idm?[-_]?\d+$/i;

/** The anchor from this block on, if it is another than the one before. A mark is one only where there is no other. */
function anchorFrom({ anchor, aliases, type }: Block, before: string): string | undefined {
  if (type === 'heading' || type === 'term') return anchor;
  if (before === '') return anchor ?? aliases?.[0];
  return anchor !== undefined && mark.test(anchor) ? undefined : anchor;
}

/** Enough to tell one entry of a page from another. */
const entryAnchorCharsMax = 60;

/** The first of the texts that no entry of the page goes by yet, else the first. */
function entryAnchor(nearest: string, texts: string[], taken: Set<string>): string | undefined {
  const all = texts.map((text) => {
    const words = text.length > entryAnchorCharsMax ? text.slice(0, entryAnchorCharsMax).replace(/\s\S*$/, '') : text;
    return words === '' ? undefined : textAnchor(nearest, words.toWellFormed());
  });
  const free = all.find((anchor) => anchor !== undefined && !taken.has(anchor)) ?? all[0];
  if (free !== undefined) taken.add(free);
  return free;
}

/** The anchor of a piece is that of its first entry, where it begins with the heading above it. */
function anchorOf(piece: Piece, sections: readonly Section[], anchors: readonly string[]): string {
  const { block } = piece.fragments[0] as Fragment;
  const main = sections[piece.mainSection] as Section;
  return anchors[main.kind === 'term' && main.start >= block ? main.start : block] as string;
}

/** A term at the start of its own snippet is in the text and among the identifiers; in later parts the path has to say it. */
function pathOf(piece: Piece, sections: readonly Section[]): string[] {
  const main = sections[piece.mainSection] as Section;
  const startsWithTerm = main.kind === 'term' && main.start >= (piece.fragments[0] as Fragment).block;
  return headingPath(sections, piece.mainSection, startsWithTerm);
}

function kindOf(piece: Piece, blocks: readonly Block[], sections: readonly Section[]): SnippetKind {
  if (isApiSection(sections, piece.mainSection, blocks)) return 'api';
  let code = 0;
  let table = 0;
  let all = 0;
  for (const fragment of piece.fragments) {
    all += fragment.tokens;
    if (fragment.type === 'code') code += fragment.tokens;
    else if (fragment.type === 'table') table += fragment.tokens;
  }
  if (code * 2 >= all) return 'code';
  return table * 2 >= all ? 'table' : 'prose';
}

/** How far up a term is looked for; deeper nesting does not occur in documentation. */
const ancestorsMax = 8;

/** Under a term with a name, or a heading that is little more than the name it defines. */
function isApiSection(sections: readonly Section[], index: number, blocks: readonly Block[]): boolean {
  const section = sections[index] as Section;
  if (section.kind === 'heading') return isNameHeading(blocks[section.start] as Block);
  let at = index;
  for (let steps = 0; at >= 0 && steps < ancestorsMax; steps++) {
    const { kind, start, parent } = sections[at] as Section;
    if (kind === 'term' && (blocks[start]?.identifiers?.length ?? 0) > 0) return true;
    if (kind === 'heading') return false;
    at = parent;
  }
  return false;
}

function isNameHeading(block: Block): boolean {
  const names = block.identifiers ?? [];
  const isCode = block.markdown.includes('`') || names.some((name) => /[._:()<>$/-]|[a-z][A-Z]/.test(name));
  if (names.length === 0 || !isCode) return false;
  const words = plainText(block.markdown.slice(0, 500)).replace(/\([^)]*\)/g, '');
  return names.join('').length * 2 >= words.replace(/\s/g, '').length;
}

function identifiersOf(piece: Piece, blocks: readonly Block[]): string[] {
  const names = new Set<string>();
  for (const fragment of piece.fragments) {
    if (fragment.type !== 'heading' && fragment.type !== 'term') continue;
    for (const name of (blocks[fragment.block] as Block).identifiers ?? []) names.add(name);
  }
  return [...names];
}
