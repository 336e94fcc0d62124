import { countTokens } from '../split/tokens.ts';
import { extractHtml } from './extract-html.ts';

/**
 * Returns a page's main content as Markdown and its number of o200k tokens. It begins with the title; text above the
 * title (the page's kind, a link back) is omitted.
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
