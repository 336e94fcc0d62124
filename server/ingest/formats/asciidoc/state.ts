import type { Block } from '../../document.ts';
import type { Draft } from '../draft.ts';
import type { BlockAttributes } from './block-attributes.ts';

/** Values longer than this are no text to put into text; also what keeps attributes made of attributes small. */
const valueCharsMax = 2000;
/** Of all values that are put in; a file that uses more is made to be large, and its other names are left as they are written. */
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

/** Reads one block at a line and says where the next begins. */
type ReadBlock = (state: AsciidocState, lines: readonly string[], at: number, nesting: number) => number;

/** What has been learned of an AsciiDoc file so far. */
export class AsciidocState {
  readonly draft: Draft;
  readonly readBlock: ReadBlock;
  readonly attributes = new Map<string, string>(builtIn);
  /** Attributes and title that wait for the next block. */
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

  /** Text with the attributes that are set put in; others are left as they are written. */
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

  /** Id of a section without one of its own, as processors of AsciiDoc make it. */
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

  /** The blocks that `read` adds, taken out of the document again. */
  captured(read: () => void): Block[] {
    const before = this.draft.blocks.length;
    read();
    return this.draft.takeBack(before);
  }
}
