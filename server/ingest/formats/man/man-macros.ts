import type { PageWriter } from './page-writer.ts';
import type { Request } from './requests.ts';
import { fontOf, markdownOf, plainOf, type Run, runsOf } from './runs.ts';
import { tblTable } from './tbl.ts';

/** Fonts of the macros that style a line, or alternate between its words. */
const fontMacros: Record<string, Run['font'][]> = {
  B: ['B'],
  I: ['I'],
  R: ['R'],
  SM: ['R'],
  SB: ['B'],
  BR: ['B', 'R'],
  RB: ['R', 'B'],
  BI: ['B', 'I'],
  IB: ['I', 'B'],
  IR: ['I', 'R'],
  RI: ['R', 'I'],
};

/** Reads a page written with `man` macros. */
export class ManMacros {
  private font: Run['font'] = 'R';
  private readonly writer: PageWriter;
  private readonly strings: Map<string, string>;
  private readonly requests: readonly Request[];
  private at = 0;
  private isTermNext = false;
  private isJoined = false;
  /** Font of the next line only, after a font macro without text. */
  private nextFont: Run['font'] | undefined;
  private nextHeading = 0;
  /** End of the indented lines known to start a paragraph. */
  private proseEnd = 0;

  constructor(writer: PageWriter, requests: readonly Request[], strings: Map<string, string>) {
    this.writer = writer;
    this.requests = requests;
    this.strings = strings;
  }

  read(): void {
    for (; this.at < this.requests.length; this.at++) this.request(this.requests[this.at] as Request);
  }

  private request(request: Request): void {
    const { macro, args } = request;
    const fonts = Object.hasOwn(fontMacros, macro) ? fontMacros[macro] : undefined;
    if (macro === '') this.textLine(request.rest);
    else if (fonts) this.fontLine(fonts, args);
    else if (macro === 'SH' || macro === 'SS') this.section(macro === 'SH' ? 2 : 3, args);
    else if (macro === 'TS') this.readTable();
    else if (macro === 'EQ' || macro === 'PS') this.skipTo(macro === 'EQ' ? 'EN' : 'PE');
    else if (macro === 'TP' || macro === 'TQ') this.isTermNext = true;
    else if (macro === 'IP') this.indented(args[0] ?? '');
    else if (macro === 'MT' && args.length === 0) this.runs([{ text: '“”', font: 'R' }]);
    else if (macro === 'UR' || macro === 'MT') this.link(args[0] ?? '', macro === 'UR' ? 'UE' : 'ME');
    else if (macro === 'MR')
      this.runs([...this.decoded(args[0] ?? '', 'B'), { text: `(${args[1] ?? ''})${args[2] ?? ''}`, font: 'R' }]);
    else if (!this.tclMacro(macro, args)) this.layout(macro, args);
  }

  /** Handles the macros of Tcl's and Tk's manual pages. */
  private tclMacro(macro: string, [first = '', second = '', third = '']: string[]): boolean {
    const plain = (text: string): Run[] => this.decoded(text, 'R');
    switch (macro) {
      case 'AP':
        this.writer.term([
          ...plain(`${first} `),
          ...this.decoded(second, 'I'),
          ...plain(third === '' ? '' : ` (${third})`),
        ]);
        return true;
      case 'QW':
        this.runs(plain(`“${first}”${second}`));
        return true;
      case 'PQ':
        this.runs(plain(`(“${first}”${second})${third}`));
        return true;
      case 'QR':
        this.runs(plain(`“${first}”–“${second}”${third}`));
        return true;
      case 'UL':
        this.runs([...this.decoded(first, 'I'), ...plain(second)]);
        return true;
      case 'CS':
      case 'DS':
        this.writer.setCode(true);
        return true;
      case 'CE':
      case 'DE':
        this.writer.setCode(false);
        return true;
      default:
        return false;
    }
  }

  private layout(macro: string, args: string[]): void {
    const { writer } = this;
    switch (macro) {
      case 'PP':
      case 'LP':
      case 'P':
      case 'HP':
        this.font = 'R';
        this.isTermNext = this.startsTerm();
        return writer.paragraph();
      case 'sp':
      case 'Sp':
        return writer.emptyLine();
      case 'br':
      case 'ti':
        return writer.breakLine();
      case 'RS':
        return writer.indent(1);
      case 'RE':
        return writer.indent(-1);
      case 'nf':
      case 'EX':
      case 'Vb':
        return writer.setCode(true);
      case 'fi':
      case 'EE':
      case 'Ve':
        return writer.setCode(false);
      case 'ft':
        this.font = fontOf(args[0] ?? '');
        return;
      case 'SY':
        return this.runs(this.decoded(args.join(' '), 'B'));
      case 'OP':
        return this.runs([{ text: '[', font: 'R' }, ...this.decoded(args.join(' '), 'R'), { text: ']', font: 'R' }]);
      default:
        return;
    }
  }

  /** Returns true if the next line is a term: pages made from DocBook show it as a paragraph before an indented one. */
  private startsTerm(): boolean {
    const [term, indent, text] = this.requests.slice(this.at + 1, this.at + 4);
    const isText = (request?: Request) => request?.macro === '' || Object.hasOwn(fontMacros, request?.macro ?? '.');
    return isText(term) && indent?.macro === 'RS' && isText(text) && !/[.:;!?]\s*$/.test(term?.rest ?? '');
  }

  /**
   * Adds lines that begin with spaces as they are, such as a table or an example: roff breaks the line before each.
   * Returns false if they are the start of a paragraph whose first line is indented.
   */
  private indentedLines(): boolean {
    if (this.at < this.proseEnd) return false;
    let end = this.at;
    const isIndented = ({ macro, rest }: Request) => (macro === '' ? /^ {2,}\S/.test(rest) : macro === 'br');
    while (end < this.requests.length && isIndented(this.requests[end] as Request)) end++;
    const next = this.requests[end];
    if (next?.macro === '' && next.rest.trim() !== '') this.proseEnd = end;
    if (end === this.at || this.proseEnd === end) return false;
    this.writer.setCode(true);
    for (const { macro, rest } of this.requests.slice(this.at, end))
      if (macro === '') this.writer.line(this.decoded(rest, 'R'));
    this.writer.setCode(false);
    this.at = end - 1;
    return true;
  }

  private textLine(source: string): void {
    if (source.trim() === '' && !this.isTermNext) return this.writer.emptyLine();
    if (this.writer.isAtStart && !this.isTermNext && !this.isJoined && this.indentedLines()) return;
    const font = this.nextFont ?? this.font;
    const { runs, font: last } = runsOf(source, font, this.strings);
    if (this.nextFont === undefined) this.font = last;
    this.nextFont = undefined;
    this.runs(runs, /\\c\s*$/.test(source));
  }

  private fontLine(fonts: Run['font'][], args: string[]): void {
    if (args.length === 0) {
      this.nextFont = fonts[0];
      return;
    }
    const runs =
      fonts.length === 1
        ? this.decoded(args.join(' '), fonts[0] as Run['font'])
        : args.flatMap((arg, index) => this.decoded(arg, fonts[index % 2] as Run['font']));
    this.runs(runs, /\\c\s*$/.test(args.at(-1) ?? ''));
  }

  private decoded(text: string, font: Run['font']): Run[] {
    return runsOf(text, font, this.strings).runs;
  }

  private pending: Run[] = [];

  private runs(runs: Run[], isJoined = false): void {
    if (this.nextHeading > 0) {
      this.writer.heading(runs, this.nextHeading);
      this.nextHeading = 0;
      return;
    }
    const all = this.isJoined ? [...this.pending, ...runs] : runs;
    this.isJoined = isJoined && this.pending.length < 500;
    this.pending = this.isJoined ? all : [];
    if (this.isJoined) return;
    if (this.isTermNext) {
      this.isTermNext = false;
      this.font = 'R';
      this.writer.term(all);
    } else this.writer.line(all);
  }

  private section(depth: number, args: string[]): void {
    this.font = 'R';
    this.isTermNext = false;
    this.writer.setCode(false);
    if (args.length === 0) this.nextHeading = depth;
    else this.writer.heading(this.decoded(args.join(' '), 'R'), depth);
  }

  /** Handles `.IP mark`: a bullet, number, term, or another paragraph of the current item. */
  private indented(mark: string): void {
    const runs = this.decoded(mark, 'R');
    const text = plainOf(runs).trim();
    if (text === '') this.writer.continueParagraph();
    else if (/^[•*·○o+−–-]$|^\u2022$/.test(text)) this.writer.item('- ');
    else if (/^[([]?\d{1,3}[.)\]]?$/.test(text)) this.writer.item(`${/\d+/.exec(text)?.[0]}. `);
    else this.writer.term(runs);
  }

  private link(address: string, end: string): void {
    const runs: Run[] = [];
    let after = '';
    while (this.at + 1 < this.requests.length) {
      const next = this.requests[this.at + 1] as Request;
      if (/^[ST][HSP]$/.test(next.macro)) break;
      this.at++;
      if (next.macro === end) {
        after = next.args[0] ?? '';
        break;
      }
      runs.push(...this.decoded(next.macro === '' ? next.rest : next.args.join(' '), 'R'));
    }
    const url = plainOf(this.decoded(address, 'R'));
    const label = plainOf(runs).trim();
    if (/^https?:/.test(url)) this.writer.draft.addLink(url, label);
    this.runs([{ text: label === '' || label === url ? `<${url}>${after}` : `${label} <${url}>${after}`, font: 'R' }]);
  }

  private readTable(): void {
    const lines: string[] = [];
    while (++this.at < this.requests.length) {
      const { macro, rest } = this.requests[this.at] as Request;
      if (macro === 'TE') break;
      lines.push(macro === '' ? rest : `.${macro} ${rest}`);
    }
    this.writer.table(tblTable(lines, (cell) => markdownOf(this.decoded(cell, 'R')).trim()));
  }

  private skipTo(end: string): void {
    while (this.at + 1 < this.requests.length && (this.requests[++this.at] as Request).macro !== end);
  }
}
