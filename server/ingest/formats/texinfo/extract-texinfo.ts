import type { ExtractedDocument } from '../../document.ts';
import { plainText } from '../../split/plain-inline.ts';
import { fenced } from '../draft.ts';
import { identifiersIn } from '../identifiers.ts';
import { openMarkdown } from '../markdown/extract-markdown.ts';
import { codeSpan, tableMarkdown } from '../write-markdown.ts';

/** Extracts a Texinfo file: lines are converted to Markdown; definitions and named list entries become terms. */
export function extractTexinfo(text: string, { url }: { url: string }): ExtractedDocument {
  // The line that loads TeX's macros is the first, or follows a comment.
  const read = text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/^\\input .*$/m, '');
  return new TexinfoReader(withoutMacros(read).split('\n'), url).read().draft.finish();
}

/** Heading depths; the title has depth 1. */
const headingDepths: Record<string, number> = {
  ...{ chapter: 2, unnumbered: 2, appendix: 2, chapheading: 2, majorheading: 2 },
  ...{ section: 3, unnumberedsec: 3, appendixsec: 3, appendixsection: 3, heading: 3 },
  ...{ subsection: 4, unnumberedsubsec: 4, appendixsubsec: 4, subheading: 4 },
  ...{ subsubsection: 5, unnumberedsubsubsec: 5, appendixsubsubsec: 5, subsubheading: 5 },
};
/** Blocks for other outputs, navigation or print. */
const skippedBlocks = new Set(
  (
    'ignore tex iftex html ifhtml xml ifxml docbook ifdocbook latex iflatex menu detailmenu direntry titlepage copying macro ' +
    'rmacro documentdescription ifset'
  ).split(' '),
);
const codeBlocks = new Set(
  'example smallexample lisp smalllisp verbatim display smalldisplay format smallformat'.split(' '),
);
const tables = new Set(['table', 'ftable', 'vtable']);
const listBlocks = new Set([...tables, 'itemize', 'enumerate']);
const codeCommands = new Set('code samp kbd command option file env key t'.split(' '));
const emphasised = new Set(['var', 'emph', 'i', 'slanted', 'dfn', 'cite']);
const signs: Record<string, string> = {
  ...{
    dots: '…',
    enddots: '…',
    copyright: '©',
    registeredsymbol: '®',
    TeX: 'TeX',
    LaTeX: 'LaTeX',
    minus: '-',
    bullet: '•',
  },
  ...{ result: '⇒', expansion: '↦', print: '⊣', error: 'error→', equiv: '≡', point: '∗', atchar: '@', lbracechar: '{' },
  ...{
    rbracechar: '}',
    backslashchar: '\\',
    hashchar: '#',
    comma: ',',
    geq: '≥',
    leq: '≤',
    arrow: '→',
    tie: ' ',
    today: '',
  },
};
/** Definitions with a category (in braces if it has several words) before the name. */
const categorised = /^(?:fn|vr|typefn|typevr|tp|cv|op|typeop|typecv)$/;
/** Definitions with a class before the name. */
const ofClass = /^(?:type)?(?:cv|op|ivar|method)$/;
const nestingMax = 20;
/** Lists nested deeper than this are not indented further. */
const listDepthMax = 16;
/** Limits how many lines an unclosed brace can consume. */
const linesJoinedMax = 40;

interface OpenList {
  kind: string;
  /** The command that formats its entries. */
  style: string;
  /** True if its entries are terms; false for a list inside an indented one. */
  hasTerms: boolean;
  isTermOpen: boolean;
}

class TexinfoReader {
  readonly #lines: readonly string[];
  readonly #values = new Map<string, string>();
  /** Characters that values may still add. */
  #valuesLeft = expandedMax;
  readonly #page: ReturnType<typeof openMarkdown>;
  #out: string[] = [];
  /** Open lists and definitions. */
  readonly #lists: OpenList[] = [];
  /** Number of open lists with indented entries. */
  #depth = 0;
  #at = 0;
  #nesting = 0;

  constructor(lines: readonly string[], url: string) {
    this.#lines = lines;
    this.#page = openMarkdown(url);
  }

  read(): ReturnType<typeof openMarkdown> {
    for (; this.#at < this.#lines.length; this.#at += 1) {
      const line = this.#lines[this.#at] as string;
      const [, command = '', rest = ''] = /^[ \t]*@([a-zA-Z]+)(?![a-zA-Z{])[ \t]*(.*)$/s.exec(line) ?? [];
      if (command === 'bye') break;
      if (command === '') this.#put(this.#inline(this.#whole(line.trim())));
      else this.#readCommand(command, rest.trim());
    }
    this.#flush();
    return this.#page;
  }

  #flush(): void {
    if (this.#out.length > 0) this.#page.read(this.#out.join('\n'));
    this.#out = [];
  }

  #readCommand(command: string, rest: string): void {
    const depth = headingDepths[command];
    const defined = /^def(?!initions|index|codeindex|ault)([a-z]+?)(x?)$/.exec(command);
    if (depth !== undefined) {
      while (this.#lists.length > 0) this.#closeList();
      this.#out.push('', `${'#'.repeat(depth)} ${this.#inline(rest)}`, '');
    } else if (command === 'settitle') this.#out.push(`# ${this.#inline(rest)}`, '');
    else if (command === 'set') this.#values.set(rest.split(/\s/, 1)[0] ?? '', rest.replace(/^\S+\s*/, ''));
    else if (skippedBlocks.has(command)) this.#at = this.#endOf(command);
    else if (codeBlocks.has(command)) this.#readCode(command);
    else if (command === 'multitable') this.#readTable();
    else if (listBlocks.has(command)) {
      this.#openList(command, /^@(\w+)/.exec(rest)?.[1] ?? '', tables.has(command));
      this.#out.push('');
    } else if (command === 'item' || command === 'itemx') this.#readItem(command, rest);
    else if (command === 'end') {
      if (this.#lists.at(-1)?.kind === rest || listBlocks.has(rest)) this.#closeList();
      this.#out.push('');
    } else if (defined) this.#readDefinition(defined[1] as string, defined[2] !== '', rest);
    else if (command in signs || command === 'noindent' || command === 'indent') this.#put(this.#inline(rest));
    // All other commands on separate lines are settings, index entries, nodes or block marks.
  }

  /** Returns a line joined with the following ones until its braces are closed, as for a footnote. */
  #whole(line: string): string {
    let whole = line;
    const last = Math.min(this.#lines.length - 1, this.#at + linesJoinedMax);
    while (this.#at < last && isOpen(whole)) whole = `${whole} ${(this.#lines[++this.#at] as string).trim()}`;
    return whole;
  }

  #openList(kind: string, style: string, isOfNames: boolean): void {
    const hasTerms = isOfNames && this.#depth === 0;
    this.#lists.push({ kind, style, hasTerms, isTermOpen: false });
    if (!hasTerms) this.#depth += 1;
  }

  #closeList(): void {
    const list = this.#lists.pop();
    if (list === undefined) return;
    this.#closeTerm(list);
    if (!list.hasTerms) this.#depth -= 1;
  }

  #openTerm(list: OpenList, shown: string, names: readonly string[]): void {
    this.#closeTerm(list);
    this.#flush();
    this.#page.draft.openTerm(shown, [...new Set(names)], this.#page.anchorOf(names[0] ?? plainText(shown)));
    list.isTermOpen = true;
  }

  #closeTerm(list: OpenList): void {
    if (!list.isTermOpen) return;
    this.#flush();
    this.#page.draft.closeTerm();
    list.isTermOpen = false;
  }

  #put(text: string): void {
    this.#out.push(text === '' ? '' : `${this.#indent(this.#depth)}${text}`);
  }

  #indent(depth: number): string {
    return '  '.repeat(Math.min(Math.max(0, depth), listDepthMax));
  }

  /** Returns the line of `@end block`, or the last line of the file. */
  #endOf(block: string): number {
    const end = new RegExp(`^[ \\t]*@end[ \\t]+${block}\\b`);
    for (let at = this.#at + 1; at < this.#lines.length; at += 1) if (end.test(this.#lines[at] as string)) return at;
    return this.#lines.length - 1;
  }

  #readCode(kind: string): void {
    const end = this.#endOf(kind);
    const code: string[] = [];
    let isRaw = kind === 'verbatim';
    // A comment removes the rest of its line, including the line break.
    let before = '';
    for (const line of this.#lines.slice(this.#at + 1, end)) {
      const mark = kind === 'verbatim' ? null : /^[ \t]*@(end[ \t]+)?verbatim\b/.exec(line);
      if (mark) isRaw = mark[1] === undefined;
      else if (isRaw) code.push(line);
      else if (!/^[ \t]*@(?:group|end group|noindent|need|page|[a-z]index)\b/.test(line)) {
        const [written, comment] = line.split(/(?<!@)@c(?:omment)?(?![a-zA-Z])/, 2);
        before += this.#plain(written as string);
        if (comment !== undefined) continue;
        code.push(before);
        before = '';
      }
    }
    if (before.trim() !== '') code.push(before);
    const indent = this.#indent(this.#depth);
    const language = kind.endsWith('lisp') ? 'lisp' : '';
    this.#out.push('', fenced(code.join('\n'), language).replace(/^/gm, indent), '');
    this.#at = end;
  }

  #readTable(): void {
    const end = this.#endOf('multitable');
    const rows: string[][] = [];
    for (const line of this.#lines.slice(this.#at + 1, end)) {
      const [, mark, rest = line] = /^[ \t]*@(item|headitem|tab)\b[ \t]*(.*)$/s.exec(line) ?? [];
      const cells = rest.split(/@tab\b/).map((cell) => this.#inline(cell.trim()).replaceAll('|', '\\|'));
      if (mark === 'item' || mark === 'headitem') rows.push(cells);
      else if (mark === 'tab') rows.at(-1)?.push(...cells);
      else if (line.trim() !== '' && !/^[ \t]*@/.test(line)) {
        const row = rows.at(-1);
        if (row) row[row.length - 1] += ` ${cells[0]}`;
      }
    }
    const hasHead = this.#lines.slice(this.#at + 1, end).some((line) => /^[ \t]*@headitem\b/.test(line));
    this.#out.push('', tableMarkdown(hasHead ? rows : [[], ...rows]), '');
    this.#at = end;
  }

  #readItem(command: string, rest: string): void {
    const list = this.#lists.at(-1);
    const indent = this.#indent(this.#depth - 1);
    if (list === undefined || !tables.has(list.kind)) {
      this.#out.push(`${indent}${list?.kind === 'enumerate' ? '1.' : '-'} ${this.#inline(rest)}`.trimEnd());
      return;
    }
    const terms = [rest];
    // An entry's further names follow the first, possibly with index entries and anchors in between.
    for (let at = this.#at + 1; command === 'item'; at += 1) {
      const [, further, name = ''] =
        /^[ \t]*@(itemx[ \t]|[a-z]+index\b|anchor\{)[ \t]*(.*)$/s.exec(this.#lines[at] ?? '') ?? [];
      if (further === undefined) break;
      if (!further.startsWith('itemx')) continue;
      terms.push(name.trim());
      this.#at = at;
    }
    const shown = terms
      .filter((term) => term !== '')
      .map((term) => (codeCommands.has(list.style) ? codeSpan(this.#plain(term)) : this.#inline(term)));
    if (list.hasTerms) this.#openTerm(list, shown.join(', '), shown.flatMap(identifiersIn));
    else this.#out.push('', `${indent}- ${shown.map((term) => `**${term}**`).join(', ')}`, '');
  }

  /** Reads a definition, or another signature of the open one. */
  #readDefinition(kind: string, isFurther: boolean, rest: string): void {
    let whole = rest;
    // An `@` at the end of a line continues the signature.
    while (whole.endsWith('@') && this.#at + 1 < this.#lines.length)
      whole = `${whole.slice(0, -1)}${(this.#lines[++this.#at] as string).trim()}`;
    // Words in braces count as one.
    const words = whole.match(/(?:@[{}]|\{(?:[^{}]|\{[^{}]*\})*\}|[^\s{}])+/g) ?? [];
    const category = categorised.test(kind) ? (words.shift() ?? '') : '';
    const signature = this.#plain(whole.slice(category.length)).replace(/[{}]/g, '').trim();
    if (signature === '') return;
    const at = (ofClass.test(kind) ? 1 : 0) + (kind.startsWith('type') ? 1 : 0);
    const name = this.#plain(words[at] ?? words[0] ?? '').replace(/^[*{]+|[(,;}].*$/gs, '');
    if (!isFurther) this.#openList(`def${kind}`, '', true);
    const list = this.#lists.at(-1) as OpenList | undefined;
    const shown = codeSpan(signature);
    if (list?.hasTerms && list.kind === `def${kind}`) this.#openTerm(list, shown, name === '' ? [] : [name]);
    else this.#out.push('', `${this.#indent(this.#depth)}${shown}`, '');
  }

  #inline(text: string): string {
    const quoted = text.includes('``') ? text.replaceAll('``', '“').replaceAll("''", '”') : text;
    return this.#commands(quoted, (name, body) => {
      if (codeCommands.has(name)) return codeSpan(this.#plain(body));
      if (name === 'verb') return codeSpan(body.slice(1, -1));
      if (emphasised.has(name)) return `*${this.#inline(body)}*`;
      if (name === 'strong' || name === 'b') return `**${this.#inline(body)}**`;
      if (name === 'url' || name === 'uref') {
        const [target = '', label = target] = body.split(/\s*,\s*/);
        return `[${this.#plain(label)}](${this.#plain(target)})`;
      }
      return this.#words(name, body, (part) => this.#inline(part));
    });
  }

  /** Returns text as it appears in code. */
  readonly #plain = (text: string): string =>
    this.#commands(text, (name, body) => (name === 'dots' ? '...' : this.#words(name, body, this.#plain)));

  /** Returns a command's text without formatting. */
  #words(name: string, body: string, read: (part: string) => string): string {
    if (name === 'anchor' || name === 'image') return '';
    if (name === 'verb') return body.slice(1, -1);
    if (name === 'value') {
      const value = this.#values.get(body) ?? '';
      this.#valuesLeft -= value.length + 1;
      return this.#valuesLeft < 0 ? '' : read(value);
    }
    if (name === 'footnote') return ` (${read(body)})`;
    if (/^(?:[px]?ref|inforef|link)$/.test(name)) {
      const [node = '', , label = ''] = body.split(',').map((part) => part.trim());
      return `${name === 'xref' ? 'See ' : name === 'pxref' ? 'see ' : ''}${read(label === '' ? node : label)}`;
    }
    if (name === 'email') return read(body.split(',')[0] ?? '');
    return signs[name] ?? read(body);
  }

  /** Returns the text with each `@command{…}` replaced by the result of `read`. */
  #commands(text: string, read: (name: string, body: string) => string): string {
    if (this.#nesting >= nestingMax) return text;
    this.#nesting += 1;
    let said = '';
    for (let at = 0; at < text.length; ) {
      const [whole, name = ''] = /^@([a-zA-Z]+)\{/.exec(text.slice(at, at + 40)) ?? [];
      if (whole !== undefined) {
        const end = closing(text, at + whole.length);
        said += read(name, text.slice(at + whole.length, end));
        at = end + 1;
      } else if (text[at] === '@' && /[@{}.!?:*\- /\n|]/.test(text[at + 1] ?? '')) {
        said += /[@{}.!? ]/.test(text[at + 1] as string) ? text[at + 1] : '';
        at += 2;
      } else {
        said += text[at];
        at += 1;
      }
    }
    this.#nesting -= 1;
    return said;
  }
}

interface Macro {
  parameters: string[];
  body: string[];
}

/** Limits for the arguments of one call and for the text of all calls. */
const argumentsMax = 2_000;
const expandedMax = 1_000_000;

/** Replaces macro calls with the macros' text, except in `@verbatim` and skipped blocks. */
function withoutMacros(text: string): string {
  if (!/^@r?macro\s/m.test(text)) return text;
  const macros = new Map<string, Macro>();
  const budget = { left: expandedMax };
  const out: string[] = [];
  let lines: string[] = [];
  let open: Macro | undefined;
  let raw = '';
  const flush = () => {
    if (lines.length > 0) out.push(expanded(lines.join('\n'), macros, budget));
    lines = [];
  };
  for (const line of text.split('\n')) {
    const [, name, parameters = ''] = /^@r?macro[ \t]+([\w-]+)[ \t]*(?:\{([^{}]*)\})?/.exec(line) ?? [];
    const block = /^[ \t]*@([a-zA-Z]+)(?![a-zA-Z{])/.exec(line)?.[1] ?? '';
    if (open) {
      if (/^@end[ \t]+r?macro\b/.test(line)) open = undefined;
      else open.body.push(line);
    } else if (raw !== '' || block === 'verbatim' || (name === undefined && skippedBlocks.has(block))) {
      flush();
      raw ||= block;
      if (/^[ \t]*@end[ \t]+([a-zA-Z]+)/.exec(line)?.[1] === raw) raw = '';
      out.push(line);
    } else if (name !== undefined) {
      flush();
      open = { parameters: parameters.split(',').flatMap((each) => each.trim() || []), body: [] };
      macros.set(name, open);
    } else lines.push(line);
  }
  flush();
  return out.join('\n');
}

/** A macro call, or text that contains none: an escaped character, a comment, `@verb{|…|}`. */
const calls = /@(?:@|c(?:omment)?(?![\w-]).*|verb\{([^}]).{0,100}?\1\}|([a-zA-Z][\w-]*)\{?)/g;

function expanded(text: string, macros: ReadonlyMap<string, Macro>, budget: { left: number }, depth = 0): string {
  if (depth >= nestingMax) return text;
  let out = '';
  let done = 0;
  for (const { 0: call, 2: name = '', index } of text.matchAll(calls)) {
    const macro = macros.get(name);
    if (macro === undefined || index < done || budget.left < 0) continue;
    let from = index + call.length;
    let given = '';
    if (call.endsWith('{')) {
      const part = text.slice(from, from + argumentsMax);
      given = part.slice(0, closing(part, 0));
      if (given.length === part.length) continue;
      from += given.length + 1;
    } else if (macro.parameters.length > 0) {
      given = text.slice(from, from + argumentsMax).split('\n', 1)[0] as string;
      from += given.length;
    }
    const values = macro.parameters.length === 1 ? [given.trim()] : argumentsIn(given);
    const written = macro.body.join('\n');
    budget.left -= written.length + 1;
    const body = written.replace(/\\([\w-]*)\\/g, (whole, parameter: string) => {
      const at = macro.parameters.indexOf(parameter);
      const value = parameter === '' ? '\\' : at < 0 ? whole : (values[at] ?? '');
      budget.left -= value.length;
      return budget.left < 0 ? '' : value;
    });
    if (budget.left < 0) continue;
    out += text.slice(done, index) + expanded(body, macros, budget, depth + 1);
    done = from;
  }
  return out + text.slice(done);
}

/** Splits arguments at commas, except commas in braces or after a backslash. */
function argumentsIn(given: string): string[] {
  const values: string[] = [];
  let value = '';
  let depth = 0;
  for (let at = 0; at < given.length; at += 1) {
    if (given[at] === '{') depth += 1;
    else if (given[at] === '}') depth -= 1;
    if (given[at] === ',' && depth === 0) {
      values.push(value);
      value = '';
    } else value += given[at] === '\\' ? (given[++at] ?? '') : given[at];
  }
  return [...values, value].map((each) => each.trimStart());
}

/** Returns true if the text has an unclosed brace. */
function isOpen(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '@' && /[@{}]/.test(text[at + 1] ?? '')) at += 1;
    else if (text[at] === '{') depth += 1;
    else if (text[at] === '}') depth -= 1;
  }
  return depth > 0;
}

/** Returns the position of the brace that closes the one before `from`, or the end of the text. */
function closing(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '@') at += 1;
    else if (text[at] === '{') depth += 1;
    else if (text[at] === '}' && --depth === 0) return at;
    if (depth > nestingMax) break;
  }
  return text.length;
}
