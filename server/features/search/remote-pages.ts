import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { type Snippet, scoreSnippets } from '#server/engine/index.ts';
import { tellRefusal } from '#server/features/accounts/index.ts';
import { ParseError } from '#server/ingest/parse/index.ts';
import { type Outbound, OutboundError } from '#server/platform/outbound/index.ts';
import type { PageToRead } from './page-to-read.ts';

/** What makes a page of what an address answers; the parse pool of the crawler fits. */
export interface PageParser {
  parse(input: { url: string; bytes: Uint8Array; contentType: string | undefined }): Promise<{
    title: string;
    snippets: Snippet[];
  }>;
}

export interface RemotePages {
  /** Fetches and parses a page, or takes it from the last few. Throws `page-not-indexed` with the reason. */
  fetch(ctx: Context, url: string): Promise<PageToRead>;
}

const keptMs = 10 * 60_000;
const keptPagesMax = 64;
/** Text of kept pages, in characters: some 16 MB of memory. */
const keptCharactersMax = 8_000_000;
const accept = 'text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.5';

/** Reads pages that are in no module. The last ones are kept for ten minutes, within a bound of memory. */
export function createRemotePages(deps: { outbound?: Outbound; parser?: PageParser }): RemotePages {
  const kept = new Map<string, { page: PageToRead; keptAt: number; characters: number }>();

  function keep(url: string, page: PageToRead, keptAt: number): void {
    const characters = page.snippets.reduce((sum, snippet) => sum + snippet.text.length, 0);
    kept.delete(url);
    kept.set(url, { page, keptAt, characters });
    let total = [...kept.values()].reduce((sum, entry) => sum + entry.characters, 0);
    for (const [oldest, entry] of kept) {
      if (kept.size <= keptPagesMax && total <= keptCharactersMax) break;
      kept.delete(oldest);
      total -= entry.characters;
    }
  }

  return {
    async fetch(ctx, url) {
      // Otherwise anyone who reaches this server could fetch pages through it.
      if (ctx.actor.kind === 'anonymous') {
        throw new AppError('page-not-indexed', {
          values: { url, reason: 'sign in to read pages that are not indexed' },
        });
      }
      const known = kept.get(url);
      if (known !== undefined && ctx.clock.elapsed() - known.keptAt < keptMs) return known.page;
      const page = await fetchPage(deps, ctx, url);
      keep(url, page, ctx.clock.elapsed());
      return page;
    },
  };
}

async function fetchPage(
  { outbound, parser }: { outbound?: Outbound; parser?: PageParser },
  ctx: Context,
  url: string,
): Promise<PageToRead> {
  if (outbound === undefined || parser === undefined) throw unreadable(url, 'pages are not fetched here');
  if (!/^https?:/.test(url)) throw unreadable(url, 'only http and https addresses are fetched');
  try {
    const response = await outbound.request(url, { headers: { accept } });
    if (response.status < 200 || response.status > 299) throw unreadable(url, `it answers ${response.status}`);
    const contentType = response.headers['content-type'];
    const type = Array.isArray(contentType) ? contentType[0] : contentType;
    const parsed = await parser.parse({ url: response.url, bytes: response.body, contentType: type });
    if (parsed.snippets.length === 0) throw unreadable(url, 'there is no text on it');
    const { title, snippets } = parsed;
    return {
      url: response.url.replace(/#.*$/s, ''),
      title,
      moduleId: null,
      fetchedAt: ctx.clock.now(),
      snippets,
      relevanceTo: (queries) => scoreSnippets(title, snippets, queries),
    };
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof OutboundError || error instanceof ParseError) {
      throw unreadable(url, await tellRefusal(ctx, error.message), error);
    }
    throw error;
  }
}

function unreadable(url: string, reason: string, cause?: unknown): AppError {
  return new AppError('page-not-indexed', { values: { url, reason: reason.replace(/\.+$/, '') }, cause });
}
