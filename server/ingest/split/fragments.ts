import type { Block } from '../document.ts';
import { cutCode } from './cut-code.ts';
import { cutContainer } from './cut-container.ts';
import { cutText } from './cut-text.ts';
import { withClosedFence } from './fences.ts';
import { type Cut, fragmentTokensMax, snippetTokensAim, wholeBlockTokensMax, wholeCodeTokensMax } from './limits.ts';
import { countTokens, tokensOfEmptyLine } from './tokens.ts';

/** A whole block or a part of one; snippets are packed from fragments. */
export interface Fragment extends Cut {
  /** Index of the block in its document. */
  block: number;
  type: Block['type'];
  isWhole: boolean;
  /** Tokens of the frame alone, which are saved if two parts of one block are adjacent. */
  frameTokens: number;
}

/** Returns the block as Markdown, with heading marks added. */
export function blockText(block: Block): string {
  if (block.type !== 'heading') return withClosedFence(block.markdown);
  return `${'#'.repeat(Math.min(Math.max(block.depth ?? 1, 1), 6))} ${block.markdown}`;
}

export function wholeFragment(block: Block, index: number, tokens: number): Fragment {
  const body = blockText(block);
  return {
    block: index,
    type: block.type,
    isWhole: true,
    open: '',
    body,
    close: '',
    joiner: '',
    tokens,
    frameTokens: 0,
  };
}

/** Cuts the block into fragments within the size limit; a short block stays whole. */
export function fragmentsOf(block: Block, index: number, tokens: number): Fragment[] {
  const wholeMax = block.type === 'code' ? wholeCodeTokensMax : wholeBlockTokensMax;
  if (tokens <= wholeMax) return [wholeFragment(block, index, tokens)];
  let frame = '';
  let frameTokens = 0;
  return cutsOf(block).map((cut) => {
    // Most parts of a block have the same frame.
    if (cut.open + cut.close !== frame) {
      frame = cut.open + cut.close;
      frameTokens = countTokens(frame);
    }
    return { ...cut, block: index, type: block.type, isWhole: false, frameTokens: frame === '' ? 0 : frameTokens };
  });
}

function cutsOf(block: Block): Cut[] {
  switch (block.type) {
    case 'code':
      return cutCode(blockText(block));
    case 'table':
      return cutTable(block.markdown);
    case 'list':
    case 'quote':
    case 'admonition':
      return cutContainer(blockText(block));
    case 'heading':
    case 'term':
    case 'paragraph':
      return cutText(blockText(block), fragmentTokensMax);
  }
}

/**
 * Returns the text of consecutive fragments: parts of one block are rejoined, blocks are separated by an empty line.
 */
export function render(fragments: readonly Fragment[]): string {
  const parts: string[] = [];
  let previous: Fragment | undefined;
  for (const fragment of fragments) {
    if (previous?.block === fragment.block) parts.push(fragment.joiner, fragment.body);
    else {
      if (previous) parts.push(previous.close, '\n\n');
      parts.push(fragment.open, fragment.body);
    }
    previous = fragment;
  }
  if (previous) parts.push(previous.close);
  return parts.join('');
}

/** Returns the exact token count of rendered fragments without counting whole blocks again. */
export function renderedTokens(fragments: readonly Fragment[], text: string): number {
  let tokens = 0;
  for (const [index, fragment] of fragments.entries()) {
    const previous = fragments[index - 1];
    const between = previous ? tokensOfEmptyLine(previous.body, fragment.body) : 0;
    if (!fragment.isWhole || between === undefined) return countTokens(text);
    tokens += fragment.tokens + between;
  }
  return tokens;
}

/** Returns an upper bound for the tokens that `fragment` adds to a snippet ending with `previous`. */
export function addedTokens(fragment: Fragment, previous: Fragment | undefined): number {
  if (previous === undefined) return fragment.tokens;
  return 1 + fragment.tokens - (previous.block === fragment.block ? fragment.frameTokens : 0);
}

/** A longer header is not repeated, because it would fill the snippets in place of the rows. */
const repeatedHeaderTokensMax = 120;

/** A row's first cell with its pipes. */
const firstCell = /^\|(?:[^|\\]|\\.){0,80}\|/;

/**
 * Cuts a GFM table between rows; every part starts with the header. A row too long for a snippet is cut as text; each
 * later part of it repeats the row's first cell, which names the subject.
 */
function cutTable(markdown: string): Cut[] {
  const lines = markdown.split('\n');
  const header = lines.slice(0, 2).join('\n');
  const headerTokens = countTokens(header);
  const isRepeated = lines.length > 2 && headerTokens <= repeatedHeaderTokensMax;
  const open = isRepeated ? `${header}\n` : '';
  const rows = isRepeated ? lines.slice(2) : lines;
  return rows.flatMap((row) => cutRow(row, open, isRepeated ? headerTokens + 1 : 0));
}

function cutRow(row: string, open: string, openTokens: number): Cut[] {
  const rowTokens = countTokens(row);
  if (rowTokens <= snippetTokensAim)
    return [{ open, body: row, close: '', joiner: '\n', tokens: rowTokens + openTokens }];
  const cell = firstCell.exec(row)?.[0] ?? '|';
  const cuts = cutText(row, fragmentTokensMax);
  return cuts.map((cut, index) => {
    const before = index === 0 ? '' : `${cell} `;
    const close = index === cuts.length - 1 ? '' : ' |';
    const tokens = openTokens + countTokens(before + cut.body + close);
    return { ...cut, open: open + before, close, joiner: index === 0 ? '\n' : cut.joiner, tokens };
  });
}
