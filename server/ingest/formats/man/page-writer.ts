import { type Draft, Slugs } from '../draft.ts';
import { identifiersIn, optionNames } from '../identifiers.ts';
import { codeSpan, listItem } from '../write-markdown.ts';
import { markdownOf, plainOf, type Run } from './runs.ts';

/** Deeper terms and lists are rendered at this depth. */
const levelsMax = 12;

/** Builds a manual page's blocks from its macros, for both `man` and `mdoc`. */
export class PageWriter {
  readonly draft: Draft;
  /** True inside verbatim text. */
  isCode = false;
  section = '';
  private level = 0;
  private readonly termLevels: number[] = [];
  private text: Run[] = [];
  private lines: string[] = [];
  private items: string[] = [];
  private mark: string | undefined;
  private names: Run[][] = [];
  /** True if the next synopsis line is separate rather than a continuation. */
  private isLineBroken = true;
  private readonly slugs = new Slugs();

  constructor(draft: Draft) {
    this.draft = draft;
  }

  heading(runs: readonly Run[], depth: number): void {
    this.flush();
    this.level = 0;
    this.closeTerms(0);
    const markdown = plainOf(runs).replace(/\s+/g, ' ').trim();
    if (markdown === '') return;
    if (depth === 2) this.section = markdown.toUpperCase();
    this.draft.addHeading(markdown, depth, this.slugs.next(markdown));
  }

  /** Adds a line of text; in running text, it is joined to the previous one with a space. */
  line(runs: readonly Run[]): void {
    if (this.names.length > 0) this.openTerm();
    if (this.isVerbatim) this.verbatimLine(plainOf(runs).trimEnd());
    else this.text.push(...(this.text.length > 0 ? [{ text: ' ', font: 'R' as const }] : []), ...runs);
  }

  breakLine(): void {
    this.isLineBroken = true;
    if (!this.isVerbatim && this.text.length > 0) this.text.push({ text: '  \n', font: 'R' });
  }

  emptyLine(): void {
    this.isLineBroken = true;
    if (this.isCode || (this.isVerbatim && this.lines.length > 0)) this.lines.push('');
    else this.flushText();
  }

  /** Starts a paragraph at the current indentation level and ends the terms there. */
  paragraph(): void {
    if (this.isVerbatim) return this.emptyLine();
    this.flush();
    this.closeTerms(this.level);
  }

  /** Starts another paragraph of the same term or item. */
  continueParagraph(): void {
    if (this.isVerbatim) return this.emptyLine();
    this.flushText();
  }

  setCode(isCode: boolean): void {
    if (this.isCode === isCode) return;
    if (isCode && this.names.length > 0) this.openTerm();
    if (!this.isSynopsis) {
      this.flushText();
      this.flushLines();
    }
    this.isCode = isCode;
    this.isLineBroken = true;
  }

  indent(by: 1 | -1): void {
    this.flushText();
    if (this.names.length > 0) this.openTerm();
    this.level = Math.min(Math.max(this.level + by, 0), levelsMax);
    if (by < 0) this.closeTerms(this.level + 1);
  }

  /** Adds a term; further ones before any text are alternative names. */
  term(runs: readonly Run[]): void {
    if (this.isSynopsis) {
      this.isLineBroken = true;
      return this.line(runs);
    }
    this.flush();
    this.closeTerms(this.level);
    if (plainOf(runs).trim() !== '') this.names.push([...runs]);
  }

  item(mark: string): void {
    if (this.isVerbatim) return this.line([{ text: mark, font: 'R' }]);
    this.flushText();
    if (this.names.length > 0) this.openTerm();
    this.mark = mark;
  }

  table(markdown: string): void {
    this.flush();
    this.draft.add({ type: 'table', markdown });
  }

  finish(): void {
    this.flush();
    this.closeTerms(0);
  }

  /** True where a paragraph may start. */
  get isAtStart(): boolean {
    return this.text.length === 0 && this.names.length === 0 && this.mark === undefined && !this.isVerbatim;
  }

  /** True in the synopsis, which is kept line by line. */
  private get isSynopsis(): boolean {
    return this.section === 'SYNOPSIS';
  }

  private get isVerbatim(): boolean {
    return this.isCode || this.isSynopsis;
  }

  private verbatimLine(text: string): void {
    const last = this.lines.length - 1;
    if (this.isCode || this.isLineBroken || last < 0 || this.lines[last] === '') this.lines.push(text);
    else this.lines[last] += ` ${text.trim()}`;
    this.isLineBroken = false;
  }

  private openTerm(): void {
    const shown: string[] = [];
    const identifiers = new Set<string>();
    for (const runs of this.names) {
      const plain = plainOf(runs).replace(/\s+/g, ' ').trim();
      // Options and settings (`Restart=`), separated by commas.
      const parts = plain.split(', ');
      if (parts.every((part) => /^-{1,2}[\w?<[]|^[\w.-]+=\S*$/.test(part))) {
        shown.push(...parts.map(codeSpan));
        for (const part of parts)
          for (const name of part.startsWith('-') ? optionNames(part) : part.split('=', 1)) identifiers.add(name);
        continue;
      }
      const isName =
        /^-{1,2}[\w?<[]/.test(plain) ||
        (/^[\w.$@:/+-]+(?:\(\d\w*\))?$/.test(plain) && runs.some((run) => run.font === 'B'));
      const markdown = isName ? codeSpan(plain) : markdownOf(runs).replace(/\s+/g, ' ').trim();
      shown.push(markdown);
      const names = optionNames(plain);
      for (const name of names.length > 0 ? names : isName ? [plain] : identifiersIn(markdown)) identifiers.add(name);
    }
    this.names = [];
    this.draft.openTerm(shown.join(', '), [...identifiers]);
    this.termLevels.push(this.level);
  }

  private closeTerms(level: number): void {
    if (this.names.length > 0 && level < this.level) this.openTerm();
    while (this.termLevels.length > 0 && (this.termLevels.at(-1) as number) >= level) {
      this.termLevels.pop();
      this.draft.closeTerm();
    }
  }

  private flush(): void {
    this.flushText();
    this.flushItems();
    this.flushLines();
  }

  private flushText(): void {
    const markdown = markdownOf(this.text).replace(/\n +/g, '\n').trim();
    this.text = [];
    const bullet = /^(?:•|·|‣)\s*([\s\S]*)$/.exec(markdown);
    const mark = bullet ? '- ' : this.mark;
    this.mark = undefined;
    if (markdown === '') return;
    if (mark === undefined) {
      this.flushItems();
      this.draft.addText('paragraph', markdown);
      return;
    }
    const indent = '  '.repeat(Math.max(0, this.level - (this.termLevels.at(-1) ?? 0) - 1));
    const lines = (bullet ? (bullet[1] as string) : markdown).split('\n').map((line) => line.trim());
    this.items.push(listItem(indent + mark, lines.join('\n')));
  }

  private flushItems(): void {
    if (this.items.length > 0) this.draft.addText('list', this.items.join('\n'));
    this.items = [];
  }

  private flushLines(): void {
    const code = this.lines
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .replace(/^\n+/, '')
      .trimEnd();
    this.lines = [];
    if (code === '') return;
    this.flushItems();
    const prose = this.isSynopsis ? proseAtEnd(code) : '';
    const lines = code.slice(0, code.length - prose.length).trimEnd();
    if (lines !== '') this.draft.addCode(lines);
    for (const text of prose.split('\n\n'))
      if (text !== '') this.draft.addText('paragraph', markdownOf([{ text: text.replace(/\n/g, ' '), font: 'R' }]));
  }
}

/** Returns the paragraphs of prose at the end of a synopsis, which otherwise has commands and declarations. */
function proseAtEnd(code: string): string {
  const parts = code.split('\n\n');
  const first = parts.findLastIndex((part) => !PROSE.test(part)) + 1;
  return parts.slice(first).join('\n\n');
}

/**
 * Six words or more, from a capital letter to a full stop or colon, without signs of a command, a declaration or a list
 * of options.
 */
const PROSE = /^\p{Lu}[\p{Ll}’',]*(?:(?: |\n(?!-))[^\s[\]{}|;<>=]+){5,}[.:]$/u;
