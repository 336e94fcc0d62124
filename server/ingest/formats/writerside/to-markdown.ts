import { fenced } from '../draft.ts';
import { decodeEntities } from '../entities.ts';
import { endsFence, fenceBehindMarks } from '../markdown/lines.ts';
import { attributesEnd, attributesOf } from './project.ts';

interface Token {
  kind: 'open' | 'close' | 'code' | 'data' | 'comment' | 'markdown';
  name: string;
  tag: string;
  from: number;
  to: number;
  /** Index of the tag that closes the element. */
  close?: number;
  /** Number of Markdown marks before this token, and how many of them are fences. */
  marks: number;
  fences: number;
}

const tokenStart =
  /<!--|<!\[CDATA\[|<[?!][^<>]*>|^[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*)*(`{3,}|~{3,})[^\n]*$|`[^`\n]+`|\]\(|^[ \t]*(?:[-*+]|\d+[.)]|#{1,6}|>)[ \t]\S|<(\/?)([a-z][\w-]*)((?:\s(?:[^<>"']|"[^"<]{0,2000}"|'[^'<]{0,2000}'){0,4000})?)>/gm;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const open = new Map<string, number[]>();
  const missing = new Set<string>();
  let marks = 0;
  let fences = 0;
  const endAfter = (mark: string, from: number): number => {
    const at = missing.has(mark) ? -1 : text.indexOf(mark, from);
    if (at < 0) missing.add(mark);
    return at < 0 ? text.length : at + mark.length;
  };
  const start = new RegExp(tokenStart);
  for (let found = start.exec(text); found; found = start.exec(text)) {
    const [tag, fence, slash, name = ''] = found;
    const from = found.index;
    const token: Token = { kind: 'markdown', name, tag, from, to: from + tag.length, marks, fences };
    if (tag === '<!--') Object.assign(token, { kind: 'comment', to: endAfter('-->', from) });
    else if (tag === '<![CDATA[') Object.assign(token, { kind: 'data', to: endAfter(']]>', from) });
    else if (/^<[?!]/.test(tag)) token.kind = 'comment';
    else if (fence !== undefined)
      token.to = fenceEnd(text, token.to, { mark: fence, isQuoted: />.*[`~]{3}/.test(tag) });
    else if (name === 'code-block' && slash === '' && !tag.endsWith('/>'))
      Object.assign(token, { kind: 'code', to: endAfter('</code-block>', from) });
    else if (name !== '') {
      token.kind = slash === '' ? 'open' : 'close';
      const opened = slash === '' ? undefined : open.get(name)?.pop();
      if (opened !== undefined) (tokens[opened] as Token).close = tokens.length;
      if (slash === '' && !tag.endsWith('/>')) {
        const waiting = open.get(name);
        if (waiting) waiting.push(tokens.length);
        else open.set(name, [tokens.length]);
      }
    }
    if (token.kind === 'markdown') marks += 1;
    if (fence !== undefined) fences += 1;
    tokens.push(token);
    start.lastIndex = token.to;
  }
  return tokens;
}

function fenceEnd(text: string, from: number, fence: { mark: string; isQuoted: boolean }): number {
  for (let at = from; at < text.length; ) {
    const next = text.indexOf('\n', at + 1);
    const end = next < 0 ? text.length : next;
    if (endsFence(text.slice(at + 1, end), fence)) return end;
    at = end;
  }
  return text.length;
}

/** Inline elements with their Markdown marks. */
const inline: Record<string, string> = {
  ...{ control: '**', shortcut: '**', b: '**', strong: '**', emphasis: '*', i: '*', em: '*' },
  ...{ code: '`', path: '`', 'ui-path': '`', kbd: '`' },
  ...{ a: '', format: '', img: '', span: '', sub: '', sup: '', tooltip: '', u: '' },
};
const ownInline = /^(?:control|shortcut|emphasis|path|ui-path|format)$/;
const ownBlocks =
  /^(?:topic|tldr|tabs?|procedure|step|list|deflist|def|tip|note|warning|chapter|code-block|snippet|(?:link|card|web)-summary|if|var|include|show-structure|(?:primary|secondary)-label|compare|anchor|seealso|category)$/;
const htmlBlocks = /^(?:p|table|[uo]l)$/;
const tableParts = /^(?:table|tr|t[dh]|thead|tbody)$/;
const silent = /^(?:include|var|show-structure|primary-label|secondary-label|anchor|br|hr|col|wbr)$/;
/** Maximum indentation in lists. */
const prefixMax = 20;
/** Maximum nesting; deeper elements are text. */
const depthMax = 200;

/**
 * Converts Writerside's elements to Markdown, in a whole topic or within a Markdown page. Elements that contain
 * Markdown only lose their tags. Linear time.
 */
export function writersideMarkdown(text: string): string {
  const prepared = withoutAttributes(text);
  const tokens = tokensOf(prepared);
  const out: string[] = [];
  let done = 0;
  let outdent = 0;
  let depth = 1;
  const copy = (to: number) => {
    const run = prepared.slice(done, to);
    out.push(outdent === 0 ? run : run.replace(new RegExp(`^[ \\t]{1,${outdent}}`, 'gm'), ''));
    done = to;
  };
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    const { kind, name, tag, from, to, close } = token;
    if (kind !== 'open' && kind !== 'close' && kind !== 'code') continue;
    if (ownInline.test(name)) {
      copy(from);
      out.push(inline[name] as string);
      done = to;
      continue;
    }
    const end = kind === 'open' ? (close ?? (tag.endsWith('/>') ? at : -1)) : kind === 'code' ? at : -1;
    // Table cells may contain inline Markdown.
    const mark = name === 'table' ? 'fences' : 'marks';
    const isPure = tokens[end]?.[mark] === token[mark];
    if (!ownBlocks.test(name) && !(isPure && htmlBlocks.test(name))) continue;
    copy(from);
    out.push('\n\n');
    if (isPure) {
      const region = tokens.slice(at, end + 1);
      out.push(new ElementWriter(prepared, depth).write(region), '\n\n');
      done = (region.at(-1) as Token).to;
      at = end;
      continue;
    }
    done = to;
    const { title, id } = attributesOf(tag);
    if (name === 'chapter') depth = Math.max(1, depth + (kind === 'close' ? -1 : 1));
    if (kind === 'open' && title !== undefined) out.push(headed(name, title, id, depth), '\n\n');
    else if (kind === 'open' && callouts.test(name)) out.push(`<${name[0]?.toUpperCase()}${name.slice(1)}>\n\n`);
    outdent = /^\s*\n([ \t]*)/.exec(prepared.slice(to, to + 200))?.[1]?.length ?? 0;
  }
  copy(prepared.length);
  return out.join('');
}

const callouts = /^(?:tip|note|warning)$/;

function headed(name: string, title: string, id: string | undefined, depth: number): string {
  if (name !== 'chapter' && name !== 'topic') return `**${title.trim()}**`;
  return `${'#'.repeat(name === 'topic' ? 1 : Math.min(depth, 6))} ${title.trim()}${id && name !== 'topic' ? ` {#${id}}` : ''}`;
}

/** Removes the attribute lines below blocks; a quote gets the label given by its style. */
function withoutAttributes(text: string): string {
  const lines: string[] = [];
  let fence: { mark: string; isQuoted: boolean } | undefined;
  let done = 0;
  const written = text.split(/\r?\n/);
  for (let at = 0; at < written.length; at++) {
    const line = written[at] as string;
    if (fence !== undefined) {
      if (endsFence(line, fence)) fence = undefined;
      lines.push(line);
      continue;
    }
    fence = fenceBehindMarks(line);
    const end = fence === undefined ? attributesEnd(written, at) : -1;
    if (end < 0) {
      lines.push(line.replace(/(\]\([^()\n]{1,500}\))(?: ?\{[\w-]+=[^{}]{1,300}\})+/g, '$1'));
      continue;
    }
    const style = /[\s{]style="(note|tip|warning)"/.exec(line)?.[1];
    let start = lines.length;
    while (style && start > done && lines[start - 1]?.trim() !== '') start -= 1;
    // Text may precede the quote directly, or continue it without a mark.
    while (style && start < lines.length && !/^\s*>/.test(lines[start] as string)) start += 1;
    if (style && start < lines.length)
      lines.splice(start, 0, `${/^\s*/.exec(lines[start] as string)?.[0]}> [!${style.toUpperCase()}]`);
    done = lines.length;
    at = end;
  }
  return lines.join('\n');
}

/** Converts XML elements to Markdown. */
class ElementWriter {
  private readonly out: string[] = [];
  /** Parts of the current paragraph. */
  private line: string[] = [];
  private prefix = '';
  private marker: string | undefined;
  private readonly open: { name: string; prefix: string; at: number; href: string; id?: string; count?: number }[] = [];
  private tables = 0;
  private readonly text: string;
  private depth: number;

  constructor(text: string, depth: number) {
    this.text = text;
    this.depth = depth;
  }

  write(tokens: readonly Token[]): string {
    let done = (tokens[0] as Token).from;
    for (const token of tokens) {
      this.addText(this.text.slice(done, token.from));
      done = token.to;
      if (token.kind === 'data')
        this.line.push(escaped(this.text.slice(token.from + 9, token.to).replace(/\]\]>$/, '')));
      else if (token.kind === 'code') this.addCode(this.text.slice(token.from, token.to));
      else if (token.kind === 'open') this.enter(token);
      else if (token.kind === 'close') this.leave(token.name);
      else if (token.kind === 'markdown') this.line.push(token.tag);
    }
    // An unclosed table is shown too.
    this.tables = 0;
    this.flush();
    return this.out.join('\n').trim();
  }

  private addText(text: string): void {
    for (const [index, part] of text.split(/\n[ \t]*\r?\n/).entries()) {
      if (index > 0 && part.trim() !== '') this.flush();
      this.line.push(part.replace(/\s+/g, ' '));
    }
  }

  private flush(): void {
    if (this.tables > 0) {
      this.line.push(' ');
      return;
    }
    const text = this.line.splice(0).join('').trim();
    if (text !== '') this.push(text);
  }

  private push(text: string): void {
    const first = this.marker ?? this.prefix;
    this.marker = undefined;
    this.out.push(this.prefix.trimEnd(), `${first}${text.replaceAll('\n', `\n${this.prefix}`)}`);
  }

  private addCode(element: string): void {
    const [tag = ''] = /^<[^>]*>/.exec(element) ?? [];
    const inside = element
      .slice(tag.length)
      .replace(/<\/code-block>$/, '')
      .split(/<!\[CDATA\[|\]\]>/);
    const code = inside.map((part, at) => (at % 2 === 1 ? part : decodeEntities(part))).join('');
    const lines = code
      .replace(/^(?:[ \t]*\r?\n)+/, '')
      .trimEnd()
      .split(/\r?\n/);
    const indents = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
    const least = indents.reduce((least, indent) => Math.min(least, indent), 1_000);
    const shown = lines.map((line) => line.slice(least)).join('\n');
    if (this.tables > 0) {
      this.line.push(` \`${shown.replaceAll('`', '').replace(/\s+/g, ' ')}\` `);
      return;
    }
    this.flush();
    if (shown !== '') this.push(fenced(shown, (attributesOf(tag).lang ?? '').toLowerCase()));
  }

  private enter({ name, tag }: Token): void {
    const { title, id, href = '', anchor, alt = '', type } = attributesOf(tag);
    const target = anchor === undefined ? href : `${href}#${anchor}`;
    const isEmpty = tag.endsWith('/>');
    if (name === 'img') this.line.push(alt);
    if (name === 'a' && isEmpty && target !== '') this.line.push(`[](${target})`);
    const isInline = Object.hasOwn(inline, name);
    this.closeSibling(name);
    if (isEmpty || silent.test(name) || this.open.length >= depthMax) {
      if (!isInline) this.flush();
      return;
    }
    if (isInline) {
      this.open.push({ name, prefix: this.prefix, at: this.line.length, href: target });
      return;
    }
    if (tableParts.test(name) && (name === 'table' || this.tables > 0)) {
      if (name === 'table') {
        this.flush();
        this.tables += 1;
      }
      this.line.push(`<${name}>`);
      this.open.push({ name, prefix: this.prefix, at: 0, href: '' });
      return;
    }
    this.flush();
    const isOrdered =
      name === 'procedure' || name === 'ol' || (name === 'list' && /^(?:decimal|alpha)/.test(type ?? ''));
    const parent = this.open.at(-1);
    this.open.push({ name, prefix: this.prefix, at: 0, href: '', ...(id && { id }), ...(isOrdered && { count: 0 }) });
    if (name === 'chapter') this.depth += 1;
    if (title !== undefined) this.addTitle(name, title, id);
    if (name === 'li' || name === 'step') this.indent(parent?.count === undefined ? '- ' : `${(parent.count += 1)}. `);
    else if (callouts.test(name)) {
      this.push(`> [!${name.toUpperCase()}]`);
      this.prefix = this.prefix.length < prefixMax ? `${this.prefix}> ` : this.prefix;
    }
  }

  /** Closes open items, rows or cells, whose end tag is optional, when the next one starts. */
  private closeSibling(name: string): void {
    const ended = { li: /^li$/, td: /^t[dh]$/, th: /^t[dh]$/, tr: /^t[dhr]$/ }[name];
    for (let last = this.open.at(-1); last && ended?.test(last.name); last = this.open.at(-1)) this.leave(last.name);
  }

  private indent(marker: string): void {
    if (this.prefix.length >= prefixMax || this.tables > 0) return;
    this.marker = `${this.marker ?? this.prefix}${marker}`;
    this.prefix += ' '.repeat(marker.length);
  }

  private addTitle(name: string, title: string, id: string | undefined): void {
    if (name === 'def' && this.prefix === '' && this.tables === 0) {
      this.push(title.trim());
      this.indent(':   ');
    } else this.push(headed(name, title, id, this.depth));
  }

  private leave(name: string): void {
    const at = this.open.findLastIndex((each) => each.name === name);
    const [opened] = at < 0 ? [] : this.open.splice(at);
    if (opened === undefined) return;
    if (Object.hasOwn(inline, name)) {
      const written = this.line.splice(opened.at).join('').trim();
      const mark = inline[name] as string;
      const text = mark === '`' ? decodeEntities(written).replaceAll('`', '') : written;
      if (name === 'a' && opened.href !== '') this.line.push(`[${text}](${opened.href})`);
      else if (text !== '') this.line.push(`${mark}${text}${mark}`);
      return;
    }
    if (name === 'title') {
      const title = this.line.splice(0).join('').trim();
      if (title !== '') this.addTitle(this.open.at(-1)?.name ?? '', title, this.open.at(-1)?.id);
      return;
    }
    if (this.tables > 0 && tableParts.test(name)) {
      this.line.push(`</${name}>`);
      if (name === 'table') this.tables -= 1;
      if (this.tables > 0) return;
    }
    this.flush();
    if (name === 'chapter') this.depth -= 1;
    this.prefix = opened.prefix;
    this.marker = undefined;
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
