import { afterEach, describe, expect, test } from 'vitest';
import {
  crawlTestSite,
  htmlPage,
  parseTestPage,
  recordAt,
  startTestSite,
  type TestPage,
  type TestSite,
} from '#test/services/test-site.ts';
import type { CrawlRecord, PreviousPage } from './crawl-types.ts';

const sites: TestSite[] = [];
afterEach(async () => {
  for (const site of sites.splice(0)) await site.close();
});

async function serve(
  pages: Record<string, TestPage>,
  fallback?: (path: string) => TestPage | undefined,
): Promise<TestSite> {
  const site = await startTestSite(pages, fallback);
  sites.push(site);
  return site;
}

describe('a repeated crawl of a site', () => {
  const previousOf =
    (records: readonly CrawlRecord[], isWithLinks = true) =>
    (url: string): PreviousPage | undefined => {
      const record = records.find((one) => one.url === url);
      if (record?.reason === 'http-404') return { contentHash: '', goneFor: record.reason };
      if (record?.contentHash === undefined) return undefined;
      const { etag, lastModified, contentHash = '', links } = record;
      return { etag, lastModified, contentHash, ...(isWithLinks ? { links } : {}) };
    };

  test('that retries requests only failed pages and those they link to', async () => {
    let isBroken = true;
    const pages: Record<string, TestPage> = {
      '/': htmlPage('home', ['/a', '/b']),
      '/a': htmlPage('a'),
      '/b': (_, response) =>
        isBroken
          ? response.writeHead(500).end()
          : response.writeHead(200, { 'content-type': 'text/html' }).end(htmlPage('b', ['/c'])),
      '/c': htmlPage('c'),
    };
    const site = await serve(pages);
    const first = await crawlTestSite(site);
    expect(first.report.counts).toMatchObject({ pages: 2, failed: 1 });
    isBroken = false;
    const asked = site.pageRequests().length;
    const second = await crawlTestSite(site, '/', { input: { previous: previousOf(first.records), isRetry: true } });
    expect(site.pageRequests().slice(asked)).toEqual(['/b', '/c']);
    expect(second.report.counts).toMatchObject({ unchanged: 2, pages: 2, failed: 0 });
    // Not read this time, so it keeps its previous time.
    expect(recordAt(second.records, '/a')).toMatchObject({ status: 'unchanged', fetchedAt: 0 });
  });

  test('that retries automatically skips missing pages; one that a user started does not', async () => {
    const site = await serve({
      '/': htmlPage('home', ['/gone', '/b']),
      '/b': (_, response) => response.writeHead(500).end(),
    });
    const first = await crawlTestSite(site);
    const input = { previous: previousOf(first.records), isRetry: true };
    const asked = site.pageRequests().length;
    const byItself = await crawlTestSite(site, '/', { input: { ...input, leavesGone: true } });
    expect(new Set(site.pageRequests().slice(asked))).toEqual(new Set(['/b']));
    expect(byItself.report.failed).toMatchObject({ 'http-404': { count: 1 }, 'http-500': { count: 1 } });
    expect(recordAt(byItself.records, '/gone')).toMatchObject({ status: 'failed', reason: 'http-404' });
    await crawlTestSite(site, '/', { input });
    expect(
      site
        .pageRequests()
        .slice(asked)
        .filter((path) => path === '/gone'),
    ).toHaveLength(1);
  });

  test('sends validators; unmodified pages are kept and their links followed', async () => {
    const answered: number[] = [];
    const withEtag =
      (path: string, targets: string[]): TestPage =>
      (request, response) => {
        const etag = `"${path}"`;
        const status = request.headers['if-none-match'] === etag ? 304 : 200;
        answered.push(status);
        response.writeHead(status, {
          etag,
          'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
          'content-type': 'text/html',
        });
        response.end(status === 304 ? undefined : htmlPage(path, targets));
      };
    const site = await serve({ '/': withEtag('/', ['/a']), '/a': withEtag('/a', ['/b']), '/b': withEtag('/b', []) });
    const first = await crawlTestSite(site);
    const second = await crawlTestSite(site, '/', { input: { previous: previousOf(first.records) } });
    expect(answered).toEqual([200, 200, 200, 304, 304, 304]);
    expect(second.report.counts).toMatchObject({ unchanged: 3, pages: 0 });
    expect(second.pages).toEqual(first.pages);
    expect(recordAt(second.records, '/a')).toMatchObject({
      status: 'unchanged',
      etag: '"/a"',
      links: [{ url: `${site.origin}/b` }],
    });
  });

  test.each([304, 200])('skips a page whose header now forbids indexing, answered with %d', async (status) => {
    let tag = 'all';
    const site = await serve({ '/': htmlPage('home', ['/a']), '/b': htmlPage('b') }, (path) => {
      if (path !== '/a') return undefined;
      return (request, response) => {
        const isKnown = status === 304 && request.headers['if-none-match'] === '"a"';
        const headers = {
          'content-type': 'text/html',
          'x-robots-tag': tag,
          ...(status === 304 ? { etag: '"a"' } : {}),
        };
        response.writeHead(isKnown ? 304 : 200, headers).end(isKnown ? undefined : htmlPage('a', ['/b']));
      };
    });
    const first = await crawlTestSite(site);
    tag = 'noindex';
    const second = await crawlTestSite(site, '/', { input: { previous: previousOf(first.records) } });
    expect(recordAt(second.records, '/a')).toMatchObject({ status: 'skipped', reason: 'noindex' });
    expect(recordAt(second.records, '/b')).toMatchObject({ status: 'unchanged' });
  });

  test('compares contents if there are no validators, and does not parse unchanged pages again', async () => {
    let text = 'old';
    const site = await serve({ '/': htmlPage('home', ['/a', '/b']), '/b': htmlPage('b') }, (path) =>
      path === '/a' ? htmlPage(text) : undefined,
    );
    const first = await crawlTestSite(site);
    text = 'new';
    const parsed: string[] = [];
    const second = await crawlTestSite(site, '/', {
      input: { previous: previousOf(first.records) },
      parse: async (page) => {
        parsed.push(new URL(page.url).pathname);
        return parseTestPage(page);
      },
    });
    expect(second.records.map(({ status }) => status)).toEqual(['unchanged', 'page', 'unchanged']);
    expect(parsed).toEqual(['/a']);
  });

  test('reads pages in full if the links of the previous version are unknown', async () => {
    const seen: unknown[] = [];
    const site = await serve({}, (path) => (request, response) => {
      seen.push(request.headers['if-none-match']);
      response
        .writeHead(200, { 'content-type': 'text/html', etag: '"1"' })
        .end(htmlPage(path, path === '/' ? ['/a'] : []));
    });
    const first = await crawlTestSite(site);
    const second = await crawlTestSite(site, '/', { input: { previous: previousOf(first.records, false) } });
    expect(second.records.map(({ status }) => status)).toEqual(['unchanged', 'unchanged']);
    expect(new Set(seen)).toEqual(new Set([undefined]));
  });

  test('still requests pages linked only from a failing page, until that page is gone', async () => {
    let status = 503;
    const hub: TestPage = (_request, response) => {
      response
        .writeHead(status, { 'content-type': 'text/html' })
        .end(status === 200 ? htmlPage('hub', ['/deep']) : 'no');
    };
    const site = await serve({
      '/': htmlPage('home', ['/hub']),
      '/hub': hub,
      '/deep': htmlPage('deep', ['/deeper']),
      '/deeper': htmlPage('deeper'),
    });
    status = 200;
    const first = await crawlTestSite(site);
    expect(first.pages).toEqual(['/', '/hub', '/deep', '/deeper']);
    status = 500;
    let { records } = first;
    for (let turn = 0; turn < 2; turn++) {
      ({ records } = await crawlTestSite(site, '/', { input: { previous: previousOf(records) } }));
      expect(recordAt(records, '/hub')).toMatchObject({
        status: 'failed',
        reason: 'http-500',
        links: [{ url: `${site.origin}/deep` }],
      });
      expect(recordAt(records, '/deeper')).toMatchObject({ status: 'unchanged' });
    }
    status = 410;
    ({ records } = await crawlTestSite(site, '/', { input: { previous: previousOf(records) } }));
    expect(records.map(({ url }) => new URL(url).pathname)).toEqual(['/', '/hub']);
  });

  test('requests the pages of the previous version if a sitemap cannot be read', async () => {
    let isDown = false;
    const sitemap: TestPage = (_request, response) => {
      const list = `<urlset><url><loc>${site.origin}/listed</loc></url></urlset>`;
      response.writeHead(isDown ? 500 : 200, { 'content-type': 'application/xml' }).end(isDown ? 'no' : list);
    };
    const site = await serve({ '/': htmlPage('home'), '/listed': htmlPage('listed'), '/sitemap.xml': sitemap });
    const first = await crawlTestSite(site);
    expect(first.pages).toEqual(['/', '/listed']);
    const input = { previous: previousOf(first.records), previousUrls: () => first.records.map(({ url }) => url) };
    isDown = true;
    expect((await crawlTestSite(site, '/', { input })).pages).toEqual(['/', '/listed']);
    expect((await crawlTestSite(site)).pages).toEqual(['/']);
  });

  test('requests seeds even if nothing links to them any longer', async () => {
    const site = await serve({ '/': htmlPage('home'), '/orphan': htmlPage('orphan'), '/gone': { status: 410 } });
    const { pages, records } = await crawlTestSite(site, '/', {
      input: { seeds: [`${site.origin}/orphan`, `${site.origin}/gone`] },
    });
    expect(pages).toEqual(['/', '/orphan']);
    expect(recordAt(records, '/gone')).toMatchObject({ status: 'failed', reason: 'http-410' });
  });
});

describe('an interrupted crawl', () => {
  /** A site with redirects, duplicates, canonical links, a dead link and a sitemap. */
  const mixedSite = () => {
    const tree = (path: string): TestPage | undefined => {
      const n = Number(/^\/p(\d+)$/.exec(path)?.[1]);
      if (n >= 60) return undefined;
      if (n % 10 === 7) return { status: 301, headers: { location: `/p${n + 1}` } };
      if (n % 10 === 3) return htmlPage('the same everywhere');
      if (!Number.isNaN(n)) return htmlPage(`page ${n}`, [`/p${n * 2 + 1}`, `/p${n * 2 + 2}`, `/p${n}?sort=1`]);
      return undefined;
    };
    return serve(
      {
        '/': htmlPage('home', ['/p0']),
        '/sitemap.xml': (_, response) =>
          response.end(`<urlset><url><loc>http://${_.headers.host}/listed</loc></url></urlset>`),
        '/listed': htmlPage('listed'),
      },
      (path) => {
        const plain = path.replace('?sort=1', '');
        const page = tree(plain);
        return plain !== path && typeof page === 'string'
          ? page.replace('<head>', `<head><link rel="canonical" href="${plain}">sorted `)
          : page;
      },
    );
  };

  test('continues from any point and ends with the same pages', async () => {
    const site = await mixedSite();
    const whole = await crawlTestSite(site);
    expect(whole.pages.length).toBeGreaterThan(30);
    for (let stopAt = 1; stopAt <= whole.records.length; stopAt += 8) {
      const cancel = new AbortController();
      const records: CrawlRecord[] = [];
      await crawlTestSite(site, '/', {
        records,
        signal: cancel.signal,
        onRecord: () => {
          if (records.length === stopAt) cancel.abort(new Error('stopped'));
        },
      }).catch((error: Error) => expect(error.message).toBe('stopped'));
      expect(records.length).toBe(stopAt);

      const before = site.requests.length;
      const rest: CrawlRecord[] = [];
      const resumed = await crawlTestSite(site, '/', { records: rest, input: { resume: records } });
      const keptBefore = records.filter(({ status }) => status === 'page').map(({ url }) => new URL(url).pathname);
      expect([...keptBefore, ...resumed.pages], `stopped at ${stopAt}`).toEqual(whole.pages);
      expect(resumed.report.counts).toMatchObject({ pages: whole.pages.length, queued: 0 });
      const askedAgain = site.requests.slice(before).map((line) => `${site.origin}${line.slice(4)}`);
      expect(askedAgain.filter((url) => records.some((record) => record.url === url))).toEqual([]);
    }
  });

  test('retries temporary failures', async () => {
    let isDown = true;
    const site = await serve({
      '/': htmlPage('home', ['/a', '/dead']),
      '/a': (_, response) => response.writeHead(isDown ? 500 : 200, { 'content-type': 'text/html' }).end(htmlPage('a')),
    });
    const first = await crawlTestSite(site);
    expect(first.pages).toEqual(['/']);
    isDown = false;
    const before = site.requests.length;
    const second = await crawlTestSite(site, '/', { input: { resume: first.records } });
    expect(second.pages).toEqual(['/a']);
    expect(site.requests.slice(before)).not.toContain('GET /dead');
  });

  test('starts again if it got no page at all', async () => {
    const site = await serve({ '/': { status: 302, headers: { location: '/home' } }, '/home': htmlPage('home') });
    const { records } = await crawlTestSite(site);
    const again = await crawlTestSite(site, '/', { input: { resume: records.slice(0, 1) } });
    expect(again.pages).toEqual(['/home']);
  });
});

describe('a canceled crawl', () => {
  test('rejects with the reason, ends its requests and emits no more records', async () => {
    const cancel = new AbortController();
    const site = await serve(
      {
        '/': htmlPage(
          'home',
          Array.from({ length: 50 }, (_, i) => `/p${i}`),
        ),
      },
      (path) => (_, response) => {
        if (path === '/p9') cancel.abort(new Error('cancelled by hand'));
        else if (!cancel.signal.aborted) response.setHeader('content-type', 'text/html').end(htmlPage(path));
      },
    );
    const records: CrawlRecord[] = [];
    await expect(crawlTestSite(site, '/', { signal: cancel.signal, records })).rejects.toThrow('cancelled by hand');
    expect(records.length).toBeLessThanOrEqual(11);
  });

  test('a failing receiver ends the crawl with its error', async () => {
    const site = await serve({ '/': htmlPage('home', ['/a', '/b']), '/a': htmlPage('a'), '/b': htmlPage('b') });
    const onRecord = async ({ url }: CrawlRecord) => {
      if (url.endsWith('/a')) throw new Error('disk full');
    };
    await expect(crawlTestSite(site, '/', { onRecord })).rejects.toThrow('disk full');
  });

  test('a slow receiver slows down fetching', async () => {
    const site = await serve(
      {
        '/': htmlPage(
          'home',
          Array.from({ length: 300 }, (_, i) => `/p${i}`),
        ),
      },
      (path) => htmlPage(path),
    );
    const gate = Promise.withResolvers<void>();
    let held = 0;
    const crawl = crawlTestSite(site, '/', {
      onRecord: async ({ url }) => {
        if (!url.endsWith('/p0')) return;
        await gate.promise;
        held = site.pageRequests().length;
      },
    });
    // Let everything happen that can while the receiver is busy.
    for (let last = -1; last !== site.requests.length || last < 10; ) {
      last = site.requests.length;
      for (let turn = 0; turn < 300; turn++) await new Promise(setImmediate);
    }
    gate.resolve();
    await crawl;
    expect(held).toBeLessThanOrEqual(34);
  });
});
