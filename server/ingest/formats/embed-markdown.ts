import type { ExtractedDocument } from '../document.ts';
import type { Draft } from './draft.ts';
import { extractMarkdown } from './markdown/extract-markdown.ts';
import { extractRst } from './rst/extract-rst.ts';

/**
 * Adds Markdown embedded in another format (a description, a doc comment) under the current heading. Its headings
 * become bold lines, because real ones would end the current section.
 */
export function embedMarkdown(draft: Draft, markdown: string): void {
  if (markdown.trim() !== '') embed(draft, extractMarkdown(markdown, { url: draft.resolve('') ?? '' }));
}

/** Adds reStructuredText embedded in another format in the same way. */
export function embedRst(draft: Draft, text: string): void {
  if (text.trim() !== '') embed(draft, extractRst(text, { url: draft.resolve('') ?? '' }));
}

function embed(draft: Draft, part: ExtractedDocument): void {
  for (const { anchor: _, ...block } of part.blocks) {
    if (block.type === 'heading') draft.addText('paragraph', `**${block.markdown.replaceAll('**', '')}**`);
    else draft.add(block);
  }
  for (const link of part.links) draft.addLink(link.url, link.text);
}
