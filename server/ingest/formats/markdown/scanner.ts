import { type Draft, Slugs } from '../draft.ts';
import type { RstState } from '../rst/state.ts';
import type { InlineContext } from './inline.ts';
import { indentOf, isBlank, outdent } from './lines.ts';

/** Nesting of indented containers that is followed; deeper ones are read as text. */
const nestingMax = 32;

/** What the scanners of one page share: that of its lines and those of the directives in them. */
interface PageState {
  slugs: Slugs;
  /** Directives around the current line. */
  nesting: number;
  directives: RstState | undefined;
}

/** Where a reader of blocks stands: lines, the containers around the current line, and what is known so far. */
export class Scanner {
  readonly lines: string[];
  readonly draft: Draft;
  readonly context: InlineContext;
  readonly page: PageState;
  readonly isMdx: boolean;
  /** Index of the current line. */
  at = 0;
  /** Bold label of a call-out that the next block belongs to, such as `Note`. */
  pendingLabel: string | undefined;
  /** Searches for a closing mark that found none: another one later in the text is not there either. */
  readonly notFound = new Set<string>();
  /** Module code that begins before this line has no end, unless on its own line. */
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

  /** Reads the lines of a directive into the same document. */
  readInside(lines: string[]): void {
    this.page.nesting += 1;
    this.readBlocks(new Scanner(lines, this.context, this.readBlocks, this.page));
    this.page.nesting -= 1;
  }

  /** Reads lines block by block without adding them to the document: what they say, as Markdown. */
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

  /** Leaves containers that the current line is no longer inside of. */
  settle(): void {
    const line = this.lines[this.at] as string;
    if (isBlank(line)) return;
    while (this.indents.length > 0 && indentOf(line) < (this.indents.at(-1) as number)) {
      this.indents.pop();
      this.pendingLabel = undefined;
    }
  }

  /** A line without the indentation of the containers around it; undefined behind their end. */
  line(index: number): string | undefined {
    const line = this.lines[index];
    const indent = this.indents.at(-1);
    if (line === undefined || indent === undefined) return line;
    if (isBlank(line)) return '';
    return indentOf(line) < indent ? undefined : outdent(line, indent);
  }

  /** Enters a container whose lines are indented by `columns` more than the current one; false when nested too deeply. */
  indent(columns: number): boolean {
    if (this.indents.length >= nestingMax) return false;
    this.indents.push((this.indents.at(-1) ?? 0) + columns);
    return true;
  }

  /** Puts a line in the place of the one at `index`, indented as its container is. */
  replace(index: number, line: string): void {
    this.lines[index] = ' '.repeat(this.indents.at(-1) ?? 0) + line;
  }

  /** Index of the first line from `from` on that contains `mark` (lower case), or -1. Searches of all lines are not repeated. */
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
