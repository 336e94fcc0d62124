import type { Block } from '../../document.ts';
import type { Draft } from '../draft.ts';

/** Lines of an RST file and what has been learned from them so far. */
export class RstState {
  lines: string[];
  readonly draft: Draft;
  /** Targets of named links (`.. _name: address`). */
  readonly targets = new Map<string, string>();
  /** Texts of substitutions (`.. |name| replace:: text`). */
  readonly substitutions = new Map<string, string>();
  /** Characters of these that were put in. */
  substituted = 0;
  /** Within how many of these the text at hand stands. */
  substituting = 0;
  /** Adornments of titles in the order of their depth. */
  readonly titleStyles: string[] = [];
  /** Language of literal blocks, set by `highlight`. */
  language = '';
  module = '';
  program = '';
  /** Names of the classes around the current line. */
  readonly classes: string[] = [];
  /** Reads the blocks between two lines that are indented by `indent`. Set once by the reader. */
  readonly read: (state: RstState, from: number, to: number, indent: number) => void;
  /** Reads inline text where it isn't RST. */
  readonly inline: ((text: string) => string) | undefined;
  private readonly slugs = new Map<string, number>();

  constructor(lines: string[], draft: Draft, read: RstState['read'], inline?: RstState['inline']) {
    this.lines = lines;
    this.draft = draft;
    this.read = read;
    this.inline = inline;
  }

  /** First line from `from` on that is neither empty nor indented by more than `indent`; at most `to`. */
  bodyEnd(from: number, to: number, indent: number): number {
    let end = from;
    while (end < to && (isEmpty(this.lines[end] as string) || indentOf(this.lines[end] as string) > indent)) end++;
    while (end > from && isEmpty(this.lines[end - 1] as string)) end--;
    return end;
  }

  /** Smallest indentation of the lines with text. */
  indentBetween(from: number, to: number): number {
    let least = Number.POSITIVE_INFINITY;
    for (let at = from; at < to; at++) {
      const line = this.lines[at] as string;
      if (!isEmpty(line)) least = Math.min(least, indentOf(line));
    }
    return Number.isFinite(least) ? least : 0;
  }

  /** Lines without their common indentation. */
  outdented(from: number, to: number): string[] {
    const indent = this.indentBetween(from, to);
    return this.lines.slice(from, to).map((line) => line.slice(indent).trimEnd());
  }

  /** The blocks that `read` adds, taken out of the document again. */
  captured(from: number, to: number, indent: number): Block[] {
    const before = this.draft.blocks.length;
    this.read(this, from, to, indent);
    return this.draft.takeBack(before);
  }

  /** Anchor of a title as docutils makes it; repeats get a number that no other title has. */
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

/** Identifier that docutils makes of a name: lower case, without accents, everything but letters and digits as single hyphens. */
export function plainTextId(name: string): string {
  return name
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .normalize('NFKD')
    .replace(/[^\0-\x7f]+/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[-0-9]+|-+$/g, '');
}

/** Form in which names of targets are compared. */
export function normalName(name: string): string {
  return name.replace(/\\(.)/g, '$1').replace(/\s+/g, ' ').trim().toLowerCase();
}
