import { expect } from 'vitest';
import { CrawlError } from '#server/ingest/crawl/crawl-error.ts';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts';
import {
  crawlTestSite,
  htmlPage,
  startTestSite,
  type TestCrawl,
  type TestCrawlOptions,
  type TestPage,
  type TestSite,
} from './test-site.ts';

// The hostile origin is on 127.0.0.2, which counts as public; canaries listen on the same port of other addresses.
export const host = '127.0.0.2';
const cleanups: (() => Promise<unknown>)[] = [];
/** Runs after each test: closes everything it started. */
export async function closeRig(): Promise<void> {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
}

export function afterwards(cleanup: () => Promise<unknown>): void {
  cleanups.push(cleanup);
}

export async function serve(
  pages: Record<string, TestPage>,
  fallback?: (path: string) => TestPage | undefined,
): Promise<TestSite> {
  const site = await startTestSite(pages, fallback, (listener) => startLoopbackServer(listener, host));
  cleanups.push(() => site.close());
  return site;
}

export function crawl(site: LoopbackServer, options: TestCrawlOptions = {}): Promise<TestCrawl> {
  const outbound = { allowHosts: [], policy: { publicRanges: [`${host}/32`] }, ...options.outbound };
  return crawlTestSite(site, '/', { ...options, outbound });
}

/** Returns the result for page /x of a site with a valid home page: "page", or status and reason. */
export async function fateOf(
  page: TestPage,
  options: TestCrawlOptions = {},
): Promise<{ fate: string; site: TestSite; crawled: TestCrawl }> {
  const site = await serve({ '/': htmlPage('home', ['/x', '/good']), '/x': page, '/good': htmlPage('good') });
  const crawled = await crawl(site, options);
  const record = crawled.records.find(({ url }) => url.endsWith('/x'));
  expect(crawled.pages).toContain('/good');
  return { fate: record?.status === 'page' ? 'page' : `${record?.status} ${record?.reason}`, site, crawled };
}

export async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'crawled',
    (error: unknown) => (error instanceof CrawlError ? error.code : String(error)),
  );
}

export const html = { 'content-type': 'text/html' };
export const encoded = (coding: string, body: Uint8Array): TestPage => ({
  headers: { ...html, 'content-encoding': coding },
  body,
});
export const paragraph = '<p>The quick brown fox jumps over the lazy dog, and then again.</p>\n';
export const status = (...statuses: number[]): TestPage => {
  let count = 0;
  return (_, response) => {
    const now = statuses[Math.min(count++, statuses.length - 1)] ?? 200;
    response.writeHead(now, html).end(now === 200 ? htmlPage('x') : '');
  };
};
/** The product's limits, a hundred times shorter, for deliberately slow servers. */
export const hurried = {
  outbound: { limits: { connectTimeoutMs: 100, headersTimeoutMs: 100, idleTimeoutMs: 100, timeoutMs: 300 } },
};
export const trickle =
  (intervalMs: number, piece: string): TestPage =>
  (_, response) => {
    response.writeHead(200, html);
    const timer = setInterval(() => response.write(piece), intervalMs);
    response.on('close', () => clearInterval(timer));
  };
export const requestsOf = (site: LoopbackServer, path: string) =>
  site.requests.filter((line) => line === `GET ${path}`).length;
