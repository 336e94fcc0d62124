import { gzipSync } from 'node:zlib';
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
import type { CrawlRecord } from './crawl-types.ts';

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

const text = (body: string, type = 'text/plain'): TestPage => ({ headers: { 'content-type': type }, body });

describe('finding pages', () => {
  test('links are followed within the directory of the start address, each page once', async () => {
    const site = await serve({
      '/docs/': htmlPage('home', [
        'a.html',
        'a.html#part',
        '/docs/b.html?utm_source=x',
        '../blog.html',
        'https://elsewhere.example/',
        'mailto:x@y.z',
        'logo.png',
      ]),
      '/docs/a.html': htmlPage('a', ['./', 'b.html', 'c.html']),
      '/docs/b.html': htmlPage('b'),
      '/docs/c.html': htmlPage('c', ['./sub/../c.html']),
    });
    const { pages, report } = await crawlTestSite(site, '/docs/');
    expect(pages).toEqual(['/docs/', '/docs/a.html', '/docs/b.html', '/docs/c.html']);
    expect(site.pageRequests()).toEqual(pages);
    expect(report.counts).toMatchObject({ found: 5, fetched: 4, pages: 4, queued: 0, skipped: 1, failed: 0 });
    expect(report.skipped).toMatchObject({
      'out-of-scope': { count: 1, examples: [`${site.origin}/blog.html`] },
      'unreadable-type': { count: 1 },
    });
  });

  test('sitemaps are read from robots.txt, indexes, compressed files and the usual location', async () => {
    const urls = (...paths: string[]) =>
      `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths.map((path) => `<url><loc>${site.origin}${path}</loc></url>`).join('')}</urlset>`;
    const site: TestSite = await serve({
      '/': htmlPage('home'),
      '/robots.txt': (_, response) => response.end(`Sitemap: ${site.origin}/maps/index.xml\n`),
      '/maps/index.xml': (_, response) =>
        response.end(
          `<sitemapindex><sitemap><loc>${site.origin}/maps/index.xml</loc></sitemap><sitemap><loc>\n${site.origin}/maps/packed.xml.gz </loc></sitemap><sitemap><loc>${site.origin}/missing.xml</loc></sitemap></sitemapindex>`,
        ),
      '/maps/packed.xml.gz': (_, response) =>
        response.setHeader('content-type', 'application/gzip').end(gzipSync(urls('/one', '/two?a=1&b=2'))),
      '/sitemap.xml': (_, response) => response.end(urls('/three', '/four')),
      '/one': htmlPage('one'),
      '/two?a=1&b=2': htmlPage('two'),
      '/three': htmlPage('three'),
      '/four': htmlPage('four'),
    });
    const { pages } = await crawlTestSite(site);
    expect(pages).toEqual(['/', '/three', '/four', '/one', '/two?a=1&b=2']);
  });

  test('the pages of llms.txt are read, unless llms.txt is an HTML page', async () => {
    const site = await serve({
      '/docs/': htmlPage('home'),
      '/docs/llms.txt': text('# Docs\n- [One](one.html): first\n- [Out](/other/)\n- <https://elsewhere.example/x>'),
      '/llms.txt': (request, response) =>
        response.end(`${htmlPage('not found')} http://${request.headers.host}/docs/ghost.html`),
      '/docs/one.html': htmlPage('one'),
    });
    expect((await crawlTestSite(site, '/docs/')).pages).toEqual(['/docs/', '/docs/one.html']);
    expect(site.requests).not.toContain('GET /docs/ghost.html');
  });

  test('llms-full.txt is used as a page only if there is nothing else', async () => {
    const full = text('# Everything\n\nAll of it.');
    const alone = await serve({ '/': htmlPage('home'), '/llms-full.txt': full });
    expect((await crawlTestSite(alone)).pages).toEqual(['/', '/llms-full.txt']);
    const rich = await serve({ '/': htmlPage('home', ['/a']), '/a': htmlPage('a'), '/llms-full.txt': full });
    expect((await crawlTestSite(rich)).pages).toEqual(['/', '/a']);
    expect(rich.requests).not.toContain('GET /llms-full.txt');
  });

  test('plain-text versions of pages are skipped, text without an HTML page is read', async () => {
    const site = await serve({
      '/': htmlPage('home', ['a.txt', '_sources/a.rst.txt', 'a.html', 'notes.txt', 'guide.md']),
      '/a.html': htmlPage('a'),
      '/a.txt': text('All about a.'),
      '/notes.txt': text('Only here.'),
      '/guide.md': text('# Guide\n[more](more.html)', 'text/markdown'),
      '/more.html': htmlPage('more'),
    });
    const { pages, report } = await crawlTestSite(site);
    expect(pages).toEqual(['/', '/a.html', '/notes.txt', '/guide.md', '/more.html']);
    expect(Object.keys(report.skipped)).toEqual(['source-copy', 'text-twin']);
  });

  test('limits on pages and depth hold, and the pages they cut off are counted', async () => {
    const chain = (n: number) => htmlPage(`page ${n}`, [`/${n + 1}`, `/side${n}`]);
    const site = await serve({}, (path) => (/^\/\d*$/.test(path) ? chain(Number(path.slice(1))) : htmlPage(path)));
    const shallow = await crawlTestSite(site, '/0', { input: { depthMax: 2 } });
    expect(shallow.pages).toEqual(['/0', '/1', '/side0', '/2', '/side1']);
    expect(shallow.report.skipped['depth-limit']?.count).toBe(2);
    const few = await crawlTestSite(site, '/0', { input: { pagesMax: 4 } });
    expect(few.pages).toEqual(['/0', '/1', '/side0', '/2']);
    expect(few.report.skipped['page-limit']?.count).toBe(3);
  });

  test('the pages within pagesMax do not depend on the order of responses', async () => {
    let isSlowFirst = true;
    const site = await serve({ '/': htmlPage('home', ['/a/', '/b/', '/c/']) }, (path) => (_, response) => {
      const answer = () => response.end(htmlPage(path, path.length === 3 ? [1, 2, 3].map((n) => `${path}${n}`) : []));
      const isSlow = path.startsWith('/a') === isSlowFirst;
      // Responds out of order: half of the responses wait for a few turns of the event loop.
      const wait = (turns: number) => (turns === 0 ? answer() : setImmediate(() => wait(turns - 1)));
      wait(isSlow ? 200 : 0);
    });
    const first = await crawlTestSite(site, '/', { input: { pagesMax: 8 } });
    isSlowFirst = false;
    const second = await crawlTestSite(site, '/', { input: { pagesMax: 8 } });
    expect(second.pages).toEqual(first.pages);
    expect(first.pages).toEqual(['/', '/a/', '/b/', '/c/', '/a/1', '/a/2', '/a/3', '/b/1']);
  });

  test('seeds and an explicit scope widen the crawl; seeds outside the scope are reported', async () => {
    const site = await serve({}, (path) => htmlPage(path));
    const outside = [`${site.origin}/c/z`, 'https://elsewhere.example/'];
    const { pages, report } = await crawlTestSite(site, '/a/x', {
      input: { seeds: [`${site.origin}/b/y`, ...outside], scope: [`${site.origin}/a/`, `${site.origin}/b/`] },
    });
    expect(pages).toEqual(['/a/x', '/b/y']);
    expect(report.skipped).toEqual({ 'start-out-of-scope': { count: 2, examples: outside } });
  });
});

describe('the same page under several addresses', () => {
  test('redirects and meta refresh are merged, chains and loops end', async () => {
    const to = (location: string): TestPage => ({ status: 301, headers: { location } });
    const site = await serve(
      {
        '/': htmlPage('home', ['/old', '/meta', '/self', '/x/0', '/away', '/moved']),
        '/old': to('/older'),
        '/older': to('/new'),
        '/new': htmlPage('new'),
        '/meta': htmlPage('', [], '<meta http-equiv="refresh" content="0; url=/moved">'),
        '/moved': htmlPage('moved'),
        '/self': to('/self'),
        '/away': to('https://elsewhere.example/'),
      },
      (path) => (path.startsWith('/x/') ? to(`/x/${Number(path.slice(3)) + 1}`) : undefined),
    );
    const { pages, records, report } = await crawlTestSite(site);
    expect(pages).toEqual(['/', '/moved', '/new']);
    expect(recordAt(records, '/meta')).toMatchObject({ status: 'redirect', target: `${site.origin}/moved` });
    expect(recordAt(records, '/away')).toMatchObject({ status: 'redirect', reason: 'redirect-out-of-scope' });
    expect(report.skipped['redirect-loop']?.count).toBe(1);
    expect(site.requests.filter((line) => line.includes('/x/')).length).toBe(11);
    expect(site.requests.filter((line) => line.endsWith('/self')).length).toBe(1);
  });

  test('equal content is kept once', async () => {
    const same = htmlPage('same', ['/a']);
    const site = await serve({
      '/': same,
      '/index.html': same,
      '/a': htmlPage('a', ['/index.html', '/?view=print']),
      '/?view=print': same,
    });
    const { pages, records } = await crawlTestSite(site);
    expect(pages).toEqual(['/', '/a']);
    expect(recordAt(records, '/index.html')).toMatchObject({
      status: 'skipped',
      reason: 'duplicate-content',
      target: `${site.origin}/`,
    });
  });

  test('a canonical link is followed to another form of the same address, not to another page', async () => {
    const canonical = (href: string) => `<link rel="canonical" href="${href}">`;
    const site = await serve({
      '/': htmlPage('home', ['/a?sort=1', '/a?sort=2', '/b', '/c', '/d?x=1']),
      '/a': htmlPage('a'),
      '/a?sort=1': htmlPage('a sorted', [], canonical('/a')),
      '/a?sort=2': htmlPage('a sorted otherwise', [], canonical('/a')),
      '/b': htmlPage('b', [], canonical('/')),
      '/c': htmlPage('c', [], canonical('https://elsewhere.example/c')),
      '/d?x=1': htmlPage('d', [], canonical('/d')),
    });
    const { pages, records, report } = await crawlTestSite(site);
    expect(pages).toEqual(['/', '/b', '/c', '/a', '/d?x=1']);
    expect(report.canonical).toBe(3);
    // The canonical address of /d does not exist, so the page that declared it is kept.
    expect(recordAt(records, '/d')?.status).toBe('failed');
  });

  test('addresses that differ only by visit are merged', async () => {
    let visit = 0;
    const site = await serve({}, (path) =>
      htmlPage(path.replace(/[?;].*/, ''), [
        `/p?sid=${visit++}`,
        `/q;jsessionid=${visit++}`,
        `/r?PHPSESSID=${visit++}&id=1`,
      ]),
    );
    const { pages } = await crawlTestSite(site);
    expect(pages).toEqual(['/', '/p', '/q', '/r?id=1']);
  });
});

describe('robots', () => {
  test('robots.txt is obeyed for pages, redirect targets, canonical links and sitemaps', async () => {
    const site = await serve({
      '/robots.txt': text(
        'User-agent: OtherBot\nDisallow: /\n\nUser-agent: testbot\nDisallow: /trap/\nAllow: /trap/ok',
      ),
      '/': htmlPage('home', ['/trap/a', '/trap/ok', '/into', '/named']),
      '/into': { status: 302, headers: { location: '/trap/b' } },
      '/named': htmlPage('named', [], '<link rel="canonical" href="/trap/named">'),
      '/trap/ok': htmlPage('ok'),
    });
    const { pages, report } = await crawlTestSite(site);
    expect(pages).toEqual(['/', '/trap/ok', '/named']);
    expect(report.skipped['robots']?.count).toBe(3);
    expect(site.requests.filter((line) => line.includes('/trap/'))).toEqual(['GET /trap/ok']);
  });

  test('noindex pages are followed but not kept, nofollow links are not followed', async () => {
    const site = await serve({
      '/': `${htmlPage('home', ['/hidden', '/header', '/stop'])}<a href="/secret" rel="nofollow">x</a>`,
      '/hidden': htmlPage('hidden', ['/behind'], '<meta name="robots" content="noindex">'),
      '/header': {
        headers: { 'content-type': 'text/html', 'x-robots-tag': 'otherbot: nofollow, noindex' },
        body: htmlPage('header', ['/a']),
      },
      '/stop': { headers: { 'content-type': 'text/html', 'x-robots-tag': 'none' }, body: htmlPage('stop', ['/never']) },
      '/behind': htmlPage('behind'),
      '/a': htmlPage('a'),
    });
    const { pages, report } = await crawlTestSite(site);
    expect(pages).toEqual(['/', '/header', '/behind', '/a']);
    expect(report.skipped).toMatchObject({ noindex: { count: 2 }, nofollow: { count: 1 } });
  });

  test('a missing robots.txt allows everything, a redirected one counts', async () => {
    const site = await serve({
      '/robots.txt': { status: 301, headers: { location: '/r1' } },
      '/r1': { status: 302, headers: { location: '/r2' } },
      '/r2': text('User-agent: *\nDisallow: /no'),
      '/': htmlPage('home', ['/no', '/yes']),
      '/yes': htmlPage('yes'),
    });
    expect((await crawlTestSite(site)).pages).toEqual(['/', '/yes']);
  });
});

describe('Markdown forms', () => {
  const markdown = (body: string): TestPage => ({ headers: { 'content-type': 'text/markdown' }, body });
  const contentOf = async (site: TestSite, start = '/') => {
    const content = new Map<string, unknown>();
    const crawl = await crawlTestSite(site, start, {
      onRecord: (record: CrawlRecord) => {
        if (record.parsed) content.set(new URL(record.url).pathname, record.parsed.snippets[0]);
      },
    });
    return { ...crawl, content: Object.fromEntries(content) };
  };

  test('a page with a Markdown form gets its content from there and its links from the HTML', async () => {
    const alternate = (href: string) => `<link rel="alternate" type="text/markdown" href="${href}">`;
    const site = await serve({
      '/': htmlPage('home', ['/a'], alternate('/home.md')),
      '/home.md': markdown('# Home in Markdown'),
      '/a': htmlPage('a', ['/b'], alternate('/a.md')),
      '/a.md': markdown('# A in Markdown'),
      '/b': htmlPage('b', ['/a.md'], alternate('/gone.md')),
    });
    const { content, records } = await contentOf(site);
    expect(content).toEqual({
      '/': '# Home in Markdown',
      '/a': '# A in Markdown',
      '/b': expect.stringContaining('All about b'),
    });
    expect(recordAt(records, '/a')).toMatchObject({ contentUrl: `${site.origin}/a.md`, title: 'a' });
  });

  test('if the first named form does not exist, no other is requested', async () => {
    const head = (name: string) => `<link rel="alternate" type="text/markdown" href="/${name}.md">`;
    const site = await serve({
      '/': htmlPage('home', ['/a'], head('home')),
      '/llms.txt': text('- [Other](/other.md)'),
      '/a': htmlPage('a', [], head('a')),
    });
    await crawlTestSite(site);
    expect(site.pageRequests()).toEqual(['/', '/home.md', '/a', '/other.md']);
  });

  test('if the Markdown form cannot be parsed, the HTML of the page is used', async () => {
    const head = '<link rel="alternate" type="text/markdown" href="/home.md">';
    const site = await serve({ '/': htmlPage('home', [], head), '/home.md': markdown('# Bad') });
    const { pages } = await crawlTestSite(site, '/', {
      parse: async (page) => {
        if (page.contentType.includes('markdown')) throw new Error('too deep');
        return parseTestPage(page);
      },
    });
    expect(pages).toEqual(['/']);
  });

  test('Markdown listed in llms.txt provides the content of its HTML page, or a page of its own', async () => {
    const site = await serve({
      '/': htmlPage('home', ['/guide/']),
      '/llms.txt': text('- [Guide](/guide.md)\n- [Only](/only.md)'),
      '/guide/': htmlPage('guide'),
      '/guide.md': markdown('# Guide in Markdown'),
      '/only.md': markdown('# Only in Markdown'),
    });
    const { content } = await contentOf(site);
    expect(content).toEqual({
      '/': expect.stringContaining('home'),
      '/guide/': '# Guide in Markdown',
      '/only.md': '# Only in Markdown',
    });
    expect(site.pageRequests().filter((path) => path === '/guide.md').length).toBe(1);
  });

  test('Markdown is requested from a server that offers it by content negotiation', async () => {
    const negotiate =
      (name: string, links: string[]): TestPage =>
      (request, response) => {
        const isMarkdown = request.headers.accept?.startsWith('text/markdown');
        response
          .setHeader('vary', 'Accept-Encoding, Accept')
          .setHeader('content-type', isMarkdown ? 'text/markdown' : 'text/html');
        response.end(isMarkdown ? `# ${name} in Markdown` : htmlPage(name, links));
      };
    const site = await serve({ '/': negotiate('home', ['/a']), '/a': negotiate('a', []) });
    const { content } = await contentOf(site);
    expect(content).toEqual({ '/': '# home in Markdown', '/a': '# a in Markdown' });
  });
});

describe('failing pages', () => {
  test('end with their reason without ending the crawl', async () => {
    const site = await serve({
      '/': htmlPage('home', ['/gone', '/secret', '/image', '/png', '/garbled', '/empty', '/good']),
      '/gone': { status: 410 },
      '/secret': { status: 401 },
      '/image': { headers: { 'content-type': 'image/webp' }, body: 'x' },
      '/png': { body: Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(5_000)]) },
      '/garbled': { headers: { 'content-type': 'text/html', 'content-encoding': 'gzip' }, body: 'no gzip' },
      '/empty': { body: '' },
      '/good': { headers: {}, body: htmlPage('good') },
    });
    const { report, pages } = await crawlTestSite(site, '/', {
      parse: async (page) => {
        if (page.url.endsWith('/empty')) throw new Error('the parser was killed');
        return parseTestPage(page);
      },
    });
    expect(pages).toEqual(['/', '/good']);
    expect(Object.keys(report.failed)).toEqual(['http-410', 'http-401', 'decode-failed', 'unreadable']);
    expect(Object.keys(report.skipped)).toEqual(['content-type', 'binary']);
  });

  test('that find the parser busy are parsed later; a closed parser ends the crawl', async () => {
    const names = Array.from({ length: 40 }, (_, i) => `/p${i}`);
    const site = await serve({ '/': htmlPage('home', names) }, (path) => htmlPage(path));
    let running = 0;
    let most = 0;
    let wake = Promise.withResolvers<void>();
    const refuse = (code: string) => Object.assign(new Error(code), { code });
    const { pages } = await crawlTestSite(site, '/', {
      whenParseRoom: () => wake.promise,
      parse: async (page) => {
        if (running >= 2) throw refuse('parse-busy');
        most = Math.max(most, ++running);
        await new Promise(setImmediate);
        running--;
        wake.resolve();
        wake = Promise.withResolvers<void>();
        return parseTestPage(page);
      },
    });
    expect(pages.length).toBe(41);
    expect(most).toBe(2);
    await expect(crawlTestSite(site, '/', { parse: () => Promise.reject(refuse('parse-closed')) })).rejects.toThrow(
      'parse-closed',
    );
  });

  test('of an unwanted type are not downloaded', async () => {
    let sent = 0;
    const site = await serve({
      '/': htmlPage('home', ['/video']),
      '/video': (_, response) => {
        response.setHeader('content-type', 'video/mp4');
        const chunk = Buffer.alloc(65_536);
        const pump = () => {
          do sent += chunk.length;
          while (response.write(chunk) && sent < 50_000_000);
        };
        response.on('drain', pump);
        pump();
      },
    });
    await crawlTestSite(site);
    expect(sent).toBeLessThan(5_000_000);
  });
});
