import type { Hono, Context as HonoContext } from 'hono';
import { type DocumentPlace, placeOfDocument } from '#contract/document-path.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { cachingOf, type SearchFeature } from '#server/features/search/index.ts';
import { cachedAnswer } from './cached-answer.ts';

interface DocumentPageParts {
  search: Pick<SearchFeature, 'documentMarkdown' | 'viewMarkdown'>;
  addressOf(c: HonoContext): string;
  contextOf(c: HonoContext): Promise<Context>;
}

/**
 * Serves a page's Markdown at its address in the viewer: for requests that accept `text/markdown`, and with `.md`
 * appended to the address unless a page of that exact name is indexed. All other requests get the viewer.
 */
export function addDocumentPages(app: Hono<{ Variables: { requestId: string } }>, parts: DocumentPageParts): void {
  app.get('/document/*', async (c, next) => {
    const isAsked = prefersMarkdown(c.req.header('accept') ?? '');
    const place = placeOfDocument(new URL(c.req.url));
    const hasSuffix = !isAsked && place.address.endsWith('.md');
    if (!isAsked && !hasSuffix) return next();
    const ctx = await parts.contextOf(c);
    if (!hasSuffix) return markdownAnswer(c, ctx, parts, place);
    try {
      const bare = { ...place, address: place.address.slice(0, -'.md'.length) };
      if (await isPage(ctx, parts.search, place)) return await next();
      return await markdownAnswer(c, ctx, parts, bare);
    } catch (error) {
      // The viewer shows what to do about a missing page.
      if (error instanceof AppError && error.code === 'document-not-found') return next();
      throw error;
    }
  });
}

/** Returns true if a page has exactly this address, such as a file README.md. */
async function isPage(ctx: Context, search: DocumentPageParts['search'], place: DocumentPlace): Promise<boolean> {
  try {
    return (await search.documentMarkdown(ctx, inputOf(place))).url === place.address;
  } catch (error) {
    if (error instanceof AppError && error.code === 'document-not-found') return false;
    throw error;
  }
}

async function markdownAnswer(
  c: HonoContext,
  ctx: Context,
  { search, addressOf }: DocumentPageParts,
  place: DocumentPlace,
): Promise<Response> {
  const isHead = c.req.raw.method === 'HEAD';
  // GET is charged for its content; a response to HEAD has none.
  const { url, markdown, visibility } = isHead
    ? await search.documentMarkdown(ctx, inputOf(place))
    : await search.viewMarkdown(ctx, inputOf(place), addressOf(c));
  const caching = cachingOf(ctx, [{ visibility }]);
  const headers = {
    'content-type': 'text/markdown; charset=utf-8',
    // Search engines should find the original instead.
    'x-robots-tag': 'noindex',
    link: `<${url.replace(/[<>\s]|[^\x21-\x7e]/gu, encodeURIComponent)}>; rel="canonical"`,
  };
  if (caching === undefined) return c.body(markdown, 200, { ...headers, 'cache-control': 'no-store' });
  return cachedAnswer(markdown, { caching, ifNoneMatch: c.req.header('if-none-match'), headers });
}

function inputOf({ address, moduleId, visibility }: DocumentPlace) {
  return { url: address, moduleId, visibility };
}

/**
 * Returns true if the request names Markdown with at least HTML's weight; browsers name only text/html and wildcards.
 */
function prefersMarkdown(accept: string): boolean {
  const gladness = (type: string): number => {
    const range = accept.split(',').find((part) => part.trim().split(';')[0]?.trim().toLowerCase() === type);
    if (range === undefined) return 0;
    const quality = /;\s*q=([\d.]+)/i.exec(range)?.[1];
    return quality === undefined ? 1 : Number(quality);
  };
  const markdown = gladness('text/markdown');
  return markdown > 0 && markdown >= gladness('text/html');
}
