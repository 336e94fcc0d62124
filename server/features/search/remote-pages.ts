import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { type Snippet, scoreSnippets } from '#server/engine/index.ts';
import { tellRefusal } from '#server/features/accounts/index.ts';
import { ParseError } from '#server/ingest/parse/index.ts';
import { type Outbound, OutboundError } from '#server/platform/outbound/index.ts';
import { Turns } from '#server/platform/turns.ts';
import type { PageToRead } from './page-to-read.ts';

/**
 * Parses the response of an address into a page; implemented by the crawler's parse pool, which counts work per owner.
 */
export interface PageParser {
  parse(
    input: { url: string; bytes: Uint8Array; contentType: string | undefined },
    signal: AbortSignal | undefined,
    owner: string,
  ): Promise<{
    title: string;
    snippets: Snippet[];
  }>;
}

export interface RemotePages {
  /** Fetches and parses a page, or takes it from the cache. Throws `page-not-indexed` with the reason. */
  fetch(ctx: Context, url: string): Promise<PageToRead>;
}

const keptMs = 10 * 60_000;
const keptPagesMax = 64;
/** Characters of text in the cache: some 16 MB of memory. Each passage adds about as much as its text. */
const keptCharactersMax = 8_000_000;
const charactersOfPassage = 300;
/** Characters of a page compared with short queries: comparing a page of 10 MB would block all requests for seconds. */
const comparedCharactersMax = 1_500_000;
/** Query characters that take as long to compare as a short query; longer queries are slower in proportion. */
const shortQueryCharacters = 6_000;
/** Most concurrent fetches per user; further ones wait. Each holds its response in memory. */
const atOnceOfOne = 4;
const accept = 'text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.5';

/**
 * Creates the reader of pages that are in no module. Recent pages are cached for ten minutes, within a memory limit.
 */
export function createRemotePages(deps: { outbound?: Outbound; parser?: PageParser }): RemotePages {
  const kept = new Map<string, { page: PageToRead; keptAt: number; characters: number }>();
  const turnsOf = new Map<string, Turns>();

  function keep(url: string, page: PageToRead, keptAt: number): void {
    const characters = page.snippets.reduce((sum, { text }) => sum + text.length + charactersOfPassage, 0);
    kept.delete(url);
    kept.set(url, { page, keptAt, characters });
    let total = [...kept.values()].reduce((sum, entry) => sum + entry.characters, 0);
    for (const [oldest, entry] of kept) {
      if (kept.size <= keptPagesMax && total <= keptCharactersMax) break;
      kept.delete(oldest);
      total -= entry.characters;
    }
  }

  function known(ctx: Context, url: string): PageToRead | undefined {
    const entry = kept.get(url);
    return entry !== undefined && ctx.clock.elapsed() - entry.keptAt < keptMs ? entry.page : undefined;
  }

  return {
    async fetch(ctx, url) {
      // Otherwise anyone who can reach this server could use it as a proxy.
      if (ctx.actor.kind === 'anonymous') {
        throw new AppError('page-not-indexed', {
          values: { url, reason: 'sign in to read pages that are not indexed' },
        });
      }
      const { userId } = ctx.actor;
      const read = async () => {
        const page = await fetchPage(deps, ctx, url, userId);
        keep(url, page, ctx.clock.elapsed());
        return page;
      };
      const page = known(ctx, url);
      if (page !== undefined) return page;
      const turns = turnsOf.get(userId) ?? new Turns(atOnceOfOne);
      turnsOf.set(userId, turns);
      // Check the cache again after waiting: another read may have fetched the page.
      return turns
        .run(async () => known(ctx, url) ?? (await read()))
        .finally(() => turns.isIdle && turnsOf.delete(userId));
    },
  };
}

async function fetchPage(
  { outbound, parser }: { outbound?: Outbound; parser?: PageParser },
  ctx: Context,
  url: string,
  owner: string,
): Promise<PageToRead> {
  if (outbound === undefined || parser === undefined) throw unreadable(url, 'pages are not fetched here');
  if (!/^https?:/.test(url)) throw unreadable(url, 'only http and https addresses are fetched');
  try {
    const response = await outbound.request(url, { headers: { accept } });
    if (response.status < 200 || response.status > 299) throw unreadable(url, `it returned status ${response.status}`);
    const contentType = response.headers['content-type'];
    const type = Array.isArray(contentType) ? contentType[0] : contentType;
    const input = { url: response.url, bytes: response.body, contentType: type };
    const parsed = await parser.parse(input, undefined, owner);
    if (parsed.snippets.length === 0) throw unreadable(url, 'there is no text on it');
    const { title, snippets } = parsed;
    return {
      url: response.url.replace(/#.*$/s, ''),
      title,
      moduleId: null,
      fetchedAt: ctx.clock.now(),
      snippets,
      relevanceTo: (queries, part) => relevanceOf(title, snippets.slice(part?.from, part?.to), queries),
    };
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof OutboundError || error instanceof ParseError) {
      throw unreadable(url, await tellRefusal(ctx, error.message), error);
    }
    throw error;
  }
}

/** Returns the passages' relevance to the queries; passages beyond the compared text have none. */
function relevanceOf(title: string, snippets: readonly Snippet[], queries: string[]): number[] {
  let left = comparedCharactersMax / (1 + queries.join('').length / shortQueryCharacters);
  const end = snippets.findIndex(({ text }) => (left -= text.length + charactersOfPassage) < 0);
  const scores = scoreSnippets(title, snippets.slice(0, end < 0 ? snippets.length : Math.max(1, end)), queries);
  return snippets.map((_, at) => scores[at] ?? 0);
}

function unreadable(url: string, reason: string, cause?: unknown): AppError {
  return new AppError('page-not-indexed', { values: { url, reason: reason.replace(/\.+$/, '') }, cause });
}
