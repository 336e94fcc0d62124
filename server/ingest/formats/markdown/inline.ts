import { CodeSpans } from '../../split/code-spans.ts';
import type { Draft } from '../draft.ts';
import { decodeEntities, markdownOfReference } from '../entities.ts';
import { roleMarkdown } from '../rst/inline.ts';
import { withoutShortcodes } from './shortcodes.ts';
import { attribute, isComponent, isHtmlElement, type Tag, tagAt, targetOf } from './tags.ts';

/** Context for reading inline text. */
export interface InlineContext {
  draft: Draft;
  /** The page's link definitions by normalised label. */
  references: ReadonlyMap<string, string>;
  /** True if components and expressions in braces are code. */
  isMdx: boolean;
  /** True if the page has front matter, so its generator processes template tags. */
  hasSettings?: boolean;
  /** True if the page clearly contains wiki links, so that brackets around one word are links too. */
  hasNoteLinks?: boolean;
}

const targetCharsMax = 1000;
const dataCharsMax = 100_000;
const labelCharsMax = 300;
const expressionCharsMax = 500;

/** Badges say nothing about the product, so their images and links are removed. */
const badge = /(?:badge|shields\.io|\.svg(?:[?#]|$)|travis-ci|codecov|app\.netlify)/i;

/** `target "title")`, with a bare target or one in angle brackets. */
const linkTarget =
  /^\s*(?:<([^<>\n]*)>|((?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))*))(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)/;

/** A name instead of an address, in Documenter's syntax. */
const juliaTarget = /^@(?:ref|extref|id|cite\w*)\b/;

const attributeList =
  /^\{:?\s*(?:(?:[.#][\w.:-]+|(?:align|class|height|id|lang|loading|rel|style|target|title|width|data-[\w-]+)=(?:"[^"\n]*"|'[^'\n]*'|[^\s"'{}]+))(?:\s+|(?=\})))+\}/;

/** Attributes of a whole block, on a line above or below it. */
const attributeLine = /^\{:?\s*(?:(?:[.#][a-z][\w-]*|(?:class|style)="[^"\n]*")(?:\s+|(?=\})))+\}[ \t]*(?:\n|$)/;

/** Pandoc attributes directly after a link or image: `{.border fig-alt="A pot"}`. */
const linkAttributes =
  /^\{\s*(?:(?:[.#][\w.:-]+|[\w-]+=(?:"[^"\n]*"|'[^'\n]*')|(?:width|height)=[^\s"'{}]+)(?:\s+|(?=\})))+\}/;

/** Tags that Jekyll replaces with the site's or a page's address. */
const jekyllTarget = /^\s*(?:\{\{\s*site\.baseurl\s*\}\}\s*)?(?:\{%-?\s*(?:link|post_url)\s[^%\n]{1,200}%\})?/;

/**
 * An address that Jekyll or Eleventy completes: `{{ '/guide/'
 *
 * relative_url }}`.
 */
const filteredTarget = /^\s*\{\{-?\s*(["'])([^"'{}\n]{1,200})\1\s*\|\s*(?:relative_url|absolute_url|url)\s*-?\}\}/;

const bookReference = /^\\@ref\(([\w:./-]{1,100})\)/;

const wikiLinkCharsMax = 500;
const wikiLink = /^\[\[([^[\]|#^\n\\`]*)((?:#[^[\]|\n\\`]*)?)(?:\\?\|([^[\]\n`]*))?\]\](?![([])/;
/** A wiki link's page name: shells, TOML, C++ and nested lists also use double brackets. */
const noteName = /^(?=.*\p{L})[\p{L}\p{N}][^:,"=<>$]*$/u;
/** A wiki link with several words, a section, or a display text with a capital letter. */
const plainNoteLink =
  /(?<![\w)\]])\[\[(?=[^[\]\n`]{0,200}?(?:\S\s+\S|[\w ]#\w|\|[^[\]\n`]{0,80}\p{Lu}))[\p{L}\p{N}][^[\]\n`:,"=<>$]{0,200}\]\](?![([])/u;
/** Alternatives in a command's usage are also in double brackets. */
const usage = /^[a-z]+\|[a-z]+$/;
/** A name as used in addresses. */
const slug = /^[\w/-]*[-_/][\w/-]*$/;

interface Opener {
  /** Index of the opening bracket in `out`. */
  out: number;
  /** Position in the source after the bracket. */
  start: number;
  isImage: boolean;
  /** Target of an HTML link. */
  href?: string;
}

/** Returns true if a page has unambiguous wiki links. */
export function hasNoteLinks(text: string): boolean {
  return plainNoteLink.test(text);
}

/** Returns a link definition's label in normal form for lookup. */
export function normalLabel(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase();
}

/**
 * Rewrites inline Markdown: makes links absolute, replaces images with their description, and HTML with its text or
 * equivalent Markdown. Code spans are unchanged. One pass, linear.
 */
export function rewriteInline(text: string, context: InlineContext, lineBreak = '\n'): string {
  if (!/[[<&{]|\\(?:@ref|_)/.test(text)) return text;
  return new InlineReader(withoutShortcodes(text, context.hasSettings), context, lineBreak).read();
}

class InlineReader {
  private readonly out: string[] = [];
  private readonly openers: Opener[] = [];
  private at = 0;
  private readonly spans: CodeSpans;
  private isUnclosedComment = false;
  private isUnclosedMdxComment = false;
  /** Index in `out` of the last opening emphasis mark. */
  private openEmphasis = -1;
  /** Open components that are links. */
  private readonly openComponents: string[] = [];
  private closedNames: Set<string> | undefined;
  private isUnclosedElement = false;
  private readonly text: string;
  private readonly context: InlineContext;
  private readonly lineBreak: string;

  constructor(text: string, context: InlineContext, lineBreak: string) {
    this.text = text;
    this.spans = new CodeSpans(text);
    this.context = context;
    this.lineBreak = lineBreak;
  }

  read(): string {
    const special = /[\\`[\]!<&{]/g;
    while (this.at < this.text.length) {
      special.lastIndex = this.at;
      const next = special.exec(this.text)?.index ?? this.text.length;
      if (next > this.at) this.out.push(this.text.slice(this.at, next));
      this.at = next;
      if (next < this.text.length) this.step(this.text[next] as string);
    }
    return this.out.join('');
  }

  private step(char: string): void {
    if ((char === '!' || char === '[') && this.readWikiLink()) return;
    if (char === '\\') this.readEscape();
    else if (char === '`') this.readCode();
    else if (char === '!' && this.text[this.at + 1] === '[') this.open(2, true);
    else if (char === '[') this.open(1, false);
    else if (char === ']') this.closeBracket();
    else if (char === '<') this.readAngle();
    else if (char === '&') this.readEntity();
    else if (char === '{' && this.context.isMdx) this.readExpression();
    else if (char === '{' && !this.skipMdxComment() && !this.skipAttributes()) this.readRole();
    else if (char !== '{') this.copy(1);
  }

  private copy(count: number): void {
    this.out.push(this.text.slice(this.at, this.at + count));
    this.at += count;
  }

  /**
   * Reads an escaped character, a LaTeX index entry (removed), or a bookdown reference, `\@ref(intro)`. A `_` inside a
   * word needs no escape.
   */
  private readEscape(): void {
    const part = this.text.slice(this.at, this.at + 300);
    if (/^\\_[\p{L}\p{N}]/u.test(part) && /[\p{L}\p{N}]/u.test(this.text[this.at - 1] ?? '')) {
      this.at += 1;
      return this.copy(1);
    }
    const entry = /^\\index\w?\{(?:[^{}]|\{[^{}]*\}){0,300}\}/.exec(part)?.[0];
    if (entry !== undefined && !/[:/]/.test(this.text[this.at - 1] ?? '')) {
      this.at += entry.length;
      return;
    }
    const label =
      this.text.startsWith('@ref(', this.at + 1) && bookReference.exec(this.text.slice(this.at, this.at + 120));
    if (!label) return this.copy(this.at + 1 < this.text.length ? 2 : 1);
    this.out.push(label[1] as string);
    this.at += label[0].length;
  }

  /**
   * Reads a wiki link, `[[Note#Part|shown]]`, or an embedded note, `![[Note]]`, as its text; returns false if there is
   * none.
   */
  private readWikiLink(): boolean {
    const start = this.text[this.at] === '!' ? this.at + 1 : this.at;
    if (this.context.isMdx || !this.text.startsWith('[[', start) || /[\w)\]]/.test(this.text[this.at - 1] ?? ''))
      return false;
    const [whole, note = '', part = '', shown] = wikiLink.exec(this.text.slice(start, start + wikiLinkCharsMax)) ?? [];
    if (whole === undefined || this.context.references.has(normalLabel(whole.slice(2, -2)))) return false;
    const isEmbedded = start > this.at;
    const isMedia = isEmbedded && /\.[a-z\d]{2,5}$/i.test(note);
    const isPlain = !isEmbedded && part === '' && (shown === undefined || usage.test(whole.slice(2, -2)));
    if (!isMedia && note !== '' && !noteName.test(note)) return false;
    if (isPlain && !this.context.hasNoteLinks && !/\S\s+\S/.test(note)) return false;
    const place = [note, ...part.replace(/#?\^.*$/s, '').split('#')].map((one) => one.trim()).filter(Boolean);
    // In Gollum's links, the text comes first.
    const text = shown !== undefined && slug.test(shown) && note.includes(' ') ? note : shown;
    this.out.push(isMedia ? '' : (text ?? place.join(' > ')));
    this.at = start + whole.length;
    return true;
  }

  private readCode(): void {
    this.copy(this.spans.end(this.at) - this.at);
  }

  /** Skips an MDX comment at the end of a line, which also occurs in plain Markdown; returns false if there is none. */
  private skipMdxComment(): boolean {
    if (!this.text.startsWith('{/*', this.at) || this.isUnclosedMdxComment) return false;
    const end = this.text.indexOf('*/}', this.at) + 3;
    this.isUnclosedMdxComment = end < 3;
    if (end < 3 || !/^\s?$/.test(this.text[this.at - 1] ?? '') || !/^\s*?(?:\n|$)/.test(this.text.slice(end, end + 20)))
      return false;
    this.at = end;
    this.out.push(this.out.pop()?.trimEnd() ?? '');
    return true;
  }

  /**
   * Skips attributes of the preceding element, such as `{: .lead }` or `{ #id target=_blank }`; returns false if there
   * are none.
   */
  private skipAttributes(): boolean {
    const before = this.text[this.at - 1] ?? '\n';
    if (before === '\n') return this.skipList(attributeLine);
    return (this.text[this.at + 1] === ':' || /[)\]`*:]/.test(before)) && this.skipList(attributeList);
  }

  private skipList(pattern: RegExp): boolean {
    const list = pattern.exec(this.text.slice(this.at, this.at + targetCharsMax))?.[0];
    if (list === undefined) return false;
    this.context.draft.anchorNext(/(?:^\{:?|\s)#([\w.:-]+)/.exec(list.replace(/"[^"]*"|'[^']*'/g, ''))?.[1] ?? '');
    this.at += list.length;
    return true;
  }

  /** Reads a MyST role, a name in braces before a code span: {ref}`label`. */
  private readRole(): void {
    const name = /^\{([A-Za-z][\w.+-]*(?::[\w.+-]+)*)\}`/.exec(this.text.slice(this.at, this.at + 80));
    const open = this.at + (name?.[0].length ?? 1) - 1;
    const end = name === null ? open : this.spans.end(open);
    const [, content] = /^`+([^`]+)`+$/.exec(this.text.slice(open, end)) ?? [];
    if (name === null || content === undefined) return this.copy(1);
    this.out.push(roleMarkdown((name[1] as string).toLowerCase(), content));
    this.at = end;
  }

  private open(length: number, isImage: boolean): void {
    this.openers.push({ out: this.out.length, start: this.at + length, isImage });
    this.copy(length);
  }

  private closeBracket(): void {
    const opener = this.openers.at(-1);
    if (!opener || opener.href !== undefined) return this.copy(1);
    this.openers.pop();
    const inline = this.inlineTarget();
    const target = inline ?? this.referenceTarget(opener);
    if (target === undefined) return this.closeSpan(opener) ? undefined : this.readNamedTarget(opener);
    this.at = target.end;
    const from = this.at;
    if (inline) this.skipList(linkAttributes);
    const isEmpty = this.text[opener.start] === ']';
    const written = this.out.splice(opener.out).slice(1).join('');
    const described = () => /\s(?:fig-)?alt=(["'])(.*?)\1/.exec(` ${this.text.slice(from + 1, this.at)}`)?.[2];
    const label = isEmpty ? (opener.isImage ? (described() ?? '') : nameOfTarget(target.url)) : written;
    this.out.push(opener.isImage ? pictureText(label, target.url) : this.linkText(label, target.url));
  }

  /** Reads Pandoc text with attributes, `[shown]{.small}`; returns false if the bracket has none. */
  private closeSpan(opener: Opener): boolean {
    if (opener.isImage || this.context.isMdx || !/^\]\{[.#][a-z]/i.test(this.text.slice(this.at, this.at + 4)))
      return false;
    this.at += 1;
    if (this.skipList(linkAttributes)) this.out.splice(opener.out, 1);
    else this.out.push(']');
    return true;
  }

  private linkText(label: string, target: string): string {
    const url = this.context.draft.resolve(target);
    if (label.trim() === '') return '';
    if (url === undefined || target === '') return label;
    this.context.draft.addLink(url, label.replace(/[`*]/g, '').slice(0, labelCharsMax));
    return `[${label}](${url
      .replace(/[()\s]/g, encodeURIComponent)
      .replace(/\(/g, '%28')
      .replace(/\)/g, '%29')})`;
  }

  /** Reads `(target "title")` after a closing bracket. */
  private inlineTarget(): { url: string; end: number } | undefined {
    if (this.text[this.at + 1] !== '(') return undefined;
    let part = this.text.slice(this.at + 2, this.at + 2 + targetCharsMax);
    // Images may embed their data in the address; only then is it this long without a space or bracket.
    if (part.length === targetCharsMax && /^[^\s()]+$/.test(part))
      part = this.text.slice(this.at + 2, this.at + 2 + dataCharsMax);
    const [filtered, , address = ''] = filteredTarget.exec(part) ?? [];
    const start = (filtered ?? jekyllTarget.exec(part)?.[0] ?? '').length;
    const match = juliaTarget.test(part) ? null : linkTarget.exec(address + part.slice(start));
    if (!match) return undefined;
    const url = (match[1] ?? match[2] ?? '').replace(/\\([!-/:-@[-`{-~])/g, '$1');
    return { url: decodeEntities(url), end: this.at + 2 + start - address.length + match[0].length };
  }

  /** Reads a Documenter link to a name: `(@ref)`, `(@ref solve(A))`, or `(@id intro)` for an anchor. */
  private readNamedTarget(opener: Opener): void {
    const [whole, kind, name = ''] =
      /^\]\(@(ref|extref|id|cite\w*)(?: ((?:[^()\n]|\([^()\n]*\))*))?\)/.exec(
        this.text.slice(this.at, this.at + labelCharsMax),
      ) ?? [];
    if (whole === undefined) return this.copy(1);
    this.at += whole.length;
    const label = this.out.splice(opener.out).slice(1).join('');
    this.out.push(label === '' ? name.replace(/[`"]/g, '') : label);
    if (kind === 'id') this.context.draft.anchorNext(name.replace(/"/g, ''));
  }

  /** Reads `[label]` after a closing bracket, or uses the text between the brackets as the label. */
  private referenceTarget(opener: Opener): { url: string; end: number } | undefined {
    const { references } = this.context;
    if (references.size === 0) return undefined;
    let end = this.at + 1;
    let label = this.at - opener.start <= labelCharsMax ? this.text.slice(opener.start, this.at) : '';
    if (this.text[end] === '[') {
      const close = this.text.slice(end, end + labelCharsMax).indexOf(']');
      if (close > 1) label = this.text.slice(end + 1, end + close);
      if (close > 0) end += close + 1;
    }
    const url = label === '' ? undefined : references.get(normalLabel(label));
    return url === undefined ? undefined : { url, end };
  }

  private readEntity(): void {
    const match = /^&#?\w{1,8};/.exec(this.text.slice(this.at, this.at + 12));
    if (!match) return this.copy(1);
    this.out.push(markdownOfReference(match[0]));
    this.at += match[0].length;
  }

  private readAngle(): void {
    if (this.text.startsWith('<!--', this.at)) return this.skipComment();
    const page = /^<doc:([^<>\s]{1,300})>/.exec(this.text.slice(this.at, this.at + 310));
    if (page) {
      this.out.push(nameOfPage(page[1] as string));
      this.at += page[0].length;
      return;
    }
    const autolink = /^<((?:https?|ftp):\/\/[^\s<>]{1,900})>/.exec(this.text.slice(this.at, this.at + 910));
    if (autolink) {
      const url = this.context.draft.resolve(autolink[1] as string);
      if (url !== undefined) this.context.draft.addLink(url, '');
      return this.copy(autolink[0].length);
    }
    const tag = tagAt(this.text, this.at);
    if (!tag || !this.isMarkup(tag)) return this.copy(1);
    this.at = tag.end;
    this.readTag(tag);
  }

  private isMarkup(tag: Tag): boolean {
    if (tag.name === '') return this.context.isMdx;
    if (isHtmlElement(tag.name)) return true;
    if (!isComponent(tag.name)) return false;
    return this.context.isMdx || tag.isSelfClosing || (this.isClosed(tag.name) && !this.isParameter(tag));
  }

  /** Returns true for a type parameter: directly after a name and named like `Set<T>` or `Map<TKey>`. */
  private isParameter({ name, isClosing }: Tag): boolean {
    return !isClosing && /^(?:[A-Z]\d?|T[A-Z]\w*)$/.test(name) && /\w/.test(this.text[this.at - 1] ?? '');
  }

  /**
   * Returns true if the tag is closed somewhere. Outside MDX, only closed tags are components, because others may be
   * type parameters.
   */
  private isClosed(name: string): boolean {
    this.closedNames ??= new Set([...this.text.matchAll(/<\/([A-Z][\w.-]*)>/g)].map(([, closed = '']) => closed));
    return this.closedNames.has(name);
  }

  private skipComment(): void {
    const end = this.isUnclosedComment ? -1 : this.text.indexOf('-->', this.at + 4);
    this.isUnclosedComment = end < 0;
    this.at = end < 0 ? this.at + 4 : end + 3;
  }

  private readTag(tag: Tag): void {
    const id = tag.isClosing
      ? undefined
      : (attribute(tag, 'id') ?? (tag.name === 'a' ? attribute(tag, 'name') : undefined));
    if (id !== undefined) this.context.draft.anchorNext(id);
    switch (tag.name.toLowerCase()) {
      case 'a':
        return tag.isClosing ? this.closeLink() : this.openLink(tag);
      case 'img':
        this.out.push(pictureText(attribute(tag, 'alt') ?? '', attribute(tag, 'src') ?? ''));
        return;
      case 'br':
        this.out.push(this.lineBreak);
        return;
      case 'code':
      case 'kbd':
      case 'samp':
      case 'tt':
        return tag.isClosing ? undefined : this.readCodeElement(tag.name);
      case 'b':
      case 'strong':
        return this.readEmphasis('**', tag);
      case 'i':
      case 'em':
        return this.readEmphasis('*', tag);
      case 'script':
      case 'style':
        return this.skipElement(tag);
      case 'li':
        this.out.push(tag.isClosing ? '' : '\n- ');
        return;
      case 'p':
      case 'div':
      case 'tr':
      case 'dd':
      case 'dt':
        this.out.push(this.lineBreak);
        return;
      case 'td':
      case 'th':
        this.out.push(' ');
        return;
      default:
        return isComponent(tag.name) ? this.readComponent(tag) : undefined;
    }
  }

  /** Reads a component that links to a page or has a text attribute, such as a badge. */
  private readComponent(tag: Tag): void {
    if (tag.isClosing && this.openComponents.at(-1) === tag.name) {
      this.openComponents.pop();
      this.closeLink();
    }
    if (tag.isClosing) return;
    const href = targetOf(tag);
    if (tag.isSelfClosing) {
      const text = attribute(tag, 'text') ?? (href === undefined ? undefined : attribute(tag, 'title'));
      if (text !== undefined) this.out.push(href === undefined ? text : this.linkText(text, href));
    } else if (href !== undefined) {
      this.openComponents.push(tag.name);
      this.openLink(tag, href);
    }
  }

  /** Adds an emphasis mark; removes empty emphasis, which is used for icons. */
  private readEmphasis(mark: string, { isClosing }: Tag): void {
    const last = this.out.at(-1)?.trim() === '' ? this.out.length - 2 : this.out.length - 1;
    if (isClosing && last >= 0 && this.openEmphasis === last) this.out.splice(last, 1);
    else this.out.push(mark);
    this.openEmphasis = isClosing ? -1 : this.out.length - 1;
  }

  private openLink(tag: Tag, href = attribute(tag, 'href')): void {
    if (href === undefined || tag.isSelfClosing) return;
    this.openers.push({ out: this.out.length, start: this.at, isImage: false, href: decodeEntities(href) });
    this.out.push('');
  }

  private closeLink(): void {
    // Open brackets inside the link are text.
    while (this.openers.length > 0 && this.openers.at(-1)?.href === undefined) this.openers.pop();
    const opener = this.openers.pop();
    if (opener?.href === undefined) return;
    const label = this.out.splice(opener.out).join('').trim();
    this.out.push(this.linkText(label, opener.href));
  }

  private readCodeElement(name: string): void {
    const rest = this.text.slice(this.at, this.at + targetCharsMax);
    const close = rest.toLowerCase().indexOf(`</${name.toLowerCase()}>`);
    if (close < 0) return;
    const code = decodeEntities(rest.slice(0, close).replace(/<\/?[a-z][^<>]*>/gi, '')).trim();
    this.at += close + name.length + 3;
    if (code !== '') this.out.push(code.includes('`') ? `\`\` ${code} \`\`` : `\`${code}\``);
  }

  /** Skips a script or style; without an end tag, it is a placeholder in the text. */
  private skipElement(tag: Tag): void {
    const close = this.isUnclosedElement ? -1 : this.text.indexOf(`</${tag.name}`, this.at);
    if (tag.isClosing) return;
    this.isUnclosedElement = close < 0;
    if (close < 0) this.out.push(`<${tag.name}${tag.attributes}>`);
    const end = close < 0 ? this.at - 1 : this.text.indexOf('>', close);
    this.at = end < 0 ? this.text.length : end + 1;
  }

  /** Reads a JSX expression: strings are text, anything else is code and removed. */
  private readExpression(): void {
    const part = this.text.slice(this.at, this.at + expressionCharsMax);
    const string = /^\{\s*(?:"([^"\n]*)"|'([^'\n]*)'|`([^`$]*)`)\s*\}/.exec(part);
    if (string) {
      this.out.push(string[1] ?? string[2] ?? string[3] ?? '');
      this.at += string[0].length;
      return;
    }
    const end = closingBrace(part);
    if (end < 0) return this.copy(1);
    this.at += end + 1;
  }
}

/** Returns a name for the section or page that a link without text leads to. */
function nameOfTarget(target: string): string {
  if (/^(?!project:)\w+:/.test(target)) return '';
  const [page = '', section] = target.replace(/^project:/, '').split('#');
  return (section ?? page.replace(/^[./]+|\.\w+$/g, '')).replace(/[-_]/g, ' ');
}

function closingBrace(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) return at;
  }
  return -1;
}

function pictureText(label: string, source: string): string {
  return badge.test(source) ? '' : label;
}

/** Returns the text of a DocC link: the last part of a name such as `TheBasics#Integer-Types`. */
function nameOfPage(name: string): string {
  return (name.split(/[/#]/).filter(Boolean).at(-1) ?? name).replaceAll('-', ' ');
}
