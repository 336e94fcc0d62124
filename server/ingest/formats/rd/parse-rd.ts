/** Text, or a macro with the content of its braces. */
export type RdNode = string | RdMacro;

export interface RdMacro {
  name: string;
  /** Text in brackets after the name. */
  option: string;
  args: RdNode[][];
}

/** Macros that contain R code, in which strings may contain unbalanced braces and `#` starts a comment. */
const codeMacros = new Set(['usage', 'examples', 'code', 'dontrun', 'donttest', 'dontdiff', 'dontshow', 'testonly']);
/** Other macros recognised in code. */
const macrosInCode = new Set([
  ...['dots', 'ldots', 'method', 'S3method', 'S4method', 'link', 'linkS4class', 'url', 'href', 'var', 'emph', 'strong'],
  ...['bold', 'pkg', 'if', 'out'],
]);
/** Macros with verbatim content. */
const verbatimMacros = new Set([
  'verb',
  'preformatted',
  'url',
  'eqn',
  'deqn',
  'figure',
  'alias',
  'name',
  'out',
  'command',
]);
/** Maximum number of arguments in braces per macro; one if not listed. */
const argsMax: Readonly<Record<string, number>> = {
  ...{ item: 2, section: 2, subsection: 2, href: 2, eqn: 2, deqn: 2, if: 2, tabular: 2, figure: 2, ifelse: 3 },
  ...{ method: 2, S3method: 2, S4method: 2, newcommand: 2, renewcommand: 2 },
  ...{ dots: 0, ldots: 0, R: 0, cr: 0, tab: 0 },
};
/** Macros nested deeper than this stay as written. */
const depthMax = 50;
/** A longer R string is an apostrophe in a comment or text instead. */
const stringCharactersMax = 200;

const stringPatterns: Readonly<Record<string, RegExp>> = {
  '"': /^"(?:[^"\\\n]|\\.)*"/,
  "'": /^'(?:[^'\\\n]|\\.)*'/,
  '`': /^`[^`\n]*`/,
};

type Kind = 'text' | 'code' | 'verbatim';

/**
 * Parses an R help file following "Parsing Rd files" (developer.r-project.org/parseRd.pdf): macros with their braces,
 * `%` comments, `\` escapes. Never fails: unclosed braces end with the file. Linear time.
 */
export function parseRd(text: string): RdNode[] {
  const source = text.replace(/\r\n?/g, '\n').replace(/^#(?:ifn?def\b.*|endif)$/gm, '');
  return new RdParser(source).nodes('text', 0, false);
}

class RdParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads everything up to the closing brace or the end of the file. */
  nodes(kind: Kind, depth: number, isInBraces: boolean): RdNode[] {
    const nodes: RdNode[] = [];
    let plain = '';
    let open = 0;
    const add = (node: RdNode): void => {
      if (plain !== '') nodes.push(plain);
      plain = '';
      if (node !== '') nodes.push(node);
    };
    while (this.#at < this.#text.length) {
      const sign = this.#text[this.#at] as string;
      if (sign === '}' && isInBraces && open === 0) break;
      if (sign === '{') open++;
      if (sign === '}') open--;
      const macro = sign === '\\' && depth < depthMax ? this.#macro(kind, depth) : undefined;
      if (macro !== undefined) add(macro);
      else if (sign === '{' || sign === '}') plain += this.#take(kind === 'text' ? '' : sign, 1);
      else plain += this.#plain(sign, kind);
    }
    add('');
    return nodes;
  }

  #take(shown: string, length: number): string {
    this.#at += length;
    return shown;
  }

  #plain(sign: string, kind: Kind): string {
    if (sign === '%') return this.#comment();
    const next = this.#text[this.#at + 1] ?? '';
    if (sign === '\\') {
      const isEscape = next === '%' || next === '{' || next === '}' || (next === '\\' && kind !== 'verbatim');
      return this.#take(isEscape ? next : sign, isEscape ? 2 : 1);
    }
    if (kind === 'code' && (sign === '"' || sign === "'" || sign === '`')) return this.#string(sign);
    const run = /[^\\%{}"'`]+/y;
    run.lastIndex = this.#at;
    const plain = run.exec(this.#text)?.[0] ?? sign;
    return this.#take(plain, plain.length);
  }

  /** Skips a comment, with its line break if it is the whole line. */
  #comment(): string {
    const end = this.#text.indexOf('\n', this.#at);
    const isWhole = this.#at === 0 || this.#text[this.#at - 1] === '\n';
    this.#at = end < 0 ? this.#text.length : end + (isWhole ? 1 : 0);
    return '';
  }

  #string(quote: string): string {
    const line = this.#text.slice(this.#at, this.#at + stringCharactersMax);
    const string = stringPatterns[quote]?.exec(line)?.[0];
    if (string === undefined || this.#isInComment()) return this.#take(quote, 1);
    return this.#take(string.replace(/\\([%{}\\])/g, '$1'), string.length);
  }

  #isInComment(): boolean {
    const before = this.#text.slice(Math.max(0, this.#at - stringCharactersMax), this.#at);
    return /^[^"'`]*#/.test(before.slice(before.lastIndexOf('\n') + 1));
  }

  /** Returns undefined if no macro starts here, or one not recognised in this kind of text. */
  #macro(kind: Kind, depth: number): RdMacro | undefined {
    const begin = /\\([A-Za-z][A-Za-z0-9]*)(\[[^\][\n]{0,500}\])?/y;
    begin.lastIndex = this.#at;
    const [whole, name = '', option = ''] = begin.exec(this.#text) ?? [];
    if (whole === undefined || kind === 'verbatim') return undefined;
    const max = argsMax[name] ?? 1;
    const hasBraces = this.#text[this.#at + whole.length] === '{';
    // In code, a backslash belongs to a string unless it starts one of the few macros of usages and examples.
    if (kind === 'code' && !codeMacros.has(name) && !macrosInCode.has(name)) return undefined;
    if (kind === 'code' && max > 0 && !hasBraces) return undefined;
    this.#at += whole.length;
    const inside: Kind = codeMacros.has(name) ? 'code' : verbatimMacros.has(name) ? 'verbatim' : kind;
    const args: RdNode[][] = [];
    while (args.length < max && this.#text[this.#at] === '{') {
      this.#at++;
      // A link's second argument is its text.
      args.push(this.nodes(name === 'href' && args.length === 0 ? 'verbatim' : inside, depth + 1, true));
      this.#at++;
    }
    return { name, option: option.slice(1, -1), args };
  }
}
