/** Lexical rules of a language family for strings, brackets and comments. */
export interface Syntax {
  /** Quote characters. */
  quotes: string;
  /** True if a line break ends a complete statement. */
  endsAtLine: boolean;
  /** True if `'a` may be a lifetime instead of a character. */
  hasLifetimes: boolean;
  /** True if `/x/` may be a regular expression instead of a division. */
  hasExpressions: boolean;
  /** True if line comments of any kind directly above a declaration document it. */
  anyCommentIsDoc: boolean;
}

/** After this many unclosed brackets, the rest of the file is skipped. */
const lostMax = 20;

/**
 * Scans source code and skips comments, strings and bracket pairs as units. Each character is read a bounded number of
 * times.
 */
export class SourceScanner {
  readonly text: string;
  readonly syntax: Syntax;
  at = 0;
  private lost = 0;
  /** Start of the last line looked up; cached because lines may be long. */
  private line = { start: 0, until: 0 };
  /**
   * For each quote character, the start of the last unclosed string and the end of the search; in between, only escaped
   * quotes occur.
   */
  private readonly unclosed = new Map<string, { from: number; until: number }>();

  constructor(text: string, syntax: Syntax) {
    this.text = text;
    this.syntax = syntax;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Returns the comment that starts here, or undefined. */
  comment(at = this.at): string | undefined {
    const { text } = this;
    if (text[at] !== '/' || (text[at + 1] !== '/' && text[at + 1] !== '*')) return undefined;
    if (text[at + 1] === '*') {
      const end = text.indexOf('*/', at + 2);
      return text.slice(at, end < 0 ? text.length : end + 2);
    }
    const end = text.indexOf('\n', at);
    return text.slice(at, end < 0 ? text.length : end);
  }

  /** Returns the position after the string, comment, regular expression or character at `at`. */
  after(at: number): number {
    const char = this.text[at] as string;
    if (char === '/') {
      const comment = this.comment(at);
      if (comment !== undefined) return at + comment.length;
      return this.syntax.hasExpressions && this.isExpressionStart(at) ? this.expressionEnd(at) : at + 1;
    }
    if (char === "'" && this.syntax.hasLifetimes) {
      const literal = /^'(?:\\[^\n]{1,10}?|[^\\\n])'/u.exec(this.text.slice(at, at + 14));
      return at + (literal?.[0].length ?? 1);
    }
    return this.syntax.quotes.includes(char) ? this.stringEnd(at, char) : at + 1;
  }

  /**
   * Returns the position after the bracket that closes the one at `at`, or else after the next `}` at the same
   * indentation.
   */
  closing(at: number, indent: string): number {
    let depth = 0;
    for (let next = at; next < this.text.length; ) {
      const char = this.text[next] as string;
      if (char === '{' || char === '(' || char === '[') depth++;
      else if ((char === '}' || char === ')' || char === ']') && --depth === 0) return next + 1;
      next = this.after(next);
    }
    if (++this.lost > lostMax) return this.text.length;
    const found = this.text.indexOf(`\n${indent}}`, at);
    return found < 0 ? this.text.length : found + indent.length + 2;
  }

  /** Returns the indentation of the line that contains `at`. */
  indentAt(at: number): string {
    const { start: known, until } = this.line;
    const from = at < until ? 0 : until;
    const end = this.text.slice(from, at).lastIndexOf('\n');
    const start = end < 0 ? (from === 0 ? 0 : known) : from + end + 1;
    this.line = { start, until: at };
    return /^[ \t]*/.exec(this.text.slice(start, Math.min(at, start + 200)))?.[0] ?? '';
  }

  private stringEnd(at: number, mark: string): number {
    const { text } = this;
    const triple = mark.repeat(3);
    if (mark !== '`' && text.startsWith(triple, at)) {
      const end = text.indexOf(triple, at + 3);
      return end < 0 ? text.length : end + 3;
    }
    const known = this.unclosed.get(mark);
    if (known && at > known.from && at < known.until) return at + 1;
    let next = at + 1;
    for (; next < text.length; next++) {
      const char = text[next];
      if (char === '\\') next++;
      else if (char === mark) return next + 1;
      // Only template strings span lines; otherwise the quote did not start a string.
      else if (char === '\n' && mark !== '`' && !this.syntax.hasLifetimes) break;
    }
    this.unclosed.set(mark, { from: at, until: next });
    return at + 1;
  }

  private isExpressionStart(at: number): boolean {
    const before = this.text.slice(Math.max(0, at - 12), at).trimEnd();
    return before === '' || /(?:[(,=:[!&|?{};+*%<>~^-]|\breturn|\btypeof|\bcase)$/.test(before);
  }

  private expressionEnd(at: number): number {
    let isClass = false;
    for (let next = at + 1; next < Math.min(this.text.length, at + 2000); next++) {
      const char = this.text[next];
      if (char === '\n') break;
      if (char === '\\') next++;
      else if (char === '[') isClass = true;
      else if (char === ']') isClass = false;
      else if (char === '/' && !isClass) return next + 1;
    }
    return at + 1;
  }
}
