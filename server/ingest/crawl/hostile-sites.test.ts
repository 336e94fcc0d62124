import { afterEach, describe, expect, test } from 'vitest';
import {
  afterwards,
  closeRig,
  codeOf,
  crawl,
  fateOf,
  host,
  html,
  requestsOf,
  serve,
  status,
} from '#test/services/hostile-rig.ts';
import { type LoopbackServer, readSharedCases, startWithCanaries } from '#test/services/loopback-server.ts';
import { createInstantClock, htmlPage, startTestSite, type TestPage, type TestSite } from '#test/services/test-site.ts';

afterEach(closeRig);

/** One check for each case of the list, by name. */
const checks: Record<string, () => Promise<void>> = {
  '429 with Retry-After: 2 then 200': async () => {
    let isFirst = true;
    const { fate, site, crawled } = await fateOf((_, response) => {
      if (isFirst) response.writeHead(429, { 'retry-after': '2' }).end();
      else response.writeHead(200, html).end(htmlPage('x'));
      isFirst = false;
    });
    expect(fate).toBe('page');
    expect(requestsOf(site, '/x')).toBe(2);
    expect(crawled.clock.sleeps.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(2_000);
  },
  '429 with Retry-After date 3600 s ahead': async () => {
    const clock = createInstantClock();
    const until = new Date(clock.now() + 3_600_000).toUTCString();
    const site = await serve({ '/': { status: 429, headers: { 'retry-after': until } } });
    expect(await codeOf(crawl(site, { clock }))).toBe('rate-limited');
    expect(requestsOf(site, '/')).toBe(1);
  },
  '503 x 3 then 200': async () => expect((await fateOf(status(503, 503, 503, 200))).fate).toBe('page'),
  '500 for ever': async () => {
    const { fate, site } = await fateOf(status(500));
    expect(fate).toBe('failed http-500');
    expect(requestsOf(site, '/x')).toBeLessThanOrEqual(6);
  },
  '410 for a page that was indexed': async () => expect((await fateOf(status(410))).fate).toBe('failed http-410'),
  '404 once for an indexed page': async () => expect((await fateOf(status(404))).fate).toBe('failed http-404'),
  '206 partial unasked': async () => expect((await fateOf(status(206))).fate).toBe('failed http-206'),
  'status line 999': async () => expect((await fateOf(status(999))).fate).toBe('failed http-999'),
  '401 and 403': async () => {
    let sent: unknown;
    const refuse: TestPage = (request, response) => {
      sent = request.headers.authorization ?? request.headers.cookie;
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
    };
    expect((await fateOf(refuse)).fate).toBe('failed http-401');
    expect(sent).toBeUndefined();
    expect((await fateOf(status(403))).fate).toBe('failed http-403');
  },
  'every page links /a/a/a/… one deeper': async () => {
    const site = await serve({}, (path) => htmlPage(path, [`${path.replace(/\/$/, '')}/a`]));
    expect((await crawl(site)).pages.length).toBeLessThanOrEqual(50);
  },
  'session id in every link': async () => {
    const site = await serve({}, (path) =>
      htmlPage(
        path.replace(/\?.*/, ''),
        [1, 2, 3].map(() => `/page?sid=${Math.random()}`),
      ),
    );
    expect((await crawl(site)).pages).toEqual(['/', '/page']);
  },
  'sort and filter parameters (5 x 5 x 5 combinations)': async () => {
    const combinations = Array.from(
      { length: 125 },
      (_, i) => `/list?sort=${i % 5}&dir=${Math.floor(i / 5) % 5}&page=${Math.floor(i / 25)}`,
    );
    const site = await serve({ '/': htmlPage('home', combinations) }, (path) =>
      htmlPage(path, combinations, '<link rel="canonical" href="/list">'),
    );
    expect((await crawl(site)).pages.length).toBeLessThanOrEqual(30);
    const bare = await serve({ '/': htmlPage('home', combinations) }, (path) => htmlPage(path, combinations));
    expect((await crawl(bare)).pages.length).toBeLessThanOrEqual(31);
  },
  '10,000 near-identical pages, one word differs': async () => {
    const names = Array.from({ length: 10_000 }, (_, i) => `/n/${i}`);
    const site = await serve({ '/': htmlPage('home', names) }, (path) => htmlPage(path));
    const { pages, report } = await crawl(site, { input: { pagesMax: 100 } });
    expect(pages.length).toBe(100);
    expect(report.skipped['page-limit']?.count).toBe(9_901);
  },
  'redirect to a new URL each time': async () => {
    const site = await serve({ '/robots.txt': { status: 404 } }, (path) => ({
      status: 302,
      headers: { location: `/r?n=${Number(path.split('=')[1] ?? 0) + 1}` },
    }));
    expect(await codeOf(crawl(site))).toBe('redirect-loop');
    expect(site.pageRequests().length).toBeLessThanOrEqual(11);
  },
  'canonical of every page points to the home page': async () => {
    const site = await serve({}, (path) =>
      htmlPage(path, path === '/' ? ['/a', '/b/', '/c.html'] : [], '<link rel="canonical" href="/">'),
    );
    expect((await crawl(site)).pages).toEqual(['/', '/a', '/b/', '/c.html']);
  },
  'hidden honeypot link disallowed by robots': async () => {
    const site = await serve(
      { '/robots.txt': { body: 'User-agent: *\nDisallow: /trap/' }, '/': htmlPage('home', ['/trap/x', '/a']) },
      (path) => htmlPage(path, ['/trap/y']),
    );
    await crawl(site);
    expect(site.requests.filter((line) => line.includes('/trap/'))).toEqual([]);
  },
  'sitemap index that lists itself': async () => {
    const site: TestSite = await serve({
      '/': htmlPage('home'),
      '/sitemap.xml': (_, response) =>
        response.end(`<sitemapindex><sitemap><loc>${site.origin}/sitemap.xml</loc></sitemap></sitemapindex>`),
    });
    await crawl(site);
    expect(requestsOf(site, '/sitemap.xml')).toBe(1);
  },
  'sitemap index nested 20 deep': async () => {
    const nested =
      (n: number): TestPage =>
      (_, response) =>
        response.end(`<sitemapindex><sitemap><loc>${site.origin}/s${n + 1}.xml</loc></sitemap></sitemapindex>`);
    const site: TestSite = await serve({ '/': htmlPage('home'), '/sitemap.xml': nested(0) }, (path) =>
      nested(Number(/\d+/.exec(path)?.[0])),
    );
    await crawl(site);
    expect(site.requests.filter((line) => /\/(sitemap|s\d+)\.xml$/.test(line)).length).toBeLessThanOrEqual(3);
  },
  'robots.txt 503': async () => {
    const site = await serve({ '/': htmlPage('home'), '/robots.txt': status(503) });
    expect(await codeOf(crawl(site))).toBe('robots-unreachable');
    expect(requestsOf(site, '/')).toBe(0);
  },
  'robots.txt 404': async () => expect((await crawl(await serve({ '/': htmlPage('home') }))).pages).toEqual(['/']),
  'robots.txt redirects 5 times': async () => {
    const site = await serve(
      { '/': htmlPage('home', ['/no']), '/robots.txt': { status: 302, headers: { location: '/hop1' } } },
      (path) => {
        const n = Number(/^\/hop(\d)$/.exec(path)?.[1]);
        return n < 5
          ? { status: 302, headers: { location: `/hop${n + 1}` } }
          : path === '/hop5'
            ? { body: 'User-agent: *\nDisallow: /no' }
            : undefined;
      },
    );
    expect((await crawl(site)).pages).toEqual(['/']);
    expect(requestsOf(site, '/no')).toBe(0);
  },
  'Crawl-delay: 86400': async () => {
    const site = await serve({ '/': htmlPage('home'), '/robots.txt': { body: 'User-agent: *\nCrawl-delay: 86400' } });
    expect(await codeOf(crawl(site))).toBe('crawl-delay-too-long');
  },
};

interface HostileCase {
  id: string;
  name: string;
  class: string;
}

const cases = readSharedCases<HostileCase>('hostile-origin')?.filter((one) => ['status', 'trap'].includes(one.class));

describe.skipIf(!cases)('misleading sites', () => {
  test.each(cases ?? [])('$id $name', async ({ name }) => {
    expect(checks[name], 'every case of the list has its check').toBeDefined();
    await checks[name]?.();
  });
});

interface ReferenceCase {
  id: string;
  class: string;
  chain: {
    status: number;
    body?: string;
    headers?: Record<string, string>;
    contentType?: string;
    path?: string;
    location?: string;
    kind?: string;
  }[];
}

const references = readSharedCases<ReferenceCase>('ssrf-redirect-and-references')?.filter(
  ({ chain }) => chain[0]?.kind === undefined,
);

describe.skipIf(!references)('no content of a site makes the crawler contact a private address', () => {
  test.each(references ?? [])('$id $class', async ({ chain }) => {
    const hops = [...chain];
    let canaries: LoopbackServer[] = [];
    const site: TestSite = await startTestSite(
      { '/': htmlPage('home', ['/start']), '/robots.txt': hop('/robots.txt'), '/sitemap.xml': hop('/sitemap.xml') },
      () => hop('/start'),
      async (listener) => {
        const rig = await startWithCanaries(listener, host, ['127.0.0.1', '127.0.0.3', '::1']);
        canaries = rig.canaries;
        return rig.server;
      },
    );
    for (const one of [site, ...canaries]) afterwards(() => one.close());
    function hop(path: string): TestPage {
      return (_, response) => {
        const own = hops[0]?.path ?? (hops[0]?.contentType?.includes('xml') ? '/sitemap.xml' : '/start');
        const step = own === path ? hops.shift() : undefined;
        if (!step) return response.writeHead(path === '/start' ? 200 : 404, html).end(htmlPage('end'));
        const fill = (text: string) =>
          text
            .replaceAll('{canary}', String(site.port))
            .replaceAll('{public2}', `${host}:${site.port}`)
            .replaceAll('{self}', '/start');
        const headers: Record<string, string> = { 'content-type': step.contentType ?? 'text/html' };
        for (const [name, value] of Object.entries(step.headers ?? {})) headers[name] = fill(value);
        if (step.location !== undefined) headers['location'] = Buffer.from(fill(step.location)).toString('latin1');
        return response.writeHead(step.status, headers).end(fill(step.body ?? ''));
      };
    }
    const { records } = await crawl(site);
    expect(canaries.map(({ connectionCount }) => connectionCount)).toEqual([0, 0, 0]);
    expect(JSON.stringify(records)).not.toContain('root:');
    expect(site.requests.length).toBeLessThanOrEqual(20);
  });
});

test('sitemaps that list very many sitemaps cost no more than the files that are read', async () => {
  const lists = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, at) => `<sitemap><loc>${site.origin}/${prefix}-${at}.xml</loc></sitemap>`);
  const index = (entries: string[]) => `<sitemapindex>${entries.join('')}</sitemapindex>`;
  const site: TestSite = await serve(
    { '/': htmlPage('home'), '/sitemap.xml': (_, response) => response.end(index(lists('list', 5))) },
    (path) =>
      /^\/list-\d+\.xml$/.test(path) ? (_, response) => response.end(index(lists(path.slice(1), 50_000))) : undefined,
  );
  expect((await crawl(site)).pages).toEqual(['/']);
  expect(site.requests.filter((line) => line.includes('.xml'))).toHaveLength(200);
});
