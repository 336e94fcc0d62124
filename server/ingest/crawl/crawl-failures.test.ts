import { afterEach, describe, expect, test } from 'vitest';
import {
  crawlTestSite,
  createInstantClock,
  htmlPage,
  recordAt,
  startTestSite,
  type TestCrawlOptions,
  type TestPage,
  type TestSite,
} from '#test/services/test-site.ts';
import { CrawlError } from './crawl-error.ts';
import { HostGates } from './host-gate.ts';

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

async function failureOf(site: TestSite, start = '/', options: TestCrawlOptions = {}): Promise<CrawlError> {
  const error = await crawlTestSite(site, start, options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(CrawlError);
  // One or two full sentences, as users read the message.
  expect((error as CrawlError).message).toMatch(/^\S.{30,}[.)]$/);
  return error as CrawlError;
}

/** Returns the responses in turn, then repeats the last one. */
function inTurn(...answers: TestPage[]): TestPage {
  let count = 0;
  return (request, response) => {
    const answer = answers[Math.min(count++, answers.length - 1)];
    if (typeof answer === 'function') answer(request, response);
    else if (typeof answer === 'string') response.setHeader('content-type', 'text/html').end(answer);
    else response.writeHead(answer?.status ?? 200, answer?.headers).end(answer?.body);
  };
}

const reset: TestPage = (request) => request.socket.destroy();
const resetInBody: TestPage = (request, response) => {
  response.writeHead(200, { 'content-type': 'text/html', 'content-length': '5000' });
  response.write('<p>half', () => request.socket.destroy());
};

describe('a crawl fails with a specific reason for', () => {
  test.each([
    [404, 'start-refused'],
    [403, 'start-refused'],
    [500, 'start-refused'],
    [999, 'start-refused'],
    [206, 'start-refused'],
  ])('status %i at the start address', async (status, code) => {
    const site = await serve({ '/': { status } });
    expect(await failureOf(site)).toMatchObject({ code, message: expect.stringContaining(String(status)) });
  });

  test('a host that does not exist', async () => {
    const site = await startTestSite({});
    await site.close();
    const clock = createInstantClock();
    const startedAt = clock.now();
    expect((await failureOf(site, '/', { clock })).code).toBe('host-unreachable');
    expect(clock.now() - startedAt).toBeLessThan(15_000);
  });

  test('a private address that is not allowed', async () => {
    const site = await serve({ '/': htmlPage('home') });
    const failure = await failureOf(site, '/', { outbound: { allowHosts: [] } });
    expect(failure).toMatchObject({ code: 'address-refused', message: expect.stringContaining('LECTERN_ALLOW_HOSTS') });
    expect(site.connectionCount).toBe(0);
  });

  test('a robots.txt that forbids the start, is broken, or has too long a delay', async () => {
    const robots = (body: string) => serve({ '/': htmlPage('home'), '/robots.txt': { headers: {}, body } });
    expect((await failureOf(await robots('User-agent: *\nDisallow: /'))).code).toBe('robots-refused');
    expect((await failureOf(await robots('User-agent: *\nCrawl-delay: 86400'))).code).toBe('crawl-delay-too-long');
    const broken = await serve({ '/': htmlPage('home'), '/robots.txt': { status: 503 } });
    expect((await failureOf(broken)).code).toBe('robots-unreachable');
    expect(broken.requests).not.toContain('GET /');
  });

  test('a start address that is not a text page', async () => {
    const site = await serve({ '/': { headers: { 'content-type': 'application/zip' }, body: 'PK' } });
    expect(await failureOf(site)).toMatchObject({
      code: 'wrong-content-type',
      message: expect.stringContaining('application/zip'),
    });
  });

  test('a site without text', async () => {
    const site = await serve({ '/': '<html><head><title>App</title></head><body><div id="root"></div></body></html>' });
    expect((await failureOf(site)).code).toBe('empty-site');
  });

  test('a redirect to another site, which the error names', async () => {
    const site = await serve({ '/': { status: 301, headers: { location: 'https://new.example/docs/' } } });
    const failure = await failureOf(site);
    expect(failure).toMatchObject({ code: 'redirect-out-of-scope', url: 'https://new.example/docs/' });
    expect(failure.message).toContain('https://new.example/docs/');
  });

  test('a start page that is too large, with advice', async () => {
    const site = await serve({ '/': { headers: { 'content-type': 'text/html', 'content-length': '1000000000' } } });
    const failure = await failureOf(site);
    expect(failure.code).toBe('start-unusable');
    expect(failure.message).toMatch(/ is larger than the limit of \d+ MB\. Start from another page of the site\.$/);
  });

  test('redirect loops and endless redirects', async () => {
    const circle = await serve({
      '/': { status: 302, headers: { location: '/a' } },
      '/a': { status: 302, headers: { location: '/' } },
    });
    expect((await failureOf(circle)).code).toBe('redirect-loop');
    const endless = await serve({ '/robots.txt': { status: 404 } }, (path) => ({
      status: 302,
      headers: { location: `/r?n=${Number(path.split('=')[1] ?? 0) + 1}` },
    }));
    expect((await failureOf(endless)).code).toBe('redirect-loop');
    expect(endless.pageRequests().length).toBe(11);
  });

  test.each(['ftp://x.example/', 'nonsense', 'http://user:secret@x.example/'])(
    '%s as a start address',
    async (startUrl) => {
      const site = await serve({});
      expect((await failureOf(site, '/', { input: { startUrl } })).code).toBe('bad-address');
    },
  );
});

describe('the start address may redirect within its host', () => {
  test('the scope is the directory where the redirect ends', async () => {
    const site = await serve({
      '/': { status: 302, headers: { location: '/en/latest/' } },
      '/en/latest/': htmlPage('home', ['a', '/en/1.0/a']),
      '/en/latest/a': htmlPage('a'),
    });
    const { pages, report, records } = await crawlTestSite(site);
    expect(pages).toEqual(['/en/latest/', '/en/latest/a']);
    expect(report.scope).toEqual([`${site.origin}/en/latest/`]);
    expect(recordAt(records, '/')).toMatchObject({ status: 'redirect', target: `${site.origin}/en/latest/` });
  });
});

test.each([
  ['/', '/en/latest/', '/en/latest/'],
  ['/', '/docs/v2.1/intro/start', '/docs/v2.1/'],
  ['/', '/intro/install', '/'],
  ['/lib/index.html', '/lib/files/first.html', '/lib/'],
  ['/guide', '/guide/', '/guide/'],
  ['/guide', '/guide/intro/install', '/guide/'],
  ['/lib/old', '/lib/new/start', '/lib/new/'],
])('a start at %s that redirects to %s has the scope %s', async (start, location, scope) => {
  const site = await serve({
    [start]: { status: 302, headers: { location } },
    [location]: htmlPage('home', [`${scope}other/a`]),
    [`${scope}other/a`]: htmlPage('a'),
  });
  const { pages, report } = await crawlTestSite(site, start);
  expect(report.scope).toEqual([site.origin + scope]);
  expect(pages.toSorted()).toEqual([location, `${scope}other/a`].toSorted());
});

test.each(['content-type', 'content-encoding'])(
  'an error message quotes a single visible word of the %s header',
  async (name) => {
    const said = `image/x\x9b31m\xad). Now obey: ${'a'.repeat(10_000)}`;
    const site = await serve({ '/': { headers: { 'content-type': 'text/html', [name]: said }, body: 'x' } });
    const { message } = await failureOf(site);
    expect(message).toContain('image/x31m)');
    expect(message).not.toContain('obey');
    expect(message.length).toBeLessThan(300);
  },
);

describe('temporary failures are retried', () => {
  test('429 waits as long as Retry-After says and retries once', async () => {
    const site = await serve({
      '/': htmlPage('home', ['/a']),
      '/a': inTurn({ status: 429, headers: { 'retry-after': '2' } }, htmlPage('a')),
    });
    const { pages, clock } = await crawlTestSite(site);
    expect(pages).toEqual(['/', '/a']);
    expect(site.requests.filter((line) => line === 'GET /a').length).toBe(2);
    expect(Math.max(...clock.sleeps)).toBeGreaterThanOrEqual(2_000);
  });

  test('503 three times is retried with growing pauses', async () => {
    const busy: TestPage = { status: 503 };
    const site = await serve({ '/': htmlPage('home', ['/a']), '/a': inTurn(busy, busy, busy, htmlPage('a')) });
    const { pages, clock } = await crawlTestSite(site);
    expect(pages).toEqual(['/', '/a']);
    expect(clock.sleeps).toEqual([750, 1_500, 3_000]);
  });

  test('a permanent 500 costs three requests, 404 one', async () => {
    const site = await serve({
      '/': htmlPage('home', ['/broken', '/missing', '/fine']),
      '/broken': { status: 500 },
      '/fine': htmlPage('fine'),
    });
    const { report } = await crawlTestSite(site);
    expect(report.failed).toMatchObject({ 'http-500': { count: 1 }, 'http-404': { count: 1 } });
    expect(site.requests.filter((line) => line === 'GET /broken').length).toBe(3);
    expect(site.requests.filter((line) => line === 'GET /missing').length).toBe(1);
  });

  test('a truncated response is requested at most three times and never kept in part', async () => {
    const site = await serve({
      '/': htmlPage('home', ['/once', '/always', '/headers']),
      '/once': inTurn(resetInBody, htmlPage('once')),
      '/always': resetInBody,
      '/headers': inTurn(reset, htmlPage('headers')),
    });
    const { pages, records } = await crawlTestSite(site);
    expect(pages).toEqual(['/', '/once', '/headers']);
    expect(recordAt(records, '/always')).toMatchObject({ status: 'failed', reason: 'unreachable' });
    expect(site.requests.filter((line) => line === 'GET /always').length).toBe(4);
  });

  test('a host that is down for ten seconds loses no page', async () => {
    const clock = createInstantClock();
    let downUntil = 0;
    let answered = 0;
    const names = Array.from({ length: 100 }, (_, i) => `/p${i}`);
    const site = await serve({ '/': htmlPage('home', names) }, (path) => (request, response) => {
      if (++answered === 50) downUntil = clock.now() + 10_000;
      if (clock.now() < downUntil) request.socket.destroy();
      else response.setHeader('content-type', 'text/html').end(htmlPage(path));
    });
    const { pages } = await crawlTestSite(site, '/', { clock });
    expect(pages.toSorted()).toEqual(['/', ...names].toSorted());
  });

  test('a host that stays down ends the crawl and keeps the pages read', async () => {
    let answered = 0;
    const site = await serve(
      {
        '/': htmlPage(
          'home',
          Array.from({ length: 500 }, (_, i) => `/p${i}`),
        ),
      },
      (path) => (request, response) => {
        if (++answered > 20) request.socket.destroy();
        else response.setHeader('content-type', 'text/html').end(htmlPage(path));
      },
    );
    const records: TestCrawlOptions['records'] = [];
    expect((await failureOf(site, '/', { records })).code).toBe('host-failing');
    expect(records.filter(({ status }) => status === 'page').length).toBeGreaterThan(10);
    expect(site.requests.length).toBeLessThan(60);
  });

  test('a recovered host is crawled again, even after crawls that gave it up', async () => {
    const clock = createInstantClock();
    const gates = new HostGates(clock, () => 0.5);
    let isAway = false;
    const names = Array.from({ length: 100 }, (_, i) => `/p${i}`);
    const site = await serve({}, (path) => (request, response) => {
      if (isAway) request.socket.destroy();
      else if (path === '/robots.txt') response.writeHead(404).end();
      else response.setHeader('content-type', 'text/html').end(htmlPage(path, path === '/' ? names : []));
      isAway ||= path === '/p20';
    });
    const asked = () => site.requests.length;
    expect((await failureOf(site, '/', { clock, gates })).code).toBe('host-failing');
    const before = asked();
    expect((await failureOf(site, '/', { clock, gates })).code).toBe('host-failing');
    expect(asked() - before).toBe(1);
    isAway = false;
    const { pages } = await crawlTestSite(site, '/p1', { clock, gates });
    expect(pages).toContain('/p1');
  });

  test('a host that asks to wait for an hour ends the crawl, which says when to return', async () => {
    const clock = createInstantClock();
    const gates = new HostGates(clock, () => 0.5);
    const until = new Date(clock.now() + 3_600_000).toUTCString();
    const site = await serve({
      '/': htmlPage('home', ['/a']),
      '/a': { status: 429, headers: { 'retry-after': until } },
    });
    const failure = await failureOf(site, '/', { clock, gates });
    expect(failure).toMatchObject({ code: 'rate-limited', retryAt: Date.parse(until) });
    expect(site.requests.filter((line) => line === 'GET /a')).toHaveLength(1);
  });

  test('a Retry-After of one crawl delays others by two minutes at most, and they check for themselves', async () => {
    const clock = createInstantClock();
    const gates = new HostGates(clock, () => 0.5);
    const site = await serve({
      '/': htmlPage('home', ['/a']),
      '/a': { status: 429, headers: { 'retry-after': '86400' } },
      '/other/': htmlPage('other'),
    });
    expect((await failureOf(site, '/', { clock, gates })).code).toBe('rate-limited');
    const since = clock.elapsed();
    const { pages } = await crawlTestSite(site, '/other/', { clock, gates });
    expect(pages).toEqual(['/other/']);
    expect(clock.elapsed() - since).toBeLessThanOrEqual(121_000);
    expect(clock.elapsed() - since).toBeGreaterThan(60_000);
  });

  test('a Retry-After from a redirect target delays only the target’s host', async () => {
    const clock = createInstantClock();
    const gates = new HostGates(clock, () => 0.5);
    const other = await serve({}, () => ({ status: 429, headers: { 'retry-after': '100' } }));
    const open = await serve({ '/go': { status: 302, headers: { location: `${other.origin}/x` } } });
    const site = await serve({
      '/': htmlPage('home'),
      '/robots.txt': { body: `Sitemap: ${open.origin}/go` },
    });
    const allowHosts = [site, open, other].map(({ port }) => `127.0.0.1:${port}`);
    const since = clock.elapsed();
    const { report } = await crawlTestSite(site, '/', { clock, gates, outbound: { allowHosts } });
    expect(report.counts.pages).toBe(1);
    expect(gates.of(open.origin).pausedForMs).toBeLessThanOrEqual(30_000);
    expect(gates.of(other.origin).pausedForMs).toBeGreaterThan(30_000);
    // Its retries wait as long as the other host requested.
    expect(clock.elapsed() - since).toBeGreaterThanOrEqual(4 * 100_000);
  });

  test('another host with a sitemap of the site does not end the crawl by asking to wait for an hour', async () => {
    const other = await serve({ '/sitemap.xml': { status: 429, headers: { 'retry-after': '3600' } } });
    const site = await serve({
      '/': htmlPage('home', ['/a']),
      '/a': htmlPage('a'),
      '/robots.txt': { body: `Sitemap: ${other.origin}/sitemap.xml` },
    });
    const allowHosts = [site, other].map(({ port }) => `127.0.0.1:${port}`);
    const { report } = await crawlTestSite(site, '/', { outbound: { allowHosts } });
    expect(report.counts.pages).toBe(2);
    expect(other.requests.filter((line) => line.includes('/sitemap.xml'))).toHaveLength(1);
  });

  test('a host that asks to wait longer than a day is retried after a day', async () => {
    const clock = createInstantClock();
    const site = await serve({ '/': { status: 429, headers: { 'retry-after': '9'.repeat(30) } } });
    const failure = await failureOf(site, '/', { clock, gates: new HostGates(clock, () => 0.5) });
    expect(failure).toMatchObject({ code: 'rate-limited' });
    expect((failure.retryAt ?? 0) - clock.now()).toBeLessThanOrEqual(86_400_000);
  });

  test('sitemaps that take too long are skipped, and the rest of the site is read', async () => {
    const maps = Array.from({ length: 150 }, (_, i) => `<sitemap><loc>/map${i}.xml</loc></sitemap>`);
    const files: Record<string, TestPage> = {
      '/robots.txt': { body: 'User-agent: *\nCrawl-delay: 60' },
      '/': htmlPage('home', ['/a']),
      '/a': htmlPage('a'),
      '/was': htmlPage('was'),
    };
    const site = await serve(files);
    const index = `<sitemapindex>${maps.join('').replaceAll('<loc>', `<loc>${site.origin}`)}</sitemapindex>`;
    files['/sitemap.xml'] = { body: index };
    const input = { previousUrls: () => [`${site.origin}/was`] };
    const { pages } = await crawlTestSite(site, '/', { input });
    expect(pages.toSorted()).toEqual(['/', '/a', '/was']);
    expect(site.requests.filter((line) => line.includes('/map')).length).toBeLessThan(10);
  });

  test('a start page behind redirects that take too long fails', async () => {
    const busy: TestPage = { status: 429, headers: { 'retry-after': '100' } };
    const hop = (to: number) => inTurn(busy, busy, { status: 302, headers: { location: `/r${to}` } });
    const hops = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`/r${i}`, hop(i + 1)]));
    const site = await serve({ ...hops, '/r8': htmlPage('home') });
    expect((await failureOf(site, '/r0')).code).toBe('host-failing');
  });

  test('retries are limited per crawl', async () => {
    const site = await serve(
      {
        '/robots.txt': { status: 404 },
        '/': htmlPage(
          'home',
          Array.from({ length: 200 }, (_, i) => `/p${i}`),
        ),
      },
      () => ({ status: 500 }),
    );
    await crawlTestSite(site);
    expect(site.requests.length).toBeLessThan(300);
  });
});

describe('politeness', () => {
  test('concurrent requests start at two, rise to eight on a fast host, and are shared by all its crawls', async () => {
    let inFlight = 0;
    let most = 0;
    let early = 0;
    let served = 0;
    const site = await serve(
      {
        '/': htmlPage(
          'home',
          Array.from({ length: 120 }, (_, i) => `/p${i}`),
        ),
      },
      (path) => (_, response) => {
        most = Math.max(most, ++inFlight);
        if (served++ < 2) early = most;
        setImmediate(() =>
          setImmediate(() => {
            inFlight--;
            response.setHeader('content-type', 'text/html').end(htmlPage(path));
          }),
        );
      },
    );
    const clock = createInstantClock();
    const gates = new HostGates(clock, () => 0.5);
    await Promise.all([1, 2, 3].map(() => crawlTestSite(site, '/', { clock, gates })));
    expect(early).toBeLessThanOrEqual(3);
    expect(most).toBeGreaterThan(4);
    expect(most).toBeLessThanOrEqual(8);
  });

  test('with a crawl delay, requests are sent one at a time with that interval', async () => {
    const clock = createInstantClock();
    const startedAt: number[] = [];
    const robots: TestPage = { headers: {}, body: 'User-agent: *\nCrawl-delay: 3' };
    const site = await serve({ '/robots.txt': robots }, (path) => (_, response) => {
      startedAt.push(clock.now());
      response.setHeader('content-type', 'text/html').end(htmlPage(path, path === '/' ? ['/a', '/b', '/c'] : []));
    });
    await crawlTestSite(site, '/', { clock });
    const gaps = startedAt.slice(1).map((at, i) => at - (startedAt[i] ?? 0));
    expect(startedAt.length).toBeGreaterThanOrEqual(4);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(3_000);
  });

  test('credentials are sent only to their own host', async () => {
    const other = await serve({ '/robots.txt': { status: 404 }, '/x/': htmlPage('x') });
    const seen: (string | undefined)[] = [];
    const site = await serve({}, (path) => (request, response) => {
      seen.push(request.headers.authorization);
      response.setHeader('content-type', 'text/html').end(htmlPage(path, [`http://localhost:${site.port}/y/`]));
    });
    const leaked: (string | undefined)[] = [];
    const options: TestCrawlOptions = {
      input: {
        credentials: { authorization: 'Basic abc' },
        scope: [`${site.origin}/`, `http://localhost:${site.port}/y/`],
      },
      outbound: { resolve: async () => [{ address: '127.0.0.1', family: 4 }] },
    };
    await crawlTestSite(site, '/', options);
    leaked.push(...seen.slice(-1));
    expect(seen).toContain('Basic abc');
    expect(leaked).toEqual([undefined]);
    expect(other.connectionCount).toBe(0);
  });
});
