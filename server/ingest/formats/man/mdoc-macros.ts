import { tableMarkdown } from '../write-markdown.ts';
import { MdocLine } from './mdoc-line.ts';
import type { PageWriter } from './page-writer.ts';
import { argumentsOf, type Request } from './requests.ts';
import { markdownOf, plainOf, type Run, runsOf } from './runs.ts';

/** Reads a page written with `mdoc` macros. */
export class MdocMacros {
  private readonly writer: PageWriter;
  private readonly requests: readonly Request[];
  private readonly strings: Map<string, string>;
  private readonly line: MdocLine;
  /** The lists around the current line. */
  private readonly lists: { kind: string; count: number; rows: string[][] }[] = [];
  private isNameSection = false;
  private font: Run['font'] = 'R';
  /** Words of an extended argument, which continues until `Xc`. */
  private extended: Run[] | undefined;
  private functionWords: string[] | undefined;

  constructor(writer: PageWriter, requests: readonly Request[], strings: Map<string, string>) {
    this.writer = writer;
    this.requests = requests;
    this.strings = strings;
    this.line = new MdocLine(strings);
  }

  read(): void {
    for (const request of this.requests) this.request(request);
    if (this.lists.length > 0) this.lists.forEach(() => this.endList());
  }

  private request({ macro, args, rest }: Request): void {
    const { writer } = this;
    if (macro === '') {
      const { runs, font } = runsOf(rest, this.font, this.strings);
      this.font = font;
      if (rest.trim() === '') writer.emptyLine();
      else this.put(runs);
      return;
    }
    switch (macro) {
      case 'Sh':
      case 'Ss':
        this.isNameSection = macro === 'Sh' && /^NAME$/i.test(args.join(' '));
        writer.setCode(false);
        return writer.heading(this.line.read('No', args), macro === 'Sh' ? 2 : 3);
      case 'Pp':
      case 'Lp':
        return this.lists.length > 0 ? writer.continueParagraph() : writer.paragraph();
      case 'Nd':
        return this.put([{ text: `– ${plainOf(this.line.read('No', args))}`, font: 'R' }]);
      case 'Bl':
        return this.startList(args);
      case 'El':
        return this.endList();
      case 'It':
        return this.item(args);
      case 'Bd':
        return writer.setCode(/^-(?:literal|unfilled)$/.test(args[0] ?? ''));
      case 'Ed':
        return writer.setCode(false);
      case 'Dl':
      case 'D1':
        writer.setCode(true);
        this.put(
          this.line.read(
            MdocLine.isMacro(args[0] ?? '') ? (args[0] as string) : 'No',
            MdocLine.isMacro(args[0] ?? '') ? args.slice(1) : args,
          ),
        );
        return writer.setCode(false);
      default:
        this.inline(macro, args);
    }
  }

  private inline(macro: string, args: string[]): void {
    const { writer } = this;
    if (macro === 'Xc' && this.extended) {
      const runs = this.extended;
      this.extended = undefined;
      return writer.term(runs);
    }
    if (macro === 'Fo') {
      this.functionWords = [args[0] ?? ''];
      return;
    }
    if (macro === 'Fc' && this.functionWords) {
      const [name = '', ...parameters] = this.functionWords;
      this.functionWords = undefined;
      this.put([{ text: `${name}(${parameters.join(', ')});`, font: 'B' }]);
      return writer.breakLine();
    }
    if (macro === 'Fa' && this.functionWords) {
      this.functionWords.push(args.join(' '));
      return;
    }
    if (macro === 'In' && writer.section === 'SYNOPSIS') {
      this.put([{ text: `#include <${args[0] ?? ''}>`, font: 'B' }]);
      return writer.breakLine();
    }
    if (macro === 'br') return writer.breakLine();
    if (macro === 'Ex' || macro === 'Rv') return this.standardSentence(macro);
    if (/^%[A-Z]$/.test(macro))
      return this.put([{ text: `${args.join(' ')}${macro === '%T' ? '.' : ','}`, font: macro === '%T' ? 'I' : 'R' }]);
    if (!MdocLine.isMacro(macro) || (macro === 'An' && /^-(?:no)?split$/.test(args[0] ?? ''))) return;
    const runs = this.line.read(macro, args);
    if (this.isNameSection && macro === 'Nm') return this.put(runs.map((run) => ({ ...run, font: 'R' })));
    const isOnItsOwn = writer.section === 'SYNOPSIS' && /^(?:Nm|Ft|Fn|Fd|Vt)$/.test(macro);
    if (isOnItsOwn) writer.breakLine();
    this.put(runs);
    if (isOnItsOwn && macro !== 'Nm') writer.breakLine();
  }

  private standardSentence(macro: string): void {
    const text =
      macro === 'Ex'
        ? `The ${this.line.name} utility exits 0 on success, and >0 if an error occurs.`
        : 'Upon successful completion, the value 0 is returned; otherwise the value -1 is returned and errno is set.';
    this.put([{ text, font: 'R' }]);
  }

  private put(runs: Run[]): void {
    if (this.extended) this.extended.push({ text: ' ', font: 'R' }, ...runs);
    else this.writer.line(runs);
  }

  private startList(args: string[]): void {
    const kind =
      args.find((arg) => /^-(?:tag|bullet|dash|hyphen|enum|item|column|diag|hang|ohang|inset)$/.test(arg)) ?? '-item';
    if (this.lists.length > 0) this.writer.indent(1);
    this.lists.push({ kind: kind.slice(1), count: 0, rows: [] });
  }

  private endList(): void {
    const list = this.lists.pop();
    if (!list) return;
    if (list.kind === 'column') this.writer.table(tableMarkdown([(list.rows[0] ?? []).map(() => ''), ...list.rows]));
    if (this.lists.length > 0) this.writer.indent(-1);
    else this.writer.paragraph();
  }

  private item(args: string[]): void {
    const list = this.lists.at(-1);
    if (!list) return;
    list.count++;
    switch (list.kind) {
      case 'bullet':
      case 'dash':
      case 'hyphen':
        return this.writer.item('- ');
      case 'enum':
        return this.writer.item(`${list.count}. `);
      case 'item':
        return this.writer.continueParagraph();
      case 'column':
        list.rows.push(this.cells(args));
        return;
      default:
        return this.term(args);
    }
  }

  private term(args: string[]): void {
    const isExtended = args.at(-1) === 'Xo';
    const words = isExtended ? args.slice(0, -1) : args;
    const isMacro = MdocLine.isMacro(words[0] ?? '');
    const runs = this.line.read(isMacro ? (words[0] as string) : 'No', isMacro ? words.slice(1) : words);
    // Unstyled words of a term are names too.
    const named: Run[] = isMacro
      ? runs
      : runs.map((run) => ({ ...run, font: run.text.trim() === '' ? run.font : 'B' }));
    if (isExtended) this.extended = named;
    else this.writer.term(named);
  }

  private cells(args: string[]): string[] {
    const cells: string[][] = [[]];
    for (const arg of args.flatMap((one) =>
      one.split('\t').flatMap((part, index) => (index > 0 ? ['Ta', part] : [part])),
    )) {
      if (arg === 'Ta') cells.push([]);
      else if (arg !== '') cells.at(-1)?.push(arg);
    }
    return cells.map((words) => {
      const flat = argumentsOf(words.join(' '));
      const isMacro = MdocLine.isMacro(flat[0] ?? '');
      return markdownOf(this.line.read(isMacro ? (flat[0] as string) : 'No', isMacro ? flat.slice(1) : flat));
    });
  }
}
