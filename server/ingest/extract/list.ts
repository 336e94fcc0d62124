import type { Block, Place, Placed } from '../document.ts';
import { headingDepth, isBlock } from './block-elements.ts';
import { isNestable, lastLineOf, placesOf } from './containers.ts';
import { findElement, HtmlElement, type HtmlNode, HtmlText } from './html-tree.ts';
import { indentRest } from './markdown-text.ts';
import { memberListBlocks } from './signature.ts';
import type { Walk } from './walk.ts';

/**
 * Renders a list. Code, tables and terms inside items move to the top level: the list is interrupted there and resumes
 * after them, an ordered list with the next number. Lists that only lay out sections (items containing headings) are
 * not treated as lists.
 */
export function listBlocks(list: HtmlElement, walk: Walk): Block[] {
  if (isLayout(list)) return walk.blocksOf(list);
  const members = memberListBlocks(list, walk);
  if (members) return members;
  const builder = new ListBuilder(list.name === 'ol' ? startOf(list) : undefined, walk.anchors.take());
  for (const child of withLooseItems(list)) {
    if (child.name === 'li') {
      walk.anchors.note(child.id);
      builder.addItem(walk.blocksOf(child), numberOf(child));
    } else if (child.name === 'ul' || child.name === 'ol') {
      builder.addToLastItem(listBlocks(child, walk));
    } else {
      builder.addItem(walk.blocksOfElement(child));
    }
  }
  return builder.finish();
}

/** Returns a list's children; consecutive text, links and code outside of items become one item. */
function withLooseItems(list: HtmlElement): HtmlElement[] {
  const items: HtmlElement[] = [];
  let loose: HtmlNode[] = [];
  const endLoose = (): void => {
    if (loose.some((node) => !(node instanceof HtmlText) || node.value.trim() !== '')) {
      const item = new HtmlElement('li', '', []);
      item.children = loose;
      items.push(item);
    }
    loose = [];
  };
  for (const child of list.children) {
    if (child instanceof HtmlText || !(isBlock(child) || child.isDropped)) {
      loose.push(child);
    } else {
      endLoose();
      items.push(child);
    }
  }
  endLoose();
  return items;
}

function isLayout(list: HtmlElement): boolean {
  if (list.role === 'presentation' && list.linkLength === 0) return true;
  if (list.attributes.length === 0 && list.textLength < 200) return false;
  return findElement(list, (element) => headingDepth(element) > 0) !== undefined;
}

const startOf = (list: HtmlElement): number => wholeNumber(list.attribute('start')) ?? 1;
const numberOf = (item: HtmlElement): number | undefined => wholeNumber(item.attribute('value'));

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined;
}

class ListBuilder {
  readonly #blocks: Block[] = [];
  #lines: string[] = [];
  #next: number | undefined;
  #placed: Placed;
  #places: Place[] = [];
  /** Number of Markdown lines so far. */
  #lineCount = 0;
  /** Indentation of the last item's content; undefined if that item was interrupted. */
  #indent: string | undefined;

  constructor(start: number | undefined, placed: Placed) {
    this.#next = start;
    this.#placed = placed;
  }

  addItem(blocks: readonly Block[], number?: number): void {
    if (blocks.length === 0) return;
    if (this.#next !== undefined && number !== undefined) this.#next = number;
    const marker = this.#next === undefined ? '- ' : `${this.#next}. `;
    if (this.#next !== undefined) this.#next++;
    const first = blocks[0]!;
    if (!isNestable(first)) {
      this.#indent = undefined;
      this.addToLastItem(blocks);
      return;
    }
    this.#indent = ' '.repeat(marker.length);
    this.#addLines(marker, first, this.#indent);
    this.addToLastItem(blocks.slice(1));
  }

  addToLastItem(blocks: readonly Block[]): void {
    for (const block of blocks) {
      if (!isNestable(block)) {
        this.#flush();
        this.#blocks.push(block);
        this.#indent = undefined;
      } else if (this.#indent === undefined) {
        this.#flush();
        this.#blocks.push(block);
      } else {
        this.#addLines(`${block.type === 'list' ? '' : '\n'}${this.#indent}`, block, this.#indent);
      }
    }
  }

  finish(): Block[] {
    this.#flush();
    return this.#blocks;
  }

  #addLines(before: string, block: Block, indent: string): void {
    this.#lines.push(before + indentRest(block.markdown, indent));
    const line = this.#lineCount + (before.startsWith('\n') ? 1 : 0);
    for (const place of placesOf(block, line)) this.#places.push(place);
    this.#lineCount = line + lastLineOf(block) + 1;
  }

  #flush(): void {
    if (this.#lines.length === 0) return;
    const places = [...(this.#placed.places ?? []), ...this.#places];
    const markdown = this.#lines.join('\n');
    this.#blocks.push({ type: 'list', markdown, ...this.#placed, ...(places.length > 0 && { places }) });
    this.#placed = {};
    this.#places = [];
    this.#lineCount = 0;
    this.#lines = [];
  }
}
