import { markdownOfReference } from '../entities.ts';
import { codeSpan } from '../write-markdown.ts';
import type { AsciidocState } from './state.ts';

/** If a macro's target is longer than this, it is read as text. */
const targetCharsMax = 1000;
const contentCharsMax = 4000;
/** Maximum nesting of marks and macros; deeper ones stay as written. */
const depthMax = 3;
const signs = /[`*_#+[\\:<(&{]/;
/** Attribute names that usually contain the start of an address. */
const addressName =
  /(?:ur[il]|link|href|site|page|doc|root|base|github)s?$|(?:^|[-_])(?:ur[il]|links?|site|docs?|code|apiref|javadoc)[-_]/i;

interface Step {
  markdown: string;
  /** Start position, if it is before the character that triggered this step. */
  start?: number;
  end: number;
}

/**
 * Converts inline AsciiDoc to Markdown: code, emphasis, absolute links, macros reduced to their text. One pass, linear.
 */
export function inlineMarkdown(state: AsciidocState, source: string): string {
  // Before a label, adds a backslash to an escaped attribute: substitution removes one, the reader needs the other.
  const text = state.substituted(source.replace(/\\(?=\{[\w-]{1,60}\}[^\s[\]`]{0,300}\[)/g, '\\\\'));
  return signs.test(text) ? new InlineReader(state, text, 0).read() : text;
}

class InlineReader {
  /** The last result of `closing` by mark: many opening marks may wait for one that is far away or missing. */
  private readonly closings = new Map<string, { from: number; close: number }>();
  private readonly state: AsciidocState;
  private readonly text: string;
  private readonly depth: number;

  constructor(state: AsciidocState, text: string, depth: number) {
    this.state = state;
    this.text = text;
    this.depth = depth;
  }

  read(): string {
    const { text } = this;
    const out: string[] = [];
    const special = /[`*_#+[\\<(&:{]/g;
    let at = 0;
    let copied = 0;
    for (;;) {
      special.lastIndex = at;
      const found = special.exec(text);
      if (!found) break;
      at = found.index;
      const step = found[0] === ':' ? this.macro(at, copied) : this.step(found[0], at);
      if (!step) {
        at++;
        continue;
      }
      const start = step.start ?? at;
      out.push(text.slice(copied, start), step.markdown);
      at = copied = step.end;
    }
    out.push(text.slice(copied));
    return out.join('');
  }

  private step(char: string, at: number): Step | undefined {
    const { text } = this;
    switch (char) {
      case '\\': {
        const isEscape = /[`*_#+[<{\\:^~]/.test(text[at + 1] ?? '');
        return isEscape ? { markdown: `\\${text[at + 1]}`.replace(/\\(?=[#+{:^~])/, ''), end: at + 2 } : undefined;
      }
      case '`':
        return this.code(at);
      case '*':
        return this.quoted(at, '*', '**');
      case '_':
        return this.quoted(at, '_', '*');
      case '#':
        return this.quoted(at, '#', '');
      case '+':
        return this.passThrough(at);
      case '[':
        return this.bracket(at);
      case '<':
        return this.crossReference(at);
      case '&':
        return this.reference(at);
      case '{':
        return this.unknownTarget(at);
      default:
        return this.indexTerm(at);
    }
  }

  private code(at: number): Step | undefined {
    const mark = this.text.startsWith('``', at) ? '``' : '`';
    const close = this.closing(mark, at + mark.length);
    // Two backticks with two apostrophes are quotation marks.
    const quote = mark === '``' ? this.closing("''", at + 2) : -1;
    if (quote > 0 && (close < 0 || quote < close))
      return { markdown: `"${this.text.slice(at + 2, quote)}"`, end: quote + 2 };
    if (close < 0 || close === at + mark.length) return undefined;
    const inside = this.text.slice(at + mark.length, close);
    const code = /^\+[\s\S]*\+$/.test(inside) && inside.length > 2 ? inside.slice(1, -1) : inside;
    return { markdown: codeSpan(code.replace(/\\(?=[{`*_<])/g, '')), end: close + mark.length };
  }

  /** Reads quoted text. Single marks must surround words; double ones may be anywhere. */
  private quoted(at: number, char: string, mark: string): Step | undefined {
    const { text } = this;
    const isDouble = text[at + 1] === char;
    const open = isDouble ? char + char : char;
    const start = at + open.length;
    const before = text[at - 1] ?? ' ';
    if (!isDouble && (/[\p{L}\p{N}_]/u.test(before) || /\s/.test(text[start] ?? ' '))) return undefined;
    const close = this.closing(open, start, !isDouble);
    if (close <= start || /\s/.test(text[close - 1] as string) || close - start > contentCharsMax) return undefined;
    return { markdown: `${mark}${this.inner(text.slice(start, close))}${mark}`, end: close + open.length };
  }

  /** Reads text inside marks or link text. */
  private inner(text: string): string {
    if (this.depth >= depthMax || !signs.test(text)) return text;
    return new InlineReader(this.state, text, this.depth + 1).read();
  }

  /** Reads a character reference such as `&#8212;`; escapes characters that are special in Markdown. */
  private reference(at: number): Step | undefined {
    const reference = /^&#?\w{1,8};/.exec(this.text.slice(at, at + 12))?.[0];
    if (reference === undefined) return undefined;
    return { markdown: markdownOfReference(reference), end: at + reference.length };
  }

  private passThrough(at: number): Step | undefined {
    const mark = /^\+{1,3}/.exec(this.text.slice(at, at + 3))?.[0] as string;
    const before = this.text[at - 1] ?? ' ';
    if (mark.length === 1 && (/[\w+]/.test(before) || /\s/.test(this.text[at + 1] ?? ' '))) return undefined;
    const close = this.closing(mark, at + mark.length);
    if (close <= at + mark.length) return undefined;
    const inside = this.text.slice(at + mark.length, close);
    return { markdown: mark.length === 3 ? inside.replace(/<[^<>]*>/g, '') : inside, end: close + mark.length };
  }

  /** Skips `[[id]]` and `[.role]` before text. */
  private bracket(at: number): Step | undefined {
    const part = this.text.slice(at, at + 200);
    const anchor = /^\[\[[^\s[\]]+\]\]/.exec(part);
    if (anchor) return { markdown: '', end: at + anchor[0].length };
    const role = /^\[[.#%][\w.#%-]+\](?=[#*_`])/.exec(part);
    return role ? { markdown: '', end: at + role[0].length } : undefined;
  }

  private crossReference(at: number): Step | undefined {
    const match = /^<<([^<>,]{1,300})(?:,([^]{0,500}?))?>>/.exec(this.text.slice(at, at + 810));
    if (!match) return undefined;
    const target = (match[1] as string).trim();
    const label = match[2]?.trim() || target.replace(/^.*#/, '').replace(/^_/, '').replace(/[_-]/g, ' ');
    return { markdown: this.link(label, referenceTarget(target)), end: at + match[0].length };
  }

  /** Reads a link whose address starts with an undefined attribute: only its text is kept. */
  private unknownTarget(at: number): Step | undefined {
    if (!/[\s([{<]/.test(this.text[at - 1] ?? ' ')) return undefined;
    const [whole = '', name = '', content = ''] =
      /^\{([\w-]{1,60})\}(?:[/#?][^\s[\]`]{0,300})?\[(?!\d+\])([^[\]]{1,300})\]/.exec(this.text.slice(at, at + 700)) ??
      [];
    const label = inlineLabel(content);
    return label !== '' && addressName.test(name) ? { markdown: this.inner(label), end: at + whole.length } : undefined;
  }

  private indexTerm(at: number): Step | undefined {
    const match = /^\(\(\(?([^()]{1,200})\)\)\)?/.exec(this.text.slice(at, at + 210));
    if (!match) return undefined;
    return { markdown: match[0].startsWith('(((') ? '' : (match[1] as string), end: at + match[0].length };
  }

  /** Reads `name:target[content]` around its colon; the macro must not start before `from`. */
  private macro(at: number, from: number): Step | undefined {
    const { text } = this;
    const name = /[A-Za-z][\w-]{0,30}$/.exec(text.slice(Math.max(from, at - 31), at))?.[0];
    if (name === undefined) return undefined;
    const target = /^[^\s[\]]*/.exec(text.slice(at + 1, at + 1 + targetCharsMax))?.[0] as string;
    const open = at + 1 + target.length;
    if (text[open] !== '[') return undefined;
    const close = this.closingBracket(open);
    if (close < 0) return undefined;
    const content = text.slice(open + 1, close).replaceAll('\\]', ']');
    const start = at - name.length;
    return { start, markdown: this.macroText(name, target, content), end: close + 1 };
  }

  private macroText(name: string, target: string, content: string): string {
    // An image used as link text is replaced by its description.
    const label = (): string => inlineLabel(content.replace(/\bimage:[^\s[\]]*\[([^\],]*)(?:,[^\]]*)?\]/g, '$1'));
    switch (name) {
      case 'http':
      case 'https':
      case 'ftp':
      case 'irc': {
        const url = `${name}:${target}`;
        return this.link(label() || url, url);
      }
      case 'link':
      case 'mailto':
        return this.link(label() || target, name === 'mailto' ? `mailto:${target}` : target);
      case 'xref':
        return this.link(label() || target.replace(/^.*[#/]/, ''), referenceTarget(target));
      case 'image':
        return content.split(',')[0]?.replace(/^"|"$/g, '') ?? '';
      case 'icon':
      case 'anchor':
      case 'indexterm':
      case 'bibanchor':
        return '';
      case 'footnote':
      case 'footnoteref':
        return content === '' ? '' : ` (${content})`;
      case 'menu':
        return [target.replaceAll('_', ' '), ...content.split('>')]
          .map((part) => part.trim())
          .filter(Boolean)
          .join(' > ');
      case 'btn':
        return `**${content}**`;
      case 'kbd':
      case 'stem':
      case 'latexmath':
      case 'asciimath':
        return codeSpan(content);
      case 'pass':
        return content;
      default:
        // Custom macros: a manual page becomes `name(section)`, others their text.
        return /^\d\w?$/.test(content) ? `${target}(${content})` : label() || target;
    }
  }

  private link(label: string, target: string): string {
    const url = this.state.draft.resolve(target);
    if (label === url) {
      this.state.draft.addLink(url, label);
      return `<${url}>`;
    }
    const text = this.inner(label);
    if (url === undefined) return text;
    this.state.draft.addLink(url, text.replace(/[`*]/g, '').slice(0, 300));
    return `[${text}](${url.replace(/\(/g, '%28').replace(/\)/g, '%29')})`;
  }

  private closing(mark: string, from: number, isAfterWord = false): number {
    const key = isAfterWord ? `${mark} ` : mark;
    const known = this.closings.get(key);
    if (known && from >= known.from && (known.close < 0 || from <= known.close)) return known.close;
    let close = this.text.indexOf(mark, from);
    while (isAfterWord && close >= 0 && /[\p{L}\p{N}_]/u.test(this.text[close + 1] ?? ' '))
      close = this.text.indexOf(mark, close + 1);
    this.closings.set(key, { from, close });
    return close;
  }

  /** Returns the position of the closing bracket. Inner brackets are skipped if all of them are closed. */
  private closingBracket(open: number): number {
    const part = this.text.slice(open + 1, open + 1 + contentCharsMax);
    let first = -1;
    let depth = 0;
    for (let at = 0; at < part.length; at++) {
      if (part[at] === '\\') at++;
      else if (part[at] === '[') depth++;
      else if (part[at] === ']') {
        if (depth-- === 0) return open + 1 + at;
        if (first < 0) first = open + 1 + at;
      }
    }
    return first;
  }
}

/** Returns a link's text without attributes: `Label^,role=external`. */
function inlineLabel(content: string): string {
  const quoted = /^"([^"]*)"/.exec(content);
  const label = quoted?.[1] ?? (content.includes('=') ? (content.split(',')[0] as string) : content);
  return /^[\w-]+=/.test(label) ? '' : label.replace(/\^$/, '').replace(/\s+/g, ' ').trim();
}

function referenceTarget(target: string): string {
  return target.includes('#') || /\.\w{2,5}$/.test(target) || target.includes('/') ? target : `#${target}`;
}
