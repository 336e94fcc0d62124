/** Larger blocks are not considered readable text. */
const blockCharactersMax = 60_000;
const nestedMax = 40;

const nested = new RegExp(`^(?:[ \\t]*(?:>|[-*+]|\\d{1,9}[.)])){${nestedMax}}`, 'm');
const definition = /^ {0,3}\[[^\]\n]+\]:/m;
const html = /<[a-z!?/]/i;
const fenceLine = /^ {0,3}(`{3,}|~{3,})/;

/**
 * Splits Markdown into blocks that can be parsed separately, so that growing text need not be parsed again from the
 * start. Text with definitions or tags, which reach across blocks, stays in one piece.
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

/** Returns true for list items and indented lines, which belong to the text before the blank line. */
function isContinuation(line: string): boolean {
  return /^(?:\s|[-*+](?:\s|$)|\d{1,9}[.)](?:\s|$))/.test(line);
}

/** Returns true for Markdown that parsers take too long for, or nest too deeply: it is shown as plain text. */
export function isTooIntricate(block: string): boolean {
  return block.length > blockCharactersMax || nested.test(block) || hasRuns(block);
}

/**
 * Returns true for thousands of unclosed brackets, marks or tags, or thousands of lines: parsers try all of them
 * against each other.
 */
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
