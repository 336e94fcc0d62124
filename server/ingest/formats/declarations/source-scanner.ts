/** How the source of a family of languages is cut into words, as far as brackets and comments go. */
export interface Syntax {
  /** Marks of strings; a doubled mark in a template is no end. */
  quotes: string;
  /** A new line ends a statement where none is open. */
  endsAtLine: boolean;
  /** `'a` may be a lifetime instead of a character. */
  hasLifetimes: boolean;
  /** `/x/` may be an expression instead of a division. */
  hasExpressions: boolean;
  /** Line comments of any kind directly above a declaration are its documentation. */
  anyCommentIsDoc: boolean;
}

/** A file is given up after so many brackets that nothing closes. */
const lostMax = 20;

/** Walks over source code: comments, strings and brackets are passed as one. Every character is looked at a bounded number of times. */
export class SourceScanner {
  readonly text: string;
  readonly syntax: Syntax;
  at = 0;
  private lost = 0;
  /** Start of the line looked for last: lines may be long. */
  private line = { start: 0, until: 0 };
  /** Where the last mark of a kind stands that nothing closes, and how far that was looked for: in between are escaped ones alone. */
  private readonly unclosed = new Map<string, { from: number; until: number }>();

  constructor(text: string, syntax: Syntax) {
    this.text = text;
    this.syntax = syntax;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** The comment that starts here, or undefined. */
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

  /** First position after the string, comment, expression or character at `at`; the next one for anything else. */
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

  /** First position after the bracket that closes the one at `at`; where none does, after the next one at the same indentation. */
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

  /** White space before the first word of the line that holds `at`. */
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
      // Only templates go on over lines; elsewhere the mark was none.
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
