import { identifiersIn } from '../identifiers.ts';
import { interruptsParagraph } from './block-starts.ts';
import { emitHeading, emitPendingLabel, emitText, rewriteLines } from './emit.ts';
import { rewriteInline } from './inline.ts';
import { indentOf, isBlank, outdent } from './lines.ts';
import { nestingMax } from './read-directive.ts';
import { isTableStart } from './read-table.ts';
import type { Scanner } from './scanner.ts';

/** Reads a paragraph, which may become an underlined heading or the terms of a definition list. */
export function readParagraph(scanner: Scanner): void {
  const lines = [(scanner.line(scanner.at) as string).trim()];
  let end = scanner.at + 1;
  for (let line = scanner.line(end); line !== undefined && !isBlank(line); line = scanner.line(++end)) {
    const underline = /^ {0,3}(?:(=+)|-+)[ \t]*$/.exec(line);
    if (underline) {
      scanner.at = end + 1;
      return emitHeading(scanner, underline[1] ? 1 : 2, lines.join(' '));
    }
    if (isDefinition(line)) return readDefinitions(scanner, lines, end);
    if (interruptsParagraph(line) || isTableStart(scanner, end, line)) break;
    // Two trailing spaces are a line break in Markdown; other trailing white space is meaningless.
    lines.push(line.endsWith('  ') ? `${line.trim()}  ` : line.trim());
  }
  const after = scanner.line(end + 1);
  if (lines.length === 1 && scanner.line(end) === '' && after !== undefined && isDefinition(after)) {
    return readDefinitions(scanner, lines, end + 1);
  }
  scanner.at = end;
  // Docsify's call-outs
  const mark = /^([!?])> /.exec(lines[0] as string)?.[1];
  if (mark !== undefined) {
    lines[0] = (lines[0] as string).slice(3);
    scanner.pendingLabel = mark === '!' ? 'Warning' : 'Tip';
  }
  emitText(scanner, 'paragraph', rewriteInline(lines.join('\n'), scanner.context).trim());
}

function isDefinition(line: string): boolean {
  return /^ {0,3}: {1,3}\S/.test(line) && !line.trimStart().startsWith(': :');
}

function readDefinitions(scanner: Scanner, terms: readonly string[], from: number): void {
  scanner.at = from;
  emitPendingLabel(scanner);
  for (const [index, term] of terms.entries()) {
    const markdown = rewriteInline(term, scanner.context, ' ');
    scanner.draft.openTerm(markdown, identifiersIn(markdown));
    if (index < terms.length - 1) scanner.draft.closeTerm();
  }
  for (let line = scanner.line(scanner.at); line !== undefined && isDefinition(line); line = scanner.line(scanner.at)) {
    readDefinition(scanner, line);
  }
  scanner.draft.closeTerm();
}

/** Reads one definition: its first line, continuation lines, and indented blocks. */
function readDefinition(scanner: Scanner, first: string): void {
  // A definition starts with text, never with a heading.
  const lines = [
    first
      .trimStart()
      .slice(1)
      .trim()
      .replace(/^#{1,6}\s/, '\\$&'),
  ];
  let end = scanner.at + 1;
  let isAfterBlank = false;
  let hasBlank = false;
  let indent = 0;
  for (let line = scanner.line(end); line !== undefined; line = scanner.line(++end)) {
    if (isBlank(line)) isAfterBlank = true;
    else if (indentOf(line) < 2 && (isAfterBlank || interruptsParagraph(line))) break;
    else if (isDefinition(line)) break;
    else {
      // Lines that continue the first one may have any indentation; blocks after a blank line share one.
      if (isAfterBlank && !hasBlank) indent = 0;
      hasBlank ||= isAfterBlank;
      if (isAfterBlank) lines.push('');
      isAfterBlank = false;
      indent ||= Math.min(4, indentOf(line));
      lines.push(outdent(line, indent));
    }
  }
  scanner.at = end;
  if (scanner.page.nesting < nestingMax) scanner.readInside(lines);
  else emitText(scanner, 'paragraph', rewriteLines(scanner, lines));
}
