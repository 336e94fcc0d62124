import type { Block } from '../../document.ts';
import type { Draft } from '../draft.ts';

/** Parser state for one RST file. */
export class RstState {
  lines: string[];
  readonly draft: Draft;
  /** Targets of named links (`.. _name: address`). */
  readonly targets = new Map<string, string>();
  /** Texts of substitutions (`.. |name| replace:: text`). */
  readonly substitutions = new Map<string, string>();
  /** Number of characters inserted by substitutions. */
  substituted = 0;
  /** Number of substitutions around the current text. */
  substituting = 0;
  /** Title adornments in order of depth. */
  readonly titleStyles: string[] = [];
  /** Language of literal blocks, set by `highlight`. */
  language = '';
  module = '';
  program = '';
  /** Names of the classes around the current line. */
  readonly classes: string[] = [];
  /** Reads the blocks between two lines that are indented by `indent`. Set once by the reader. */
  readonly read: (state: RstState, from: number, to: number, indent: number) => void;
  /** Reads inline text that is not RST. */
  readonly inline: ((text: string) => string) | undefined;
  private readonly slugs = new Map<string, number>();

  constructor(lines: string[], draft: Draft, read: RstState['read'], inline?: RstState['inline']) {
    this.lines = lines;
    this.draft = draft;
    this.read = read;
    this.inline = inline;
  }

  /** Returns the first line from `from` on that is neither empty nor indented by more than `indent`; at most `to`. */
  bodyEnd(from: number, to: number, indent: number): number {
    let end = from;
    while (end < to && (isEmpty(this.lines[end] as string) || indentOf(this.lines[end] as string) > indent)) end++;
    while (end > from && isEmpty(this.lines[end - 1] as string)) end--;
    return end;
  }

  /** Returns the smallest indentation of non-empty lines. */
  indentBetween(from: number, to: number): number {
    let least = Number.POSITIVE_INFINITY;
    for (let at = from; at < to; at++) {
      const line = this.lines[at] as string;
      if (!isEmpty(line)) least = Math.min(least, indentOf(line));
    }
    return Number.isFinite(least) ? least : 0;
  }

  /** Returns lines without their common indentation. */
  outdented(from: number, to: number): string[] {
    const indent = this.indentBetween(from, to);
    return this.lines.slice(from, to).map((line) => line.slice(indent).trimEnd());
  }

  /** Returns the blocks that `read` adds, and removes them from the document. */
  captured(from: number, to: number, indent: number): Block[] {
    const before = this.draft.blocks.length;
    this.read(this, from, to, indent);
    return this.draft.takeBack(before);
  }

  /** Returns a title's anchor as docutils generates it; repeats get a unique number. */
  slug(title: string): string {
    const base = plainTextId(title);
    const count = this.slugs.get(base) ?? 0;
    this.slugs.set(base, count + 1);
    return count === 0 && base !== '' ? base : `id${this.slugs.size + count}`;
  }
}

export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

export function isEmpty(line: string): boolean {
  return line.trim() === '';
}

/**
 * Returns the identifier that docutils generates from a name: lower case, without accents, a single hyphen for anything
 * but letters and digits.
 */
export function plainTextId(name: string): string {
  return name
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .normalize('NFKD')
    .replace(/[^\0-\x7f]+/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[-0-9]+|(?<!-)-+$/g, '');
}

/** Returns a target name in the form used for comparison. */
export function normalName(name: string): string {
  return name.replace(/\\(.)/g, '$1').replace(/\s+/g, ' ').trim().toLowerCase();
}
