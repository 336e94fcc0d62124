import { countTokens } from '../split/tokens.ts';
import { extractHtml } from './extract-html.ts';

/**
 * The main content of a page as one Markdown text and the number of its o200k tokens. It begins with the title; what a
 * page shows above that (its kind, a way back) is left out.
 */
export function markdownOfPage(html: string, url: string): { markdown: string; tokens: number } {
  const { title, blocks } = extractHtml(html, { url });
  const start = blocks.findIndex(({ type, depth }) => type === 'heading' && depth === 1);
  const parts = blocks.slice(Math.max(0, start)).map(({ type, markdown, depth }) => {
    if (type === 'heading') return `${'#'.repeat(depth ?? 1)} ${markdown}`;
    return type === 'term' ? `**${markdown}**` : markdown;
  });
  const text = `${[...(start < 0 ? [`# ${title}`] : []), ...parts].join('\n\n')}\n`;
  return { markdown: text, tokens: countTokens(text) };
}
