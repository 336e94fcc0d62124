import type { Block, Placed } from '../document.ts';
import { findElement, type HtmlElement, HtmlText } from './html-tree.ts';
import type { AddressBook } from './page-links.ts';

/** State shared by the block renderers during one page. */
export interface Walk {
  readonly addresses: AddressBook;
  readonly anchors: AnchorTrail;
  /** Number of definition lists around the current element. */
  termDepth: number;
  /** The page's subject, which qualifies its members' names: `Vec` for `Vec::new`. */
  readonly subject?: Subject;
  /** Renders an element's children as blocks. */
  blocksOf(element: HtmlElement): Block[];
  /** Renders the element itself. */
  blocksOfElement(element: HtmlElement): Block[];
}

/** A type or module that a whole page describes, and the separator between it and its members. */
export interface Subject {
  name: string;
  separator: '.' | '::';
}

/** Collects the ids since the last block, which lead to the next block. */
export class AnchorTrail {
  #ids: string[] = [];
  #asides: string[] = [];

  /** Notes an id at the current place. */
  note(id: string | undefined): void {
    if (id) this.#ids.push(id);
  }

  /** Notes an id that leads to the next block but never becomes its anchor or alias. */
  noteAside(id: string | undefined): void {
    if (id) this.#asides.push(id);
  }

  /**
   * Returns the ids of the block that starts here. The anchor is `own` or the nearest id noted since the last call,
   * preferably not a generated one; the other ids follow, together with those `within` the block.
   */
  take(own?: string, within: readonly string[] = []): Placed {
    if (own === undefined && this.#ids.length + this.#asides.length + within.length === 0) return {};
    const anchor = own ?? this.#ids.findLast((id) => !GENERATED.test(id)) ?? this.#ids.at(-1);
    const others = new Set([...this.#ids, ...within]);
    if (anchor !== undefined) others.delete(anchor);
    const aliases = [...others].filter((id) => !GENERATED.test(id)).slice(0, aliasesMax);
    for (const alias of aliases) others.delete(alias);
    const unnamed = [...this.#asides, ...others];
    this.#ids = [];
    this.#asides = [];
    return {
      ...(anchor && { anchor }),
      ...(aliases.length > 0 && { aliases }),
      ...(unnamed.length > 0 && { places: unnamed.map((id) => ({ id, line: 0 })) }),
    };
  }
}

/** Far more ids than an author gives one place. */
const aliasesMax = 50;

// DocBook, docutils and others number elements without an id; these ids change with every build.
const GENERATED = /^(?:id[a-z]?[-_]?[\d.]+|idm?[-_]?\d+|index-\d+|hevea_default\d+|_?toc\d+|section-?\d*)$/i;

/** Returns the element's id, or the name of an `a` that serves as one. */
export function anchorOf(element: HtmlElement): string | undefined {
  if (element.attributes.length === 0) return undefined;
  if (element.id !== undefined || element.name !== 'a' || (element.attribute('href') && !opensParent(element)))
    return element.id;
  return element.attribute('name') || undefined;
}

/** Returns the ids of an element and its descendants in document order. */
export function idsIn(element: HtmlElement): string[] {
  const own = anchorOf(element);
  const ids = own === undefined ? [] : [own];
  findElement(element, (child) => {
    const id = anchorOf(child);
    if (id !== undefined) ids.push(id);
    return false;
  });
  return ids;
}

/**
 * Returns true for a link at its parent's start. Scaladoc also gives names to links within a text, which are not link
 * targets.
 */
function opensParent({ parent, position }: HtmlElement): boolean {
  const before = parent?.children[position - 1];
  return before === undefined || (position === 1 && before instanceof HtmlText && before.value.trim() === '');
}
