import type { Block, Place, Placed } from '../document.ts';
import { indentRest, quoteLines } from './markdown-text.ts';

/**
 * Blocks that may stand inside a list item or a quote. Everything else is lifted out to the top level: code keeps its
 * bytes free of prefixes, headings and terms keep their place in the outline, tables their width.
 */
export function isNestable(block: Block): boolean {
  return block.type === 'paragraph' || block.type === 'list' || block.type === 'quote';
}

/** Puts runs of nestable blocks into quotes and leaves the others between them. `lead` opens the first quote. */
export function quoteBlocks(
  blocks: readonly Block[],
  type: 'quote' | 'admonition',
  lead = '',
  placed: Placed = {},
): Block[] {
  const out: Block[] = [];
  let run: string[] = lead === '' ? [] : [lead];
  let places: Place[] = [...(placed.places ?? [])];
  let line = 2 * run.length;
  const flush = (): void => {
    if (run.length === 0) return;
    const isFirst = out.length === 0;
    out.push({
      type: isFirst ? type : 'quote',
      markdown: quoteLines(run.join('\n\n')),
      ...(isFirst && placed),
      ...(places.length > 0 && { places }),
    });
    run = [];
    places = [];
    line = 0;
  };
  for (const block of blocks) {
    if (isNestable(block)) {
      run.push(block.markdown);
      for (const place of placesOf(block, line)) places.push(place);
      line += lastLineOf(block) + 2;
    } else {
      flush();
      out.push(block);
    }
  }
  flush();
  return out;
}

/** The ids of a block that becomes part of another, whose line it begins on. */
export function placesOf({ anchor, aliases = [], places = [] }: Placed, line: number): Place[] {
  const ids = anchor === undefined ? aliases : [anchor, ...aliases];
  return [...ids.map((id) => ({ id, line })), ...places.map((place) => ({ id: place.id, line: line + place.line }))];
}

/** Number of the last line of a block's Markdown. */
export function lastLineOf({ markdown }: Pick<Block, 'markdown'>): number {
  let line = 0;
  for (let at = markdown.indexOf('\n'); at >= 0; at = markdown.indexOf('\n', at + 1)) line++;
  return line;
}

/**
 * Writes terms with a short body as items of a list, so that they can stay where they are: "See also" boxes are often
 * definition lists. Terms with code or tables in their body are left alone.
 */
export function nestTerms(blocks: readonly Block[]): Block[] {
  const out: Block[] = [];
  // The list that grows, and its next line: looking at all of it for each item would be quadratic.
  let list: Block | undefined;
  let line = 0;
  for (let i = 0; i < blocks.length; i++) {
    const term = blocks[i]!;
    const body = term.type === 'term' ? blocks.slice(i + 1, i + 1 + (term.span ?? 0)) : [];
    if (term.type !== 'term' || !body.every(isNestable)) {
      out.push(term);
      continue;
    }
    const name = term.markdown.startsWith('`') ? term.markdown : `**${term.markdown}**`;
    const markdown = `- ${indentRest([name, ...body.map((block) => block.markdown)].join('\n\n'), '  ')}`;
    const last = out[out.length - 1];
    if (last === undefined || last !== list) {
      const isContinued = last?.type === 'list' && last.markdown.startsWith('- ');
      list = isContinued ? last : { type: 'list', markdown: '', ...(term.anchor && { anchor: term.anchor }) };
      line = isContinued ? lastLineOf(last) + 1 : 0;
      if (!isContinued) out.push(list);
    }
    list.places ??= [];
    for (const block of [term, ...body]) {
      for (const place of placesOf(block, line)) list.places.push(place);
      line += lastLineOf(block) + 2;
    }
    // One line, and not two, lies between an item and the next.
    line -= 1;
    list.markdown += list.markdown === '' ? markdown : `\n${markdown}`;
    i += body.length;
  }
  return out;
}
