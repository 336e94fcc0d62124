import { deflateSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { crawlTestSite, htmlPage, startTestSite, type TestPage, type TestSite } from '#test/services/test-site.ts';
import { parsePage } from '../parse/parse-page.ts';
import { linksOfIndexFile } from './index-file.ts';

const sites: TestSite[] = [];
afterEach(async () => {
  for (const site of sites.splice(0)) await site.close();
});

const script = (body: string): TestPage => ({ headers: { 'content-type': 'application/javascript' }, body });
const inventory = (lines: string) =>
  Buffer.concat([
    Buffer.from('# Sphinx inventory version 2\n# Project: x\n# Version: 1\n# The rest is packed.\n'),
    deflateSync(Buffer.from(lines)),
  ]);

async function crawl(pages: Record<string, TestPage>, start = '/') {
  const site = await startTestSite(pages);
  sites.push(site);
  return crawlTestSite(site, start, {
    parse: async (page) => parsePage({ url: page.url, bytes: page.bytes, contentType: page.contentType }),
  });
}

describe('pages listed only in a generator’s search or navigation files', () => {
  test('Doxygen: the menu, the tree and the search data lead to every page', async () => {
    const head = ['menudata.js', 'navtreedata.js', 'search/searchdata.js']
      .map((src) => `<script type="text/javascript" src="${src}"></script>`)
      .join('');
    const { pages, report } = await crawl({
      '/': htmlPage('home', [], head),
      '/menudata.js': script(
        'var menudata={children:[{text:"Classes",url:"annotated.html",children:[{text:"x",url:"javascript:void(0)"}]}]}',
      ),
      '/navtreedata.js': script(
        'var NAVTREE = [["Lib","index.html",[["Guide","guide.html",null]]]];\nvar NAVTREEINDEX = ["annotated.html","z.html#a1"];',
      ),
      '/navtreeindex0.js': script('var NAVTREEINDEX0 = {"classA.html":[1,0],"classA.html#a12":[1,0,1]};'),
      '/navtreeindex1.js': script('var NAVTREEINDEX1 = {"classB.html":[1,1]};'),
      '/search/searchdata.js': script('var indexSectionsWithContent = {\n 0: "ab",\n 1: "b"\n};'),
      '/search/all_0.js': script("var searchData=[['a_0',['a',['../structC.html#a1',1,'C']]]];"),
      '/search/all_1.js': script("var searchData=[['b_0',['b',['../classA.html',1,'']]]];"),
      ...Object.fromEntries(
        ['annotated', 'guide', 'classA', 'classB', 'structC'].map((name) => [`/${name}.html`, htmlPage(name)]),
      ),
      '/index.html': htmlPage('start'),
      '/z.html': htmlPage('z'),
    });
    expect(pages).toEqual(
      expect.arrayContaining(['/', '/annotated.html', '/guide.html', '/classA.html', '/classB.html', '/structC.html']),
    );
    expect(report.skipped).toMatchObject({ 'site-index': { count: 7 } });
    expect(report.failed).toEqual({});
  });

  test('API viewers: the description that they show is read', async () => {
    const spec = (id: string): TestPage => ({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ openapi: '3.0.0', info: { title: id }, paths: { '/x': { get: { operationId: id } } } }),
    });
    const { pages, report } = await crawl({
      '/': htmlPage('home', ['/redoc', '/rapi', '/init', '/elements', '/scalar', '/fast', '/swagger/', '/boot']),
      '/redoc': { body: '<redoc spec-url="openapi-1.json"></redoc>' },
      '/rapi': { body: '<rapi-doc theme="dark" spec-url=\'/openapi-2.json\'></rapi-doc>' },
      '/init': { body: "<script>Redoc.init('openapi-3.json', {}, el)</script>" },
      '/elements': { body: '<elements-api apiDescriptionUrl="openapi-4.json" router="hash"></elements-api>' },
      '/scalar': { body: '<script id="api-reference" data-url="openapi-5.json"></script>' },
      '/fast': { body: "<script>const ui = SwaggerUIBundle({\n  url: '/openapi-6.json',\n  dom_id: '#ui' })</script>" },
      '/swagger/': { body: '<div id="swagger-ui"></div><script src="./swagger-initializer.js"></script>' },
      '/swagger/swagger-initializer.js': script(
        'window.ui = SwaggerUIBundle({ urls: [{ "url": "openapi-7.json", name: "a" }, { url: "openapi-8.json" }] })',
      ),
      '/boot': { body: '<script>SwaggerUIBundle({ configUrl: "/v3/api-docs/swagger-config" })</script>' },
      '/v3/api-docs/swagger-config': {
        headers: { 'content-type': 'application/json' },
        body: '{"configUrl":"/v3/api-docs/swagger-config","urls":[{"url":"/v3/api-docs/public","name":"public"}]}',
      },
      '/v3/api-docs/public': spec('op9'),
      ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((at) => [`/openapi-${at}.json`, spec(`op${at}`)])),
      '/swagger/openapi-7.json': spec('op7'),
      '/swagger/openapi-8.json': spec('op8'),
    });
    expect(report.skipped).not.toHaveProperty('needs-scripts');
    expect(pages.filter((page) => /openapi|api-docs/.test(page)).sort()).toEqual([
      ...[1, 2, 3, 4, 5, 6].map((at) => `/openapi-${at}.json`),
      '/swagger/openapi-7.json',
      '/swagger/openapi-8.json',
      '/v3/api-docs/public',
    ]);
  });

  test('Docsify: the menu lists Markdown files, and the page that shows them is empty', async () => {
    const markdown = (body: string, type: string): TestPage => ({ headers: { 'content-type': type }, body });
    const { pages, report } = await crawl(
      {
        '/docs/': {
          body: '<div id="app">Please wait</div><script>window.$docsify = { loadSidebar: true }</script><script src="d.js"></script>',
        },
        '/docs/README.md': markdown('# Home\n\nOf the queue. See [more](more.md).', 'application/octet-stream'),
        '/docs/_sidebar.md': markdown(
          '* [Home](/)\n* [Start](/start?id=close "Start it")\n* [Guide](guide/)\n* <a href="#/guide/deep">Deep</a>\n* [Home page](https://example.org/x)\n* [Here](#top)',
          'text/markdown',
        ),
        '/docs/more.md': markdown('# More\n\nSettings.', 'text/plain'),
        '/docs/start.md': markdown('# Start\n\nOpen a queue.', 'application/octet-stream'),
        '/docs/guide/README.md': markdown('# Guide\n\nAll of it.', 'application/octet-stream'),
        '/docs/guide/deep.md': markdown('# Deep\n\nDeeper.', 'application/octet-stream'),
      },
      '/docs/',
    );
    expect([...pages].sort()).toEqual([
      '/docs/',
      '/docs/README.md',
      '/docs/guide/README.md',
      '/docs/guide/deep.md',
      '/docs/more.md',
      '/docs/start.md',
    ]);
    expect(report.skipped).toMatchObject({ empty: { count: 1 } });
    expect(report.skipped).not.toHaveProperty('needs-scripts');
  });

  test('Docsify: pages without a menu link to routes', async () => {
    const markdown = (body: string): TestPage => ({ headers: { 'content-type': 'text/plain' }, body });
    const { pages, report } = await crawl(
      {
        '/docs/': { body: '<div id="app"></div><script>window.$docsify = {}</script><script src="d.js"></script>' },
        '/docs/README.md': markdown(
          '# Home\n\n[Start](start), [guide](/guide/), [deep](#/guide/deep?id=x), [here](#home).',
        ),
        '/docs/start.md': markdown('# Start\n\nOpen a queue. [Version](/v1.2), [file](start.md#open).'),
        '/docs/v1.2.md': markdown('# Version 1.2\n\nOlder.'),
        '/docs/guide/README.md': markdown('# Guide\n\nAll of it.'),
        '/docs/guide/deep.md': markdown('# Deep\n\nDeeper.'),
      },
      '/docs/',
    );
    const files = ['README.md', 'guide/README.md', 'guide/deep.md', 'start.md', 'v1.2.md'];
    expect([...pages].sort()).toEqual(['/docs/', ...files.map((file) => `/docs/${file}`)]);
    expect(report.failed).toEqual({});
  });

  test('Sphinx: the inventory lists pages', async () => {
    const { pages, report } = await crawl(
      {
        '/docs/': htmlPage('home', [], '<script src="_static/documentation_options.js"></script>'),
        '/docs/objects.inv': {
          body: inventory('mod.f py:function 1 api.html#$ -\nguide std:doc -1 guide.html Guide\n'),
        },
        '/docs/api.html': htmlPage('api'),
        '/docs/guide.html': htmlPage('guide'),
      },
      '/docs/',
    );
    expect(pages).toEqual(['/docs/', '/docs/api.html', '/docs/guide.html']);
    expect(report.failed).toEqual({});
  });

  test('ExDoc: the menu lists pages, even if llms.txt lists their Markdown', async () => {
    const menu = 'sidebarNodes={"extras":[{"id":"readme"}],"modules":[{"id":"Ex"}]}';
    const { pages, report } = await crawl({
      '/': htmlPage('home', [], '<script defer src="dist/sidebar_items-F1.js"></script>'),
      '/dist/sidebar_items-F1.js': script(menu),
      '/llms.txt': { headers: { 'content-type': 'text/plain' }, body: '- [Ex](Ex.md)\n' },
      '/readme.html': htmlPage('readme'),
      '/Ex.html': htmlPage('Ex'),
      '/Ex.md': { headers: { 'content-type': 'text/markdown' }, body: '# Ex\n\nA module.\n' },
    });
    expect(pages.toSorted()).toEqual(['/', '/Ex.html', '/readme.html']);
    expect(report.failed).toEqual({});
  });

  test('a missing guessed file is not a failure, and an HTML page in its place is not a list', async () => {
    const { pages, report } = await crawl({
      '/': htmlPage(
        'home',
        ['b.html'],
        '<script src="_static/doctools.js"></script><script src="menudata.js"></script>',
      ),
      '/b.html': htmlPage('b'),
      '/menudata.js': htmlPage('every address is this page: url:"trap.html"'),
    });
    expect(pages).toEqual(['/', '/b.html']);
    expect(report.failed).toEqual({});
  });

  test.each([
    [
      'https://d.example/search/search_index.json',
      '{"docs":[{"location":"","title":"H"},{"location":"guide/#a","text":"x"}]}',
      ['https://d.example/', 'https://d.example/guide/'],
    ],
    [
      'https://d.example/toc.js',
      'this.innerHTML = \'<ol><li><a href="ch1.html">One</a></li></ol>\';',
      ['https://d.example/ch1.html'],
    ],
    [
      'https://d.example/toc.json',
      '{"items":[{"href":"api/a.html","items":[{"href":"api/b.html"}]}]}',
      ['https://d.example/api/a.html', 'https://d.example/api/b.html'],
    ],
    [
      'https://d.example/package-search-index.js',
      'packageSearchIndex = [{"l":"All Packages","u":"allpackages-index.html"},{"m":"java.base","l":"java.lang"},{"l":"org.x"}]',
      [
        'https://d.example/allpackages-index.html',
        'https://d.example/java.base/java/lang/package-summary.html',
        'https://d.example/org/x/package-summary.html',
      ],
    ],
    [
      'https://d.example/dist/sidebar_items-F115.js',
      'sidebarNodes={"extras":[{"id":"readme","headers":[{"id":"Usage"}]},{"url":"https://e.example/"}],"modules":[{"id":"Ex.Dev","nodeGroups":[{"nodes":[{"id":"a/1"}]}]}],"tasks":[]};',
      ['https://d.example/readme.html', 'https://d.example/Ex.Dev.html'],
    ],
    ['https://d.example/dist/sidebar_items.js', 'sidebarNodes={"extras":[{"id":', []],
    ['https://d.example/objects.inv', '# Sphinx inventory version 2\nbroken', []],
  ])('%s', (address, body, expected) => {
    expect(linksOfIndexFile(Buffer.from(body), address).map(({ url }) => url)).toEqual(expected);
  });
});

test.each([
  ['an inventory of colons', 'objects.inv', inventory(`a ${':'.repeat(1_000_000)}`)],
  ['an inventory of spaces', 'objects.inv', inventory(`a${' '.repeat(1_000_000)}`)],
  ['a tree that begins again and again', 'navtreedata.js', Buffer.from('NAVTREEINDEX=['.repeat(500_000))],
  [
    'a search that begins again and again',
    'search/searchdata.js',
    Buffer.from('indexSectionsWithContent={0:'.repeat(200_000)),
  ],
])('%s lists nothing and is read quickly', (_, name, bytes) => {
  expect(linksOfIndexFile(bytes, `http://127.0.0.1/${name}`)).toEqual([]);
});

test('listings are read last, so a page limit cuts them first', async () => {
  const site = await startTestSite({
    '/': htmlPage('home', ['a_8h_source.html', 'class-use/A.html', 'genindex.html', 'a.html', 'b.html']),
    ...Object.fromEntries(
      ['a_8h_source', 'class-use/A', 'genindex', 'a', 'b'].map((name) => [`/${name}.html`, htmlPage(name)]),
    ),
  });
  sites.push(site);
  const { pages, report } = await crawlTestSite(site, '/', { input: { pagesMax: 3 } });
  expect(pages).toEqual(['/', '/a.html', '/b.html']);
  expect(report.skipped).toMatchObject({ 'page-limit': { count: 3 } });
});

test('redirects, empty pages and chains are counted by reason and add up to the total found', async () => {
  const to = (target: string): TestPage => ({ status: 302, headers: { location: target } });
  const chain = Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`/c${at}`, to(`/c${at + 1}`)]));
  const { report } = await crawl({
    '/': `${htmlPage('home', ['self', 'loop-a', 'empty.html', 'c0', 'moved', 'x.xhtml'])}`,
    '/self': to('/self'),
    '/loop-a': to('/loop-b'),
    '/loop-b': to('/loop-a'),
    '/empty.html': '<html><body></body></html>',
    '/moved': to('/there.html'),
    '/there.html': htmlPage('there'),
    '/x.xhtml': {
      headers: { 'content-type': 'application/xhtml+xml' },
      body: '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>X</title><script src="a.js"/></head><body><h1>X</h1><p>Its <a id="here"/>text.</p></body></html>',
    },
    ...chain,
  });
  expect(report.skipped).toMatchObject({
    empty: { count: 1 },
    'redirect-loop': { count: 2 },
    'too-many-redirects': { count: 1 },
  });
  expect(report.counts.pages).toBe(3);
});
