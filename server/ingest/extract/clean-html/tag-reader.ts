import type { HtmlAttribute } from '../html-tree.ts';
import {
  decode,
  doubleQuote,
  equals,
  greaterThan,
  isLetter,
  isSpace,
  leave,
  lowerCase,
  question,
  singleQuote,
  slash,
} from './characters.ts';

/** More attributes than this suggest an attempt to slow the parser down. */
const attributesMax = 64;

/** Reads the source tag by tag. */
export class TagReader {
  protected readonly source: string;
  protected at = 0;
  /** True after a tag whose content starts after an optional line break. */
  protected isNewlineDropped = false;

  constructor(source: string) {
    this.source = source;
  }

  /** Returns the name of a start tag in lower case; reading continues after it. */
  protected readStartName(): string {
    return this.readName(this.at + 1);
  }

  protected readName(from: number): string {
    const { source } = this;
    if (!isLetter(source.charCodeAt(from))) throw leave;
    let to = from + 1;
    for (
      let code = source.charCodeAt(to);
      code !== greaterThan && code !== slash && !isSpace(code);
      code = source.charCodeAt(++to)
    ) {
      if (Number.isNaN(code)) throw leave;
    }
    this.at = to;
    const name = source.slice(from, to);
    return /[A-Z]/.test(name) ? lowerCase(name) : name;
  }

  /** Reads an end tag and returns its name. */
  protected readEndName(): string {
    const name = this.readName(this.at + 2);
    const { source } = this;
    while (isSpace(source.charCodeAt(this.at))) this.at++;
    if (source.charCodeAt(this.at) !== greaterThan) throw leave;
    this.at++;
    return name;
  }

  /** Reads the rest of a start tag after its name. */
  protected readAttributes(): HtmlAttribute[] {
    const { source } = this;
    let code = source.charCodeAt(this.at);
    if (code === greaterThan) {
      this.at++;
      return [];
    }
    const attributes: HtmlAttribute[] = [];
    for (;;) {
      while (isSpace(code) || code === slash) code = source.charCodeAt(++this.at);
      if (code === greaterThan) {
        this.at++;
        return attributes;
      }
      if (Number.isNaN(code) || code === equals) throw leave;
      const from = this.at;
      while (code !== equals && code !== greaterThan && code !== slash && !isSpace(code)) {
        if (Number.isNaN(code)) throw leave;
        code = source.charCodeAt(++this.at);
      }
      const written = source.slice(from, this.at);
      const name = /[A-Z]/.test(written) ? lowerCase(written) : written;
      while (isSpace(code)) code = source.charCodeAt(++this.at);
      let value = '';
      if (code === equals) {
        code = source.charCodeAt(++this.at);
        while (isSpace(code)) code = source.charCodeAt(++this.at);
        value = this.readValue(code);
        code = source.charCodeAt(this.at);
      }
      if (attributes.length >= attributesMax) throw leave;
      if (!attributes.some((known) => known.name === name)) attributes.push({ name, value });
    }
  }

  protected readValue(quote: number): string {
    const { source } = this;
    let from = this.at;
    let to: number;
    if (quote === doubleQuote || quote === singleQuote) {
      from += 1;
      to = source.indexOf(quote === doubleQuote ? '"' : "'", from);
      if (to < 0) throw leave;
      this.at = to + 1;
    } else {
      to = from;
      for (let code = quote; code !== greaterThan && !isSpace(code); code = source.charCodeAt(++to)) {
        if (Number.isNaN(code)) throw leave;
      }
      if (to === from) throw leave;
      this.at = to;
    }
    const value = source.slice(from, to);
    return value.includes('&') ? decode(value, true) : value;
  }

  protected skipBlanks(): void {
    while (isSpace(this.source.charCodeAt(this.at))) this.at++;
  }

  protected skipSpaceAndComments(): void {
    for (;;) {
      this.skipBlanks();
      if (!this.source.startsWith('<!--', this.at) && !this.source.startsWith('<?', this.at)) return;
      this.skipComment();
    }
  }

  protected skipPast(end: string): void {
    const found = this.source.indexOf(end, this.at);
    if (found < 0) throw leave;
    this.at = found + end.length;
  }

  /** Skips a well-formed comment. */
  protected skipComment(): void {
    const { source } = this;
    this.isNewlineDropped = false;
    // An XML declaration is parsed as a comment that ends with `>`.
    if (source.charCodeAt(this.at + 1) === question) return this.skipPast('>');
    if (!source.startsWith('<!--', this.at)) throw leave;
    const from = this.at + 4;
    if (source.charCodeAt(from) === greaterThan || source.startsWith('->', from)) throw leave;
    const end = source.indexOf('-->', from);
    if (end < 0) throw leave;
    if (source.slice(from, end + 3).includes('--!>')) throw leave;
    this.at = end + 3;
  }
}
