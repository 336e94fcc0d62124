import type { Block } from '../../document.ts';
import type { Draft } from '../draft.ts';
import type { BlockAttributes } from './block-attributes.ts';

/** Longer values are not meant for insertion into text; this also bounds attributes defined by other attributes. */
const valueCharsMax = 2000;
/** Limit for all inserted values; in a hostile file that exceeds it, the remaining references stay as written. */
const substitutedCharsMax = 5_000_000;

const builtIn: readonly [string, string][] = [
  ['nbsp', ' '],
  ['zwsp', ''],
  ['empty', ''],
  ['blank', ''],
  ['sp', ' '],
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['apos', "'"],
  ['quot', '"'],
  ['plus', '+'],
  ['startsb', '['],
  ['endsb', ']'],
  ['vbar', '|'],
  ['caret', '^'],
  ['asterisk', '*'],
  ['tilde', '~'],
  ['backslash', '\\'],
  ['backtick', '`'],
  ['two-colons', '::'],
  ['two-semicolons', ';;'],
  ['cpp', 'C++'],
  ['litdd', '--'],
];

/** Reads the block at a line and returns the line after it. */
type ReadBlock = (state: AsciidocState, lines: readonly string[], at: number, nesting: number) => number;

/** Parser state for one AsciiDoc file. */
export class AsciidocState {
  readonly draft: Draft;
  readonly readBlock: ReadBlock;
  readonly attributes = new Map<string, string>(builtIn);
  /** Attributes and title for the next block. */
  pending: BlockAttributes | undefined;
  heading = '';
  private readonly ids = new Map<string, number>();
  private substitutedChars = 0;

  constructor(draft: Draft, readBlock: ReadBlock) {
    this.draft = draft;
    this.readBlock = readBlock;
  }

  setAttribute(name: string, value: string): void {
    this.attributes.set(name.toLowerCase(), this.substituted(value).slice(0, valueCharsMax));
  }

  /** Replaces references to defined attributes; others stay as written. */
  substituted(text: string): string {
    if (!text.includes('{')) return text;
    return text.replace(/(\\?)\{([\w-]{1,60})\}/g, (all, escape: string, name: string) => {
      if (escape !== '') return all.slice(1);
      const value = this.attributes.get(name.toLowerCase()) ?? all;
      if (this.substitutedChars + value.length > substitutedCharsMax) return all;
      this.substitutedChars += value.length;
      return value;
    });
  }

  /** Returns the id that AsciiDoc processors generate for a section without one. */
  sectionId(title: string): string {
    const separator = this.attributes.get('idseparator') ?? '_';
    const base =
      (this.attributes.get('idprefix') ?? '_') +
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_\s.-]/gu, '')
        .replace(/[\s.-]+/g, separator);
    const count = (this.ids.get(base) ?? 0) + 1;
    this.ids.set(base, count);
    return count === 1 ? base : `${base}${separator}${count}`;
  }

  takePending(): BlockAttributes | undefined {
    const { pending } = this;
    this.pending = undefined;
    return pending;
  }

  /** Returns the blocks that `read` adds, and removes them from the document. */
  captured(read: () => void): Block[] {
    const before = this.draft.blocks.length;
    read();
    return this.draft.takeBack(before);
  }
}
