/** An open code fence: its mark, length and what stands before it on the line (indentation, quote marks). */
export interface Fence {
  mark: '`' | '~';
  length: number;
  /** Indentation and quote marks of the opening line; a list marker is turned into as many spaces. */
  prefix: string;
  /** The opening line without list marker: what re-opens the fence in a later stretch. */
  openLine: string;
}

/** What follows the marks is repeated with every stretch; beyond this it is cut to its start. */
const infoCharsMax = 200;

const opening = /^([ \t>]*)((?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)([ \t>]*)(`{3,}|~{3,})(.*)$/;

/** The fence that `line` opens, seen through indentation, quote marks and list markers. */
export function fenceOpening(line: string): Fence | undefined {
  // A cheap look first: lines are many, fences few, and the expression must not meet very long lines.
  if (!line.includes('```') && !line.includes('~~~')) return undefined;
  const match = opening.exec(line.slice(0, 1000));
  if (!match) return undefined;
  const [, before = '', markers = '', between = '', marks = '', info = ''] = match;
  if (marks[0] === '`' && info.includes('`')) return undefined;
  const prefix = before + ' '.repeat(markers.length) + between;
  const shownInfo = line.length > infoCharsMax ? info.slice(0, 40) : info;
  return { mark: marks[0] as '`' | '~', length: marks.length, prefix, openLine: `${prefix}${marks}${shownInfo}` };
}

/** Returns true if `line` closes `fence`. */
export function isFenceClosing(line: string, fence: Fence): boolean {
  let at = 0;
  while (line[at] === ' ' || line[at] === '\t' || line[at] === '>') at++;
  let run = 0;
  while (line[at + run] === fence.mark) run++;
  return run >= fence.length && line.slice(at + run).trim() === '';
}

/** The line that closes `fence` at the same depth. */
export function closingLine(fence: Fence): string {
  return fence.prefix + fence.mark.repeat(fence.length);
}

/** `markdown` with a fence that was left open closed at its end. */
export function withClosedFence(markdown: string): string {
  if (!markdown.includes('```') && !markdown.includes('~~~')) return markdown;
  let fence: Fence | undefined;
  for (const line of markdown.split('\n')) {
    if (fence === undefined) fence = fenceOpening(line);
    else if (isFenceClosing(line, fence)) fence = undefined;
  }
  return fence ? `${markdown}\n${closingLine(fence)}` : markdown;
}
