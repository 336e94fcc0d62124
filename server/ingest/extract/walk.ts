import type { Block } from '../document.ts';
import { type HtmlElement, HtmlText } from './html-tree.ts';
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

  /** Notes an id at the current place. */
  note(id: string | undefined): void {
    if (id) this.#ids.push(id);
  }

  /** Ids noted since the last call of `take` that a person chose. */
  noted(): string[] {
    return this.#ids.filter((id) => !GENERATED.test(id)).slice(-aliasesMax);
  }

  /** The nearest id noted since the last call, if any; one that a person chose comes before a generated one. */
  take(): string | undefined {
    if (this.#ids.length === 0) return undefined;
    const nearest = this.#ids.findLast((id) => !GENERATED.test(id)) ?? this.#ids[this.#ids.length - 1];
    this.#ids = [];
    return nearest;
  }
}

const aliasesMax = 6;

// DocBook, docutils and others number what has no id: these change with every build.
const GENERATED = /^(?:id[a-z]?[-_]?[\d.]+|idm?[-_]?\d+|index-\d+|hevea_default\d+|_?toc\d+|section-?\d*)$/i;

/** Id of the element, or the name of an `a` that serves as one. */
export function anchorOf(element: HtmlElement): string | undefined {
  if (element.attributes.length === 0) return undefined;
  if (element.id !== undefined || element.name !== 'a' || (element.attribute('href') && !opensParent(element)))
    return element.id;
  return element.attribute('name') || undefined;
}

/** Scaladoc names the links to types within a text, which mark no place in it. */
function opensParent({ parent, position }: HtmlElement): boolean {
  const before = parent?.children[position - 1];
  return before === undefined || (position === 1 && before instanceof HtmlText && before.value.trim() === '');
}
