import type { Block, Placed } from '../document.ts';
import { findElement, type HtmlElement, HtmlText } from './html-tree.ts';
import type { AddressBook } from './page-links.ts';

/** What the renderers of blocks share while they go over one page. */
export interface Walk {
  readonly addresses: AddressBook;
  readonly anchors: AnchorTrail;
  /** Nesting of definition lists around the current element. */
  termDepth: number;
  /** Name of what the page describes, to qualify the names of its members: `Vec` for `Vec::new`. */
  readonly subject?: Subject;
  /** Renders the children of an element as blocks. */
  blocksOf(element: HtmlElement): Block[];
  /** Renders an element itself. */
  blocksOfElement(element: HtmlElement): Block[];
}

/** A type or module that a whole page describes, and how its members are written after it. */
export interface Subject {
  name: string;
  separator: '.' | '::';
}

/** Ids met since the last block: the next block starts where they stand. */
export class AnchorTrail {
  #ids: string[] = [];
  #asides: string[] = [];

  /** Notes an id at the current place. */
  note(id: string | undefined): void {
    if (id) this.#ids.push(id);
  }

  /** Notes an id by which the next block is found, and never called. */
  noteAside(id: string | undefined): void {
    if (id) this.#asides.push(id);
  }

  /**
   * The ids of a block that starts here: its own or the nearest noted since the last call as its anchor, one that a person chose
   * before a generated one, and the others with those `within` it.
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

/** Far more ids than a person gives one place. */
const aliasesMax = 50;

// DocBook, docutils and others number what has no id: these change with every build.
const GENERATED = /^(?:id[a-z]?[-_]?[\d.]+|idm?[-_]?\d+|index-\d+|hevea_default\d+|_?toc\d+|section-?\d*)$/i;

/** Id of the element, or the name of an `a` that serves as one. */
export function anchorOf(element: HtmlElement): string | undefined {
  if (element.attributes.length === 0) return undefined;
  if (element.id !== undefined || element.name !== 'a' || (element.attribute('href') && !opensParent(element)))
    return element.id;
  return element.attribute('name') || undefined;
}

/** Ids of an element and of all inside it, in document order. */
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

/** Scaladoc names the links to types within a text, which mark no place in it. */
function opensParent({ parent, position }: HtmlElement): boolean {
  const before = parent?.children[position - 1];
  return before === undefined || (position === 1 && before instanceof HtmlText && before.value.trim() === '');
}
