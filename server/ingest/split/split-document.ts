import { hash } from 'node:crypto';
import { textAnchor } from '#contract/anchor.ts';
import type { Snippet, SnippetKind, SnippetSection } from '../../engine/types.ts';
import type { Block, ExtractedDocument, Place } from '../document.ts';
import { type Fragment, render, renderedTokens } from './fragments.ts';
import { type Piece, piecesOf } from './pieces.ts';
import { plainText } from './plain-inline.ts';
import { headingPath, type Section, sectionsOf } from './sections.ts';
import { shortenLinks } from './shorten-links.ts';

/** 128 bits: two of a billion snippets share an id in one of 10^20 installations. */
const idChars = 32;

/**
 * Cuts a document into snippets of 250 to 400 tokens if its sections allow: a whole section if it fits, otherwise parts
 * of one. Nothing is omitted and the order is kept; fences and table headers are repeated if a block is cut. A snippet
 * has at most 600 tokens, or 1,200 with a whole code block. Links within the page's site are reduced to their text. The
 * same input gives the same snippets and ids. Linear in the input.
 */
export function splitDocument(doc: ExtractedDocument, page: { url: string; title?: string }): Snippet[] {
  let heading = '';
  const blocks = doc.blocks.map((block, at, all) => {
    if (block.type === 'heading') heading = block.markdown;
    return withDeclaredName(shortenLinks(block, page.url, heading), all[at + 1]);
  });
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

/** Maps each block that starts a section to that section. */
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
  /** The page on which the piece starts, if different from its block's page. */
  page: string | undefined;
  anchors: readonly string[];
  places: ReadonlyMap<Fragment, string[]>;
}

/**
 * Returns the sections in a shared snippet, so that each is found by its anchor, and the ids within their texts. A term
 * whose anchor equals its name needs no entry, because the name finds it.
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

/** Far more ids than an author puts in one passage. */
const placesMax = 500;

/** Ids and page breaks inside the pieces of a document. */
interface PlacesWithin {
  /** The ids in each fragment. */
  places: Map<Fragment, string[]>;
  /** The page on which a later part of a block starts, if different from the block's page. */
  pages: Map<Fragment, string>;
}

const pageAnchor = /^page=\d+$/;

/** Assigns the ids of a cut block to the part that contains their line. */
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
 * Returns the anchor that leads to each block: the nearest one at or before it. A term without an anchor and the blocks
 * under it get a text fragment (https://wicg.github.io/scroll-to-text-fragment/), so that list entries do not share an
 * address.
 */
function anchorsOf(blocks: readonly Block[], sections: readonly Section[]): string[] {
  const anchors = blocks.map(() => '');
  const taken = new Set<string>();
  const inForce: (string | undefined)[] = [];
  let nearest = '';
  for (const { kind, start, ownEnd, parent, label } of sections) {
    let text = kind === 'heading' ? undefined : inForce[parent];
    // Text after a list's entries belongs to the list's parent section, not to the last entry.
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

/** Index marks within a text, and generated ids that change with each build. */
const mark = /^(?:index|idx)[-:_]|^idm?[-_]?\d+$/i;

/**
 * Returns the anchor that applies from this block on, if it changes. An index mark counts only if there is no other
 * anchor.
 */
function anchorFrom({ anchor, aliases, type }: Block, before: string): string | undefined {
  if (type === 'heading' || type === 'term') return anchor;
  if (before === '') return anchor ?? aliases?.[0];
  return anchor !== undefined && mark.test(anchor) ? undefined : anchor;
}

/** Long enough to distinguish the entries of a page. */
const entryAnchorCharsMax = 60;

/** Returns a text anchor for the first text not used by another entry of the page, or for the first text. */
function entryAnchor(nearest: string, texts: string[], taken: Set<string>): string | undefined {
  const all = texts.map((text) => {
    const words = text.length > entryAnchorCharsMax ? text.slice(0, entryAnchorCharsMax).replace(/\s\S*$/, '') : text;
    return words === '' ? undefined : textAnchor(nearest, words.toWellFormed());
  });
  const free = all.find((anchor) => anchor !== undefined && !taken.has(anchor)) ?? all[0];
  if (free !== undefined) taken.add(free);
  return free;
}

/** Returns a piece's anchor: that of its first entry if only headings precede the entry. */
function anchorOf(piece: Piece, sections: readonly Section[], anchors: readonly string[]): string {
  const { block } = piece.fragments[0] as Fragment;
  const main = sections[piece.mainSection] as Section;
  return anchors[main.kind === 'term' && main.start >= block ? main.start : block] as string;
}

/** Returns the heading path. A term at the snippet's start is left out, because the text and identifiers contain it. */
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

/** How many ancestors to search for a term; documentation does not nest deeper. */
const ancestorsMax = 8;

/** Returns true under a term with a name, or a heading that is mostly the name it defines. */
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

const plainWord = /^`?(_*[A-Za-z]\w*)`?$/;
const commandLanguages = /^(?:sh|bash|zsh|shell|console|shellsession|powershell|text)$/;
const codeCharsMax = 400;

/**
 * Adds the identifier if a title is a single word that the code right below declares: `reader` above `protected Reader
 * reader`. Without such a declaration, the word could be prose.
 */
function withDeclaredName(block: Block, next: Block | undefined): Block {
  const isTitle = block.type === 'heading' || block.type === 'term';
  if (!isTitle || block.identifiers || next?.type !== 'code' || commandLanguages.test(next.language ?? ''))
    return block;
  const name = plainWord.exec(block.markdown.replaceAll('\\', ''))?.[1];
  const code = next.markdown.split('\n').slice(1, -1).join('\n').slice(0, codeCharsMax).trim();
  const isDeclared = name !== undefined && new RegExp(`(?:^|[\\s.*&:])${name}\\s*(?:[(<:=;[{]|$)`).test(code);
  return isDeclared ? { ...block, identifiers: [name] } : block;
}
