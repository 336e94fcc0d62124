import type { Block } from '../document.ts';
import { blockText, type Fragment, fragmentsOf, wholeFragment } from './fragments.ts';
import {
  bareIntroTokens,
  mergedTokensMax,
  smallRestTokens,
  smallSectionTokens,
  smallTermTokens,
  snippetTokensAim,
  snippetTokensMax,
} from './limits.ts';
import { packSection, tokensMax } from './pack.ts';
import type { Section } from './sections.ts';
import { countTokens } from './tokens.ts';

/** The content of one snippet. */
export interface Piece {
  fragments: Fragment[];
  tokens: number;
  /** Index of the first section with content in this piece. */
  section: number;
  /** Index of the first section with more than its heading or term in this piece; `section` if there is none. */
  mainSection: number;
  /** True if all its parts are small enough to share a snippet with neighbours. */
  isSmall: boolean;
  /** True if it has only headings and terms without a body. */
  isBare: boolean;
  /** True if its content must not share a snippet with anything that follows. */
  isAlone: boolean;
  /** Index of the last section with content in this piece. */
  lastSection: number;
}

/**
 * Cuts a document into pieces: whole sections if they fit, otherwise parts of a section; small neighbours are merged.
 */
export function piecesOf(blocks: readonly Block[], sections: readonly Section[]): Piece[] {
  const tokens = blocks.map((block) => (block.markdown.trim() === '' ? 0 : countTokens(blockText(block))));
  const sums = subtreeTokens(sections, tokens);
  const hasEntries = sectionsWithEntries(blocks, sections, sums);
  const pieces: Piece[] = [];
  let index = 0;
  while (index < sections.length) {
    const section = sections[index] as Section;
    const isWhole = (sums[index] as number) <= snippetTokensAim && !hasEntries[index];
    const end = isWhole ? section.end : section.ownEnd;
    for (const piece of sectionPieces(blocks, tokens, index, section, end)) {
      if (isWhole) settleWhole(piece, sections, index);
      if (blocks[section.start]?.isAlone) keepAlone(piece, section);
      addPiece(pieces, piece, sections);
    }
    index = isWhole ? section.next : index + 1;
  }
  return withoutEmptyHeadings(pieces);
}

const isEmptyHeading = ({ isAlone, fragments }: Piece): boolean =>
  !isAlone && fragments.every(({ type }) => type === 'heading');

/** Puts headings that nothing follows at the end of the piece before, if they fit. */
function withoutEmptyHeadings(pieces: readonly Piece[]): Piece[] {
  const kept: Piece[] = [];
  for (const piece of pieces) {
    const last = kept.at(-1);
    const isFitting = last && !last.isAlone && last.tokens + piece.tokens <= snippetTokensMax;
    if (isFitting && isEmptyHeading(piece) && !isEmptyHeading(last)) {
      last.fragments.push(...piece.fragments);
      last.tokens += piece.tokens;
    } else kept.push(piece);
  }
  return kept;
}

function sectionPieces(
  blocks: readonly Block[],
  tokens: readonly number[],
  index: number,
  section: Section,
  end: number,
): Piece[] {
  const whole: Fragment[] = [];
  let sum = 0;
  for (let at = section.start; at < end; at++) {
    const block = blocks[at] as Block;
    if (block.markdown.trim() === '') continue;
    whole.push(wholeFragment(block, at, tokens[at] as number));
    sum += (tokens[at] as number) + 1;
  }
  if (whole.length === 0) return [];
  const isAloneAndFits = blocks[section.start]?.isAlone === true && sum <= snippetTokensMax;
  if (sum <= snippetTokensAim + whole.length || isAloneAndFits) return [piece(whole, sum, index, section)];
  const fragments = whole.flatMap((one) => fragmentsOf(blocks[one.block] as Block, one.block, one.tokens));
  return packSection(fragments).map((part) =>
    piece(
      part,
      part.reduce((total, one) => total + one.tokens + 1, 0),
      index,
      section,
    ),
  );
}

function piece(fragments: Fragment[], tokens: number, index: number, section: Section): Piece {
  const isBare = fragments.every((one) => one.type === 'heading' || one.type === 'term');
  const isSmall = tokens < smallBelow(section);
  return { fragments, tokens, section: index, mainSection: index, lastSection: index, isSmall, isBare, isAlone: false };
}

/**
 * Marks a piece as standalone. A heading may still be joined with the first thing it introduces; a term without a body
 * is complete.
 */
function keepAlone(alone: Piece, section: Section): void {
  alone.isAlone = true;
  alone.isSmall = false;
  if (section.kind === 'term') alone.isBare = false;
}

/** Sets the section range of a piece that contains a section and all its subsections. */
function settleWhole(whole: Piece, sections: readonly Section[], index: number): void {
  whole.lastSection = index;
  const main = whole.fragments.find((one) => one.type !== 'heading' && one.type !== 'term');
  if (!main) return;
  while (whole.mainSection + 1 < sections.length) {
    const next = sections[whole.mainSection + 1] as Section;
    if (next.start > main.block || next.parent < index) break;
    whole.mainSection++;
  }
}

function smallBelow(section: Section): number {
  if (section.kind === 'heading') return smallSectionTokens;
  return section.kind === 'term' ? smallTermTokens : smallRestTokens;
}

function addPiece(pieces: Piece[], next: Piece, sections: readonly Section[]): void {
  const previous = pieces.at(-1);
  const isFitting = previous && (isMerged(previous, next, sections) || isPageLead(pieces, next, sections));
  if (!isFitting) {
    pieces.push(next);
    return;
  }
  if (previous.isBare || isPageLead(pieces, next, sections)) previous.mainSection = next.mainSection;
  for (const fragment of next.fragments) previous.fragments.push(fragment);
  previous.tokens += next.tokens;
  previous.isSmall = previous.isSmall && next.isSmall;
  previous.isBare = previous.isBare && next.isBare;
  previous.isAlone = previous.isAlone || next.isAlone;
  previous.lastSection = next.lastSection;
}

/** Returns true for a page that starts with its title and one line, followed by its first real section. */
function isPageLead(pieces: readonly Piece[], next: Piece, sections: readonly Section[]): boolean {
  const [lead] = pieces;
  if (pieces.length !== 1 || !lead || lead.isAlone || lead.tokens >= bareIntroTokens) return false;
  return sections[next.section]?.kind === 'heading' && lead.tokens + next.tokens <= snippetTokensAim;
}

function isMerged(previous: Piece, next: Piece, sections: readonly Section[]): boolean {
  const sum = previous.tokens + next.tokens;
  const before = sections[previous.lastSection] as Section;
  const after = sections[next.section] as Section;
  const isIntroduced = after.parent === previous.lastSection;
  const isSibling = after.parent === before.parent || after.parent === (sections[previous.section] as Section).parent;
  if (previous.isBare && (isIntroduced || (isSibling && after.kind === 'term'))) {
    return sum <= Math.max(snippetTokensMax, ...next.fragments.map(tokensMax));
  }
  if (isIntroduced && previous.tokens < bareIntroTokens && after.kind === 'heading') return sum <= snippetTokensAim;
  if ((isSibling || isIntroduced) && isAnnouncement(previous) && !previous.isAlone && !next.isAlone) {
    return sum <= snippetTokensAim;
  }
  return (isSibling || isIntroduced) && previous.isSmall && next.isSmall && sum <= mergedTokensMax;
}

/** Returns true if the piece ends with a line such as "These values are known:" that introduces the next one. */
function isAnnouncement({ fragments }: Piece): boolean {
  const last = fragments.at(-1);
  return last?.type === 'paragraph' && /:\**$/.test(last.body);
}

/** Returns the tokens of each section including its subsections. */
function subtreeTokens(sections: readonly Section[], tokens: readonly number[]): number[] {
  const sums = sections.map((section) => {
    let sum = 0;
    for (let at = section.start; at < section.ownEnd; at++) sum += (tokens[at] as number) + 1;
    return sum;
  });
  addToParents(sections, (index, parent) => {
    sums[parent] = (sums[parent] as number) + (sums[index] as number);
  });
  return sums;
}

/**
 * For each section, true if it contains a term of substantial size or a standalone block, which become separate
 * snippets.
 */
function sectionsWithEntries(
  blocks: readonly Block[],
  sections: readonly Section[],
  sums: readonly number[],
): boolean[] {
  const has = sections.map(() => false);
  addToParents(sections, (index, parent) => {
    const { kind, start } = sections[index] as Section;
    const isEntry = (kind === 'term' && (sums[index] as number) >= smallTermTokens) || blocks[start]?.isAlone === true;
    if (isEntry || has[index]) has[parent] = true;
  });
  return has;
}

function addToParents(sections: readonly Section[], add: (index: number, parent: number) => void): void {
  for (let index = sections.length - 1; index > 0; index--) {
    const { parent } = sections[index] as Section;
    if (parent >= 0) add(index, parent);
  }
}
