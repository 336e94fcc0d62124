/** Returns the width of white space at the start of a line in columns; a tab advances to the next multiple of four. */
export function indentOf(line: string): number {
  let columns = 0;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === 32) columns++;
    else if (code === 9) columns += 4 - (columns % 4);
    else break;
  }
  return columns;
}

/** Removes up to `columns` columns of white space from the start of a line. */
export function outdent(line: string, columns: number): string {
  let at = 0;
  let done = 0;
  while (at < line.length && done < columns) {
    const code = line.charCodeAt(at);
    if (code === 32) done++;
    else if (code === 9) done += 4 - (done % 4);
    else break;
    at++;
  }
  return done > columns ? ' '.repeat(done - columns) + line.slice(at) : line.slice(at);
}

export function isBlank(line: string): boolean {
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code !== 32 && (code < 9 || code > 13)) return false;
  }
  return true;
}

export interface FenceStart {
  mark: string;
  indent: number;
  info: string;
}

/** Returns the code fence that a line opens. */
export function fenceStart(line: string): FenceStart | undefined {
  const indent = line.length - line.trimStart().length;
  const char = line[indent];
  if (char !== '`' && char !== '~') return undefined;
  let run = 1;
  while (line[indent + run] === char) run++;
  if (run < 3) return undefined;
  const info = line.slice(indent + run).trim();
  if (char === '`' && info.includes('`')) return undefined;
  return { mark: line.slice(indent, indent + run), indent: indentOf(line), info };
}

/** Returns the fence that a line opens, also after quote or list markers. */
export function fenceBehindMarks(line: string): { mark: string; isQuoted: boolean } | undefined {
  const [marks = ''] = /^(?:\s{0,40}(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*/.exec(line) ?? [];
  const mark = fenceStart(line.slice(marks.length))?.mark;
  return mark === undefined ? undefined : { mark, isQuoted: marks.includes('>') };
}

/** Returns true if a line closes the fence; a fence in a quote also ends with the quote. */
export function endsFence(line: string, { mark, isQuoted }: { mark: string; isQuoted: boolean }): boolean {
  if (!isQuoted) return isFenceEnd(line, mark);
  const quoted = line.replace(/^(?:\s{0,40}>)+/, '');
  return quoted === line || isFenceEnd(quoted, mark);
}

export function isFenceEnd(line: string, mark: string): boolean {
  const trimmed = line.trim();
  if (trimmed.length < mark.length || !trimmed.startsWith(mark)) return false;
  for (let at = mark.length; at < trimmed.length; at++) if (trimmed[at] !== mark[0]) return false;
  return true;
}

/**
 * Returns the marker's indentation, the column of the item's text and the kind of list; undefined if the line is not a
 * list item.
 */
export function listMarker(line: string): { indent: number; content: number; kind: string } | undefined {
  const trimmed = line.trimStart();
  const first = trimmed.charCodeAt(0);
  const isDigit = first >= 48 && first <= 57;
  if (!isDigit && first !== 45 && first !== 42 && first !== 43) return undefined;
  const match = /^(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)/.exec(trimmed);
  if (!match) return undefined;
  const indent = indentOf(line);
  const marker = match[0];
  return { indent, content: indent + marker.length + 1, kind: isDigit ? marker.slice(-1) : marker };
}

export function isThematicBreak(line: string): boolean {
  const first = line.trimStart()[0];
  if (first !== '-' && first !== '*' && first !== '_') return false;
  let count = 0;
  for (const char of line) {
    if (char === first) count++;
    else if (char !== ' ' && char !== '\t') return false;
  }
  return count >= 3;
}

/** Returns true for the dashes below a table's header. */
export function isDelimiterRow(line: string): boolean {
  return (
    line.includes('-') &&
    /^[\s|:-]+$/.test(line) &&
    line.includes('|') &&
    /^\s*(?:\|\s*)?:?-+:?\s*(?:\|\s*:?-+:?\s*)*(?:\|\s*)?$/.test(line)
  );
}

export function atxHeading(line: string): { depth: number; text: string } | undefined {
  const match = /^\s*(#{1,6})(?:[ \t]|$)/.exec(line);
  if (!match) return undefined;
  return { depth: (match[1] as string).length, text: withoutClosingMarks(line.slice(match[0].length).trim()) };
}

function withoutClosingMarks(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '#') end--;
  const isClosing = end < text.length && (end === 0 || text[end - 1] === ' ' || text[end - 1] === '\t');
  return isClosing ? text.slice(0, end).trimEnd() : text;
}
