/** Above this a block is no text that anyone reads as one. */
const blockCharactersMax = 60_000;
const nestedMax = 40;

const nested = new RegExp(`^(?:[ \\t]*(?:>|[-*+]|\\d{1,9}[.)])){${nestedMax}}`, 'm');
const definition = /^ {0,3}\[[^\]\n]+\]:/m;
const html = /<[a-z!?/]/i;
const fenceLine = /^ {0,3}(`{3,}|~{3,})/;

/**
 * The blocks of Markdown that mean the same alone as together, so that text that grows need not be read again from its
 * beginning. Text with definitions or tags, which reach across blocks, stays in one piece.
 */
export function splitMarkdown(text: string): string[] {
  if (definition.test(text) || html.test(text)) return [text];
  const blocks: string[] = [];
  let lines: string[] = [];
  let fence: string | undefined;
  let isAfterBlank = false;
  for (const line of text.split('\n')) {
    const begins = fence === undefined && isAfterBlank && lines.length > 0 && !isContinuation(line);
    if (begins && line.trim() !== '') {
      blocks.push(lines.join('\n'));
      lines = [];
    }
    lines.push(line);
    const marks = fenceLine.exec(line)?.[1];
    if (fence === undefined) fence = marks;
    else if (marks?.startsWith(fence) && line.trim() === marks) fence = undefined;
    isAfterBlank = line.trim() === '';
  }
  return [...blocks, lines.join('\n')];
}

/** Lists and what is indented belong to what stands before the blank line. */
function isContinuation(line: string): boolean {
  return /^(?:\s|[-*+](?:\s|$)|\d{1,9}[.)](?:\s|$))/.test(line);
}

/** What parsers of Markdown take too long for, or nest too deep: shown as it is written. */
export function isTooIntricate(block: string): boolean {
  return block.length > blockCharactersMax || nested.test(block) || hasRuns(block);
}

/** Thousands of brackets, marks or tags without an end are tried against each other, and so are thousands of lines. */
function hasRuns(block: string): boolean {
  return runs.some(([sign, max]) => {
    let count = 0;
    for (const _ of block.matchAll(sign)) if ((count += 1) > max) return true;
    return false;
  });
}

const runs = [
  [/[[\]]/g, 2_000],
  [/[*_~`]/g, 4_000],
  [/<[a-z!/?]/gi, 1_000],
  [/\n/g, 4_000],
] as const;
