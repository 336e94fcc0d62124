import type { Block } from '../document.ts';
import { plainText } from './plain-inline.ts';

/** Consecutive blocks under one heading or one term, or the rest of a section after its terms. */
export interface Section {
  kind: 'root' | 'heading' | 'term' | 'rest';
  /** Index in the list of sections; -1 for the root. */
  parent: number;
  /** Index of the first block, which is the heading or term itself. */
  start: number;
  /** Index of the next section's first block: `start` to `ownEnd` are the section's direct blocks. */
  ownEnd: number;
  /** Index of the block after the last subsection. */
  end: number;
  /** Index of the first section that is not inside this one. */
  next: number;
  /** The section's part of the heading path; may be empty. */
  label: string;
}

/** A longer path costs more tokens than it is worth. */
const pathLabelsMax = 10;
const labelCharsMax = 160;

/**
 * Returns a document's sections in reading order, parents before children. Headings nest by depth, terms by span. A
 * heading that repeats the page's title gets no label.
 */
export function sectionsOf(blocks: readonly Block[], title: string): Section[] {
  const sections: Section[] = [];
  const open: { index: number; depth: number; end: number }[] = [];
  const start = (kind: Section['kind'], at: number, depth: number, end: number, label: string): void => {
    const parent = open.at(-1)?.index ?? -1;
    const previous = sections.at(-1);
    if (previous) previous.ownEnd = at;
    open.push({ index: sections.length, depth, end });
    sections.push({ kind, parent, start: at, ownEnd: blocks.length, end: blocks.length, next: -1, label });
  };
  const close = (at: number): void => {
    const closed = sections[(open.pop() as { index: number }).index] as Section;
    closed.end = at;
    closed.next = sections.length;
  };
  start('root', 0, 0, Infinity, '');
  let isTitleSeen = false;
  for (const [at, block] of blocks.entries()) {
    let isClosed = false;
    const top = (): { depth: number; end: number } => open.at(-1) as { depth: number; end: number };
    while (top().end <= at) {
      close(at);
      isClosed = true;
    }
    if (block.type === 'heading') {
      const depth = block.depth ?? 1;
      // Root and terms have depth 0, so a heading closes only headings and rests.
      while (open.length > 1 && (top().depth >= depth || top().depth === restDepth)) close(at);
      const label = plainLabel(block);
      const isTitle = !isTitleSeen && isSameTitle(label, title);
      if (isTitle) isTitleSeen = true;
      start('heading', at, depth, top().end, isTitle ? '' : label);
    } else if (block.type === 'term') {
      if (top().depth === restDepth) close(at);
      start('term', at, 0, Math.min(at + 1 + Math.max(block.span ?? 0, 0), top().end), plainLabel(block));
    } else if (isClosed) start('rest', at, restDepth, top().end, '');
  }
  while (open.length > 0) close(blocks.length);
  return sections;
}

const restDepth = 100;

function plainLabel(block: Block): string {
  const name = block.type === 'term' ? block.identifiers?.[0] : undefined;
  const label = name ?? plainText(block.markdown.slice(0, 4 * labelCharsMax));
  return label.length > labelCharsMax ? `${label.slice(0, labelCharsMax - 1)}…` : label;
}

function isSameTitle(heading: string, title: string): boolean {
  const a = comparable(heading);
  const b = comparable(title);
  return a !== '' && (a === b || b.startsWith(a) || a.startsWith(b)) && b !== '';
}

function comparable(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Returns the labels from the outermost section to `index`; optionally without its own label. */
export function headingPath(sections: readonly Section[], index: number, isOwnLeftOut: boolean): string[] {
  const labels: string[] = [];
  let at = isOwnLeftOut ? (sections[index] as Section).parent : index;
  while (at >= 0 && labels.length < pathLabelsMax) {
    const section = sections[at] as Section;
    if (section.label !== '') labels.push(section.label);
    at = section.parent;
  }
  return labels.reverse();
}
