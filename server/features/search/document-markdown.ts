import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import type { Shelf } from '#server/features/catalog/index.ts';
import { cleanLabel } from './clean-text.ts';
import { type DocumentAddress, findDocument } from './find-document.ts';
import { linkedText } from './render.ts';
import { renderRead } from './render-read.ts';

/**
 * Returns an indexed page as one Markdown text, like a read without a budget; for a page over 100,000 tokens its
 * beginning, with a note of what is left out. Throws `document-not-found` as `showDocument` does.
 */
export async function documentMarkdown(
  shelf: Shelf,
  ctx: Context,
  input: DocumentAddress,
): Promise<{ url: string; title: string; markdown: string; visibility: 'public' | 'private'; tokens: number }> {
  const { page, found } = await findDocument(shelf, ctx, input);
  const parts = new Map<number, string>();
  const leftOut: number[] = [];
  let tokens = 0;
  for (const [index, snippet] of page.snippets.entries()) {
    tokens += snippet.tokens;
    if (tokens > limits.documentMarkdownTokensMax) leftOut.push(index);
    else parts.set(index, linkedText(snippet));
  }
  const sent = page.snippets.reduce((sum, snippet, index) => sum + (parts.has(index) ? snippet.tokens : 0), 0);
  const plan = { parts, section: undefined, sentBefore: [], leftOut, outlineMax: sectionsNamedMax, notes: [] };
  const markdown = renderRead(page, plan, page.url);
  return { url: page.url, title: cleanLabel(page.title), markdown, visibility: found.module.visibility, tokens: sent };
}

const sectionsNamedMax = 12;
