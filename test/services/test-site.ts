import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { crawlSite } from '#server/ingest/crawl/crawl-site.ts';
import type {
  CrawlInput,
  CrawlRecord,
  CrawlReport,
  FetchedPage,
  ParsedPage,
} from '#server/ingest/crawl/crawl-types.ts';
import { HostGates } from '#server/ingest/crawl/host-gate.ts';
import { readListFile } from '#server/ingest/crawl/list-file.ts';
import type { Link } from '#server/ingest/document.ts';
import type { Clock } from '#server/platform/clock.ts';
import { createOutbound } from '#server/platform/outbound/index.ts';
import type { OutboundOptions } from '#server/platform/outbound/outbound.ts';
import { type Listener, type LoopbackServer, startLoopbackServer } from './loopback-server.ts';

/** Test support: one path's response. A string is an HTML page. */
export type TestPage =
  | string
  | { status?: number; headers?: Record<string, string>; body?: string | Uint8Array }
  | ((request: IncomingMessage, response: ServerResponse) => unknown);

export interface TestSite extends LoopbackServer {
  /** Requested paths, without robots.txt, llms.txt and sitemap.xml. */
  pageRequests(): string[];
}

const discoveryFiles = /\/(robots|llms|llms-full)\.txt$|\/sitemap\.xml$/;

/** Serves `pages` by path (with the query if listed so); `fallback` handles the rest, or they return 404. */
export async function startTestSite(
  pages: Record<string, TestPage>,
  fallback?: (path: string) => TestPage | undefined,
  start: (listener: Listener) => Promise<LoopbackServer> = startLoopbackServer,
): Promise<TestSite> {
  const server = await start((request, response) => {
    const path = request.url ?? '/';
    const page = pages[path] ?? pages[path.replace(/\?.*$/, '')] ?? fallback?.(path);
    if (page === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end('nothing here');
    else if (typeof page === 'function') page(request, response);
    else if (typeof page === 'string')
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    else {
      const { status = 200, headers = { 'content-type': 'text/html' }, body = '' } = page;
      response.writeHead(status, headers).end(body);
    }
  });
  return Object.assign(server, {
    pageRequests: () => server.requests.map((line) => line.slice(4)).filter((path) => !discoveryFiles.test(path)),
  });
}

/** Returns a page with some text and links to `targets`. */
export function htmlPage(title: string, targets: readonly string[] = [], head = ''): string {
  const links = targets.map((target) => `<a href="${target}">to ${target}</a>`).join(' ');
  return `<!doctype html><html><head><title>${title}</title>${head}</head><body><p>All about ${title}.</p>${links}</body></html>`;
}

/** A clock on which every sleep ends at once, while its time still advances. */
export interface InstantClock extends Clock {
  sleeps: number[];
}

export function createInstantClock(): InstantClock {
  const startedAt = Date.UTC(2026, 0, 1);
  let elapsed = 0;
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => startedAt + elapsed,
    elapsed: () => elapsed,
    async sleep(ms, signal) {
      sleeps.push(ms);
      elapsed += ms;
      await setImmediate();
      signal?.throwIfAborted();
    },
  };
}

export interface TestCrawl {
  records: CrawlRecord[];
  report: CrawlReport;
  clock: InstantClock;
  /** Paths of the stored pages, in order. */
  pages: string[];
}

export interface TestCrawlOptions {
  input?: Partial<CrawlInput>;
  outbound?: Partial<OutboundOptions>;
  signal?: AbortSignal;
  clock?: InstantClock;
  gates?: HostGates;
  records?: CrawlRecord[];
  onRecord?: (record: CrawlRecord) => Promise<void> | void;
  parse?: (page: FetchedPage) => Promise<ParsedPage>;
  whenParseRoom?: () => Promise<void>;
}

/** Crawls from `start` (path or address) with real requests, an instant clock and a small parser. */
export async function crawlTestSite(
  site: LoopbackServer,
  start = '/',
  options: TestCrawlOptions = {},
): Promise<TestCrawl> {
  const clock = options.clock ?? createInstantClock();
  const records = options.records ?? [];
  const outbound = createOutbound({
    allowHosts: [`127.0.0.1:${site.port}`, `localhost:${site.port}`],
    userAgent: 'TestBot/1',
    ...options.outbound,
  });
  const controller = new AbortController();
  try {
    const report = await crawlSite(
      {
        startUrl: new URL(start, site.origin).href,
        pagesMax: 1_000,
        userAgent: 'TestBot/1 (+https://x)',
        ...options.input,
      },
      {
        outbound,
        clock,
        random: () => 0.5,
        gates: options.gates ?? new HostGates(clock, () => 0.5),
        signal: options.signal ?? controller.signal,
        parse: options.parse ?? (async (page) => parseTestPage(page)),
        readList: async (file) => readListFile(file),
        ...(options.whenParseRoom ? { whenParseRoom: options.whenParseRoom } : {}),
        onRecord: async (record) => {
          // Through JSON, as a job stores it.
          records.push(JSON.parse(JSON.stringify({ ...record, parsed: undefined })));
          await options.onRecord?.(record);
        },
      },
    );
    requireFullAccount(report);
    const pages = records
      .filter(({ status }) => status === 'page' || status === 'unchanged')
      .map(({ url }) => pathOf(url));
    return { records, report, clock, pages };
  } finally {
    await outbound.close();
  }
}

/** Requires that every address found is a page, was skipped for a reason, or failed. */
function requireFullAccount({ counts, skipped, failed }: CrawlReport): void {
  const others = ['out-of-scope', 'needs-scripts'];
  const sumOf = (reasons: CrawlReport['skipped']) =>
    Object.entries(reasons).reduce((sum, [reason, { count }]) => (others.includes(reason) ? sum : sum + count), 0);
  const accounted = counts.pages + counts.unchanged + sumOf(skipped) + sumOf(failed);
  if (accounted !== counts.found || counts.queued !== 0)
    throw new Error(
      `${counts.found} addresses found, ${accounted} accounted for: ${JSON.stringify({ counts, skipped, failed })}`,
    );
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Returns the record of a path. */
export function recordAt(records: readonly CrawlRecord[], path: string): CrawlRecord | undefined {
  return records.findLast(({ url }) => pathOf(url) === path);
}

/** Parses enough HTML and Markdown for the tests' sites. */
export function parseTestPage({ url, bytes, contentType, baseUrl = url }: FetchedPage): ParsedPage {
  const text = new TextDecoder().decode(bytes);
  const attribute = (pattern: RegExp) => {
    const value = pattern.exec(text)?.[1];
    return value === undefined ? undefined : URL.parse(value, baseUrl)?.href;
  };
  const links: Link[] = [];
  const anchors = /markdown/.test(contentType)
    ? [...text.matchAll(/\[([^\]]*)\]\(([^)]+)\)/g)].map(([, label, href]) => ({ href, label, rest: '' }))
    : [...text.matchAll(/<a href="([^"]*)"([^>]*)>([^<]*)/g)].map(([, href, rest, label]) => ({ href, label, rest }));
  for (const { href = '', label = '', rest = '' } of anchors) {
    const target = URL.parse(href, baseUrl)?.href;
    if (target) links.push({ url: target, text: label, fromContent: true, isNofollow: rest.includes('nofollow') });
  }
  const body = text
    .replace(/<head>.*?<\/head>/s, '')
    .replace(/<[^>]*>/g, '')
    .trim();
  return {
    title: /<title>([^<]*)/.exec(text)?.[1] ?? '',
    canonicalUrl: attribute(/<link rel="canonical" href="([^"]+)/),
    refreshUrl: attribute(/<meta http-equiv="?refresh"? content="\d+;\s*url=([^"]+)/i),
    markdownUrl: attribute(/<link rel="alternate" type="text\/markdown" href="([^"]+)/),
    isNoindex: /<meta name="robots" content="[^"]*noindex/.test(text),
    links,
    snippets: body === '' ? [] : [body],
    contentHash: createHash('sha256').update(bytes).digest('hex'),
  };
}
