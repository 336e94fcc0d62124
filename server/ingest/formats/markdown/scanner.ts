import { type Draft, Slugs } from '../draft.ts';
import type { RstState } from '../rst/state.ts';
import type { InlineContext } from './inline.ts';
import { indentOf, isBlank, outdent } from './lines.ts';

/** Maximum nesting of indented containers; deeper ones are read as text. */
const nestingMax = 32;

/** State shared by a page's scanners: that of the page and those of its directives. */
interface PageState {
  slugs: Slugs;
  /** Number of directives around the current line. */
  nesting: number;
  directives: RstState | undefined;
}

/** Block parser state: the lines, the containers around the current line, and the results so far. */
export class Scanner {
  readonly lines: string[];
  readonly draft: Draft;
  readonly context: InlineContext;
  readonly page: PageState;
  readonly isMdx: boolean;
  /** Index of the current line. */
  at = 0;
  /** Bold label of a call-out, such as `Note`, for the next block. */
  pendingLabel: string | undefined;
  /** Closing marks known to be missing from the rest of the text. */
  readonly notFound = new Set<string>();
  /** Module code that starts before this line has no end, unless on the same line. */
  noModuleEndBefore = 0;
  private readonly indents: number[] = [];
  private readonly readBlocks: (scanner: Scanner) => void;

  constructor(
    lines: string[],
    context: InlineContext,
    readBlocks: (scanner: Scanner) => void,
    page: PageState = { slugs: new Slugs(), nesting: 0, directives: undefined },
  ) {
    this.lines = lines;
    this.draft = context.draft;
    this.isMdx = context.isMdx;
    this.context = context;
    this.readBlocks = readBlocks;
    this.page = page;
  }

  /** Reads a directive's lines into the same document. */
  readInside(lines: string[]): void {
    this.page.nesting += 1;
    this.readBlocks(new Scanner(lines, this.context, this.readBlocks, this.page));
    this.page.nesting -= 1;
  }

  /** Reads lines block by block and returns their Markdown without adding them to the document. */
  readApart(lines: string[]): string {
    const before = this.draft.blocks.length;
    this.readInside(lines);
    return this.draft
      .takeBack(before)
      .map(({ markdown }) => markdown)
      .join('\n\n');
  }

  get isAtEnd(): boolean {
    return this.at >= this.lines.length;
  }

  /** Leaves containers that do not include the current line. */
  settle(): void {
    const line = this.lines[this.at] as string;
    if (isBlank(line)) return;
    while (this.indents.length > 0 && indentOf(line) < (this.indents.at(-1) as number)) {
      this.indents.pop();
      this.pendingLabel = undefined;
    }
  }

  /** Returns a line without its containers' indentation; undefined after their end. */
  line(index: number): string | undefined {
    const line = this.lines[index];
    const indent = this.indents.at(-1);
    if (line === undefined || indent === undefined) return line;
    if (isBlank(line)) return '';
    return indentOf(line) < indent ? undefined : outdent(line, indent);
  }

  /** Enters a container indented by `columns` more than the current one; returns false if nested too deeply. */
  indent(columns: number): boolean {
    if (this.indents.length >= nestingMax) return false;
    this.indents.push((this.indents.at(-1) ?? 0) + columns);
    return true;
  }

  /** Replaces the line at `index`, with its container's indentation. */
  replace(index: number, line: string): void {
    this.lines[index] = ' '.repeat(this.indents.at(-1) ?? 0) + line;
  }

  /**
   * Returns the index of the first line from `from` on that contains `mark` (lower case), or -1. A search of all lines
   * is not repeated.
   */
  find(mark: string, from: number, linesMax = Number.POSITIVE_INFINITY): number {
    if (this.notFound.has(mark)) return -1;
    const end = Math.min(this.lines.length, from + linesMax);
    for (let index = from; index < end; index++) {
      if ((this.lines[index] as string).toLowerCase().includes(mark)) return index;
    }
    if (end === this.lines.length) this.notFound.add(mark);
    return -1;
  }
}
