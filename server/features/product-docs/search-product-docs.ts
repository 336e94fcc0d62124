import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { DocsAnswer, DocsHit, productDocsEndpoints } from '#contract/product-docs.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { type SearchHit, searchSegments } from '#server/engine/index.ts';
import { requireWithinRate } from '#server/features/accounts/index.ts';
import { type ProductDocs, productDocsAddress, sectionOf } from './product-docs.ts';

type Input = ParsedInputOf<typeof productDocsEndpoints.searchProductDocs>;

/**
 * Searches the product's documentation for the caller at this network address. Free. Throws `query-empty`, and
 * `rate-limited` if this address has searched too often; finds nothing if the documentation was not built.
 */
export async function searchProductDocs(
  docs: ProductDocs,
  ctx: Context,
  { query, limit }: Input,
  address: string,
): Promise<DocsAnswer> {
  if (query.trim() === '') throw new AppError('query-empty');
  await requireWithinRate(ctx, [['product-docs-address', address]]);
  const startedAt = performance.now();
  const segment = await docs.segment();
  if (segment === undefined) return { query, results: [], searchedSnippets: 0, wholePageTokens: 0, tookMs: 0 };
  const hits = searchSegments([{ segment, key: 'product-docs' }], query, { limit, snippetsPerPage: 2 });
  const pages = new Map(hits.map((hit) => [hit.pageIndex, hit.page]));
  const wholePageTokens = [...pages.keys()]
    .flatMap((page) => segment.pageSnippets(page))
    .reduce((sum, { tokens }) => sum + tokens, 0);
  return {
    query,
    results: hits.map((hit) => toHit(hit, query, docs.productName)),
    searchedSnippets: segment.snippetCount,
    wholePageTokens,
    tookMs: performance.now() - startedAt,
  };
}

function toHit({ snippet, page }: SearchHit, query: string, productName: string): DocsHit {
  const path = page.url.slice(productDocsAddress.length);
  return {
    path: snippet.anchor === '' ? path : `${path}#${snippet.anchor}`,
    pageTitle: page.title,
    section: sectionOf(path),
    headingPath: snippet.headingPath,
    excerpt: plainExcerpt(snippet.text, query).replace(/\bLectern\b/g, productName),
    tokens: snippet.tokens,
  };
}

const excerptCharacters = 180;

/** Returns the part of a passage with most words of the query, without Markdown, on one line. */
function plainExcerpt(markdown: string, query: string): string {
  const text = plainText(markdown);
  if (text.length <= excerptCharacters) return text;
  const words = query.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  const lower = text.toLowerCase();
  const places = words.flatMap((word) => placesOf(lower, word));
  const countFrom = (start: number): number =>
    new Set(places.filter(({ at }) => at >= start && at < start + excerptCharacters).map(({ word }) => word)).size;
  const starts = [0, ...places.map(({ at }) => Math.max(0, at - 40))];
  const best = starts.reduce((kept, start) => (countFrom(start) > countFrom(kept) ? start : kept), 0);
  const from = best === 0 ? 0 : text.indexOf(' ', best) + 1;
  const to = text.lastIndexOf(' ', from + excerptCharacters);
  const cut = text.slice(from, to <= from || from + excerptCharacters >= text.length ? undefined : to);
  return `${from > 0 ? '… ' : ''}${cut}${from + cut.length < text.length ? ' …' : ''}`;
}

function placesOf(text: string, word: string): { word: string; at: number }[] {
  const found: { word: string; at: number }[] = [];
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) found.push({ word, at });
  return found;
}

function plainText(markdown: string): string {
  return markdown
    .replace(/^#{1,6} .*$/gm, '')
    .replace(/^\s*(```|~~~).*$/gm, '')
    .replace(/^[|\s:-]+$/gm, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*`|\\]|^\s*[-+>] /gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
