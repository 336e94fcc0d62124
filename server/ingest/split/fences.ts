/** An open code fence: its mark, length and the text before it on the line (indentation, quote marks). */
export interface Fence {
  mark: '`' | '~';
  length: number;
  /** Indentation and quote marks of the opening line; a list marker is replaced by spaces. */
  prefix: string;
  /** The opening line without the list marker, which reopens the fence in later parts. */
  openLine: string;
}

/** The info string is repeated in every part, so it is truncated to this length. */
const infoCharsMax = 200;

const opening = /^([ \t>]*)(?![ \t>])((?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?![ \t]))*)([ \t>]*)(`{3,}|~{3,})(.*)$/s;

/** Returns the fence that `line` opens, after any indentation, quote marks and list markers. */
export function fenceOpening(line: string): Fence | undefined {
  // Cheap check first: few lines are fences, and the expression must not run on very long lines.
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

/** Returns the line that closes `fence` at the same depth. */
export function closingLine(fence: Fence): string {
  return fence.prefix + fence.mark.repeat(fence.length);
}

/** Returns `markdown` with any open fence closed at its end. */
export function withClosedFence(markdown: string): string {
  if (!markdown.includes('```') && !markdown.includes('~~~')) return markdown;
  let fence: Fence | undefined;
  for (const line of markdown.split('\n')) {
    if (fence === undefined) fence = fenceOpening(line);
    else if (isFenceClosing(line, fence)) fence = undefined;
  }
  return fence ? `${markdown}\n${closingLine(fence)}` : markdown;
}
