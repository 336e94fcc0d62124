import type { Block, Place, Placed } from '../document.ts';
import { indentRest, quoteLines } from './markdown-text.ts';

/**
 * Returns true for blocks allowed inside a list item or a quote. All others move to the top level: code keeps its bytes
 * free of prefixes, headings and terms keep their place in the outline, tables their width.
 */
export function isNestable(block: Block): boolean {
  return block.type === 'paragraph' || block.type === 'list' || block.type === 'quote';
}

/** Quotes runs of nestable blocks and leaves the others between the quotes. `lead` opens the first quote. */
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

/** Returns the ids of a block that is merged into another at the given line. */
export function placesOf({ anchor, aliases = [], places = [] }: Placed, line: number): Place[] {
  const ids = anchor === undefined ? aliases : [anchor, ...aliases];
  return [...ids.map((id) => ({ id, line })), ...places.map((place) => ({ id: place.id, line: line + place.line }))];
}

/** Returns the number of the last line of a block's Markdown. */
export function lastLineOf({ markdown }: Pick<Block, 'markdown'>): number {
  let line = 0;
  for (let at = markdown.indexOf('\n'); at >= 0; at = markdown.indexOf('\n', at + 1)) line++;
  return line;
}

/**
 * Converts terms with a short body to list items, so that they can stay nested: "See also" boxes are often definition
 * lists. Terms with code or tables in their body stay terms.
 */
export function nestTerms(blocks: readonly Block[]): Block[] {
  const out: Block[] = [];
  // The list being built, and its next line: scanning the whole list for each item would be quadratic.
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
    // Items are separated by one line break, not two.
    line -= 1;
    list.markdown += list.markdown === '' ? markdown : `\n${markdown}`;
    i += body.length;
  }
  return out;
}
