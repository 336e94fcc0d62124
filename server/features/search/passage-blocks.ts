import { countTokens } from '#server/ingest/split/tokens.ts';

/**
 * A part of a passage that makes sense without its neighbours: a paragraph, a list item, a table row, a code block or,
 * of a long code block, a run of its lines.
 */
export interface PassageBlock {
  /** Markdown, without the lines in `frame`. */
  text: string;
  /** o200k_base tokens of `text` with its separator. */
  tokens: number;
  /** The text between the previous block and this one. */
  separator: string;
  /** The enclosing code fence or table head, for blocks that are part of a listing or table. */
  frame: BlockFrame | undefined;
  /** Index of the block that introduces this one: a heading, or a line such as "For example:". */
  introducedBy: number | undefined;
}

interface BlockFrame {
  /** Equal for all blocks of one listing or table. */
  id: number;
  open: string;
  close: string;
  /** Tokens of `open` and `close` together. */
  tokens: number;
}

/** Listings of more lines are split at blank lines and outer lines; shorter ones are one block. */
const codeLinesWhole = 12;
const introCharactersMax = 120;
const fenceLine = /^\s*(`{3,}|~{3,})/;
const headingLine = /^#{1,6} /;
const itemLine = /^(?:[-*+]|\d{1,3}[.)]) /;
const tableRule = /^\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*(?:\|\s*)?$/;

/** Splits a passage's Markdown into blocks, in reading order. All blocks in their frames together are the passage. */
export function blocksOf(text: string): PassageBlock[] {
  const blocks: PassageBlock[] = [];
  let frames = 0;
  let isAfterBlank = false;
  const add = (lines: string[], frame?: BlockFrame): void => {
    const separator = isAfterBlank ? '\n\n' : '\n';
    const body = lines.join('\n');
    blocks.push(blockOf(body, separator, frame, introductionOf(blocks, frame)));
    isAfterBlank = false;
  };
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as string;
    const fence = fenceLine.exec(line)?.[1];
    if (line.trim() === '') {
      isAfterBlank = true;
      at += 1;
    } else if (fence !== undefined) {
      const end = endOfFence(lines, at, fence);
      const isClosed = end < lines.length;
      const frame = frameOf(frames++, line, isClosed ? (lines[end] as string) : fence);
      for (const stretch of stretchesOf(lines.slice(at + 1, end))) add(stretch, frame);
      at = isClosed ? end + 1 : end;
    } else if (line.startsWith('|') && tableRule.test(lines[at + 1] ?? '')) {
      const frame = frameOf(frames++, `${line}\n${lines[at + 1]}`, '');
      const end = endOf(lines, at + 2, (next) => next.startsWith('|'));
      for (let row = at + 2; row < end; row += 1) add([lines[row] as string], frame);
      if (end === at + 2) add([line, lines[at + 1] as string]);
      at = end;
    } else {
      const end = headingLine.test(line) ? at + 1 : endOfBlock(lines, at);
      add(lines.slice(at, end));
      at = end;
    }
  }
  return blocks;
}

/**
 * Returns the index of the last block if it introduces the next one; it introduces all items of a listing, table or
 * list.
 */
function introductionOf(blocks: PassageBlock[], frame: BlockFrame | undefined): number | undefined {
  const last = blocks.at(-1);
  if (last === undefined) return undefined;
  if (frame !== undefined && last.frame?.id === frame.id) return last.introducedBy;
  const isItemOfList = frame === undefined && itemLine.test(last.text) && last.introducedBy !== undefined;
  if (isItemOfList && last.separator === '\n') return last.introducedBy;
  return isIntroduction(last) ? blocks.length - 1 : undefined;
}

/** Returns true if the block has content of its own: it is neither a heading nor an introduction to the next block. */
export function isBody(blocks: readonly PassageBlock[], at: number): boolean {
  const [block, next] = [blocks[at], blocks[at + 1]];
  if (block === undefined || isHeading(block)) return false;
  // A short line before a heading is the last line of its section, not an introduction.
  return next?.introducedBy !== at || isHeading(next);
}

/** Returns true for a heading; in a listing, `# install it` is a comment. */
export function isHeading({ text, frame }: PassageBlock): boolean {
  return frame === undefined && headingLine.test(text);
}

/** Returns for each block the first one of its listing, table or list; undefined for blocks outside of these. */
export function wholesOf(blocks: readonly PassageBlock[]): (number | undefined)[] {
  const wholes: (number | undefined)[] = [];
  const isItem = (block: PassageBlock | undefined) => block?.frame === undefined && itemLine.test(block?.text ?? '');
  for (const [at, block] of blocks.entries()) {
    const before = blocks[at - 1];
    const { frame } = block;
    const goesOn =
      frame === undefined
        ? isItem(block) && isItem(before) && block.separator === '\n'
        : before?.frame?.id === frame.id;
    wholes.push(goesOn ? wholes[at - 1] : frame !== undefined || isItem(block) ? at : undefined);
  }
  return wholes;
}

/** Returns true for headings, terms and lines that end in a colon: they introduce the next block. */
function isIntroduction(block: PassageBlock): boolean {
  const { text, frame } = block;
  if (frame !== undefined || text.startsWith('|')) return false;
  if (isHeading(block) || /:\**\s*$/.test(text)) return true;
  return text.length <= introCharactersMax && !text.includes('\n') && !/[.!?)]['"*_`]*\s*$/.test(text);
}

/** Creates a block; its tokens are counted lazily, since only cut passages need them. */
function blockOf(
  text: string,
  separator: string,
  frame: BlockFrame | undefined,
  introducedBy: number | undefined,
): PassageBlock {
  let tokens: number | undefined;
  return {
    text,
    get tokens() {
      tokens ??= countTokens(text) + 1;
      return tokens;
    },
    separator,
    frame,
    introducedBy,
  };
}

function frameOf(id: number, open: string, close: string): BlockFrame {
  let tokens: number | undefined;
  return {
    id,
    open,
    close,
    get tokens() {
      tokens ??= countTokens(open) + countTokens(close) + 2;
      return tokens;
    },
  };
}

function endOfFence(lines: string[], from: number, fence: string): number {
  return endOf(lines, from + 1, (line) => !(line.trim().startsWith(fence) && line.trim().length === fence.length));
}

function endOfBlock(lines: string[], from: number): number {
  const first = lines[from] as string;
  const isItem = itemLine.test(first);
  let end = from + 1;
  while (end < lines.length) {
    const line = lines[end] as string;
    const isDeeper = /^\s+\S/.test(line);
    if (line.trim() === '') {
      // A list item continues after a blank line if the next line is indented.
      if (!isItem || !/^\s+\S/.test(lines[end + 1] ?? '')) break;
    } else if (!isItem || !isDeeper) {
      if (itemLine.test(line) || headingLine.test(line) || fenceLine.test(line)) break;
      if (isItem && (lines[end - 1] as string).trim() === '') break;
    }
    end += 1;
  }
  return end;
}

function endOf(lines: string[], from: number, isInside: (line: string) => boolean): number {
  let end = from;
  while (end < lines.length && isInside(lines[end] as string)) end += 1;
  return end;
}

/** A line that only closes brackets opened earlier. */
const closingLine = /^[\s)\]}>,;]*$/;

/**
 * Splits a long listing into stretches: from one outer line after a blank line to the next. If brackets enclose the
 * whole listing, the outer lines are those inside.
 */
function stretchesOf(lines: string[]): string[][] {
  if (lines.length <= codeLinesWhole) return [lines];
  const indentOf = (line: string): number => line.search(/\S/);
  const inner = lines.slice(1).filter((line) => !closingLine.test(line));
  const outer = inner.reduce((least, line) => Math.min(least, indentOf(line)), Number.POSITIVE_INFINITY);
  const stretches: string[][] = [];
  for (const line of lines) {
    const last = stretches.at(-1);
    const isAfterBlank = last?.at(-1)?.trim() === '';
    const isLong = (last?.length ?? 0) >= codeLinesWhole;
    const isBorder = indentOf(line) <= outer ? isAfterBlank || isLong : isAfterBlank && isLong;
    if (last === undefined || (isBorder && !closingLine.test(line))) stretches.push([line]);
    else last.push(line);
  }
  return stretches;
}

/** The end of a sentence; list numbers and abbreviations do not end one. */
const sentenceEnd =
  /(?<=[.!?:;])(?<!^\s*(?:[-*+>]\s+)*\d{1,3}\.)(?<!\b(?:e\.g|i\.e|cf|vs)\.)(\s+)(?=[\p{L}\p{N}`*("'[])/u;

/** Splits blocks into the smallest parts that are ever shown alone: sentences, and lines of code. */
export function finer(blocks: readonly Omit<PassageBlock, 'tokens'>[]): PassageBlock[] {
  const parts: PassageBlock[] = [];
  const firstOf: number[] = [];
  for (const { text, frame, separator, introducedBy } of blocks) {
    firstOf.push(parts.length);
    const isCode = frame !== undefined && frame.close !== '';
    // Odd pieces are the white space between parts.
    const pieces = isCode ? text.split(/(\n)/) : frame === undefined ? text.split(sentenceEnd) : [text];
    const lead = introducedBy === undefined ? undefined : firstOf[introducedBy];
    for (let at = 0; at < pieces.length; at += 2) {
      const part = pieces[at] as string;
      const between = at === 0 ? separator : (pieces[at - 1] as string);
      parts.push(blockOf(part, between, frame, lead));
    }
  }
  return parts;
}

/**
 * Renders the blocks with the given indexes (ascending) in their frames; each gap states how many tokens are left out.
 */
export function renderBlocks(blocks: readonly PassageBlock[], chosen: readonly number[]): string {
  let shown = '';
  let last = -1;
  const close = (): void => {
    const frame = blocks[last]?.frame;
    if (frame !== undefined && frame.close !== '') shown += `\n${frame.close}`;
  };
  for (const at of chosen) {
    const block = blocks[at] as PassageBlock;
    const isGap = at !== last + 1;
    const isSameFrame = block.frame !== undefined && blocks[last]?.frame?.id === block.frame.id;
    if (isSameFrame && !isGap) shown += block.separator;
    else {
      close();
      if (shown !== '') shown += isGap ? '\n' : block.separator;
      if (isGap) shown += `${gapLine(blocks, last + 1, at)}\n`;
      if (block.frame !== undefined) shown += `${block.frame.open}\n`;
    }
    shown += block.text;
    last = at;
  }
  close();
  return last < blocks.length - 1 ? `${shown}\n${gapLine(blocks, last + 1, blocks.length)}` : shown;
}

function gapLine(blocks: readonly PassageBlock[], from: number, to: number): string {
  const tokens = blocks.slice(from, to).reduce((sum, block) => sum + block.tokens, 0);
  return `[… ${tokens} tokens left out]`;
}

/** Returns a block's trace: a short hash that identifies it among the blocks of one passage. */
export function traceOf(block: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < block.length; at++) hash = Math.imul(hash ^ block.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}
