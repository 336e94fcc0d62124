import { describe, expect, test } from 'vitest';
import { extractHtml } from './extract-html.ts';

const extract = (html: string) => extractHtml(html, { url: 'https://docs.example/guide/start.html' });

describe('declarations in the head', () => {
  test('give the canonical address and the Markdown version', () => {
    const page = extract(
      '<head><link rel="canonical" href="/guide/start">' +
        '<link rel="alternate" type="text/markdown" href="start.md"></head><body><p>x',
    );
    expect(page).toMatchObject({
      canonicalUrl: 'https://docs.example/guide/start',
      markdownUrl: 'https://docs.example/guide/start.md',
      isNoindex: false,
    });
  });

  test('give robots rules for the page and its links', () => {
    const page = extract('<meta name="robots" content="NOINDEX, nofollow"><p><a href="b">b</a>');
    expect(page.isNoindex).toBe(true);
    expect(page.links).toEqual([
      { url: 'https://docs.example/guide/b', text: 'b', fromContent: true, isNofollow: true },
    ]);
  });

  test.each([
    ['0; url=../new.html', 'https://docs.example/new.html'],
    ["0;URL='https://other.example/'", 'https://other.example/'],
    ['600; url=later.html', undefined],
    ['5', undefined],
    ['0; url=start.html', undefined],
    ['0; url=javascript:alert(1)', undefined],
  ])('refresh "%s" leads to %s', (content, target) => {
    expect(extract(`<meta http-equiv="refresh" content="${content}"><p>x`).refreshUrl).toBe(target);
  });

  test('a refresh with very many spaces and a line break is read', () => {
    const content = `${' '.repeat(10_000)}new\n.html`;
    expect(extract(`<meta http-equiv="refresh" content="${content}"><p>x`).refreshUrl).toMatch(/\/new\.html$/);
  });

  test('resolve addresses against the base element', () => {
    expect(extract('<base href="/v2/"><p><a href="b">b</a>').links[0]?.url).toBe('https://docs.example/v2/b');
  });

  test('turn frames into links', () => {
    const page = extract('<frameset><frame src="list.html"><frame src="first.html"></frameset>');
    expect(new Set(page.links.map(({ url }) => url))).toEqual(
      new Set(['https://docs.example/guide/list.html', 'https://docs.example/guide/first.html']),
    );
    expect(extract('<p>x<iframe src="part.html"></iframe>').links).toHaveLength(1);
  });

  test('ignore a canonical address that is not on the web', () => {
    expect(extract('<link rel="canonical" href="file:///usr/share/doc/x.html"><p>x').canonicalUrl).toBeUndefined();
  });
});

describe('the title', () => {
  test.each([
    ['the first-level heading', '<title>Pools — Site 1.0</title><main><h1>Using pools</h1><p>x', 'Using pools'],
    ['the document title without the site', '<title>Pools — Site 1.0</title><main><p>x', 'Pools'],
    [
      'the first heading when the document title repeats it',
      '<title>Pools | Site</title><main><h2>Pools</h2><p>x',
      'Pools',
    ],
    [
      'the document title when first-level headings are sections',
      '<title>Data.Text</title><main><h1>Types</h1><p>x</p><h1>Creation</h1><p>y',
      'Data.Text',
    ],
    ['a javadoc heading', '<title>Pool (Pool 2 API)</title><main><h2>Class Pool</h2><p>x', 'Class Pool'],
    [
      'one with type parameters',
      '<title>Call (lib API)</title><main><h2>Interface Call&lt;T&gt;</h2><p>x',
      'Interface Call<T>',
    ],
    [
      'the heading that is the second part of the document title',
      '<title>Server 10 (10.1) - SSL How-To</title><h1>Server 10</h1><h2>SSL How-To</h2><p>Text.<h3>Setup</h3><p>x',
      'SSL How-To',
    ],
    [
      'the second heading if it is the document title',
      '<title>Memory</title><h1>The parser and toolkit</h1><h2>Memory</h2><p>Text.<h3>Setup</h3><p>x',
      'Memory',
    ],
    [
      'the one that Doxygen shows below a header of the project',
      `<title>The Library</title><div class="header"><div class="summary"><a href="#m">Public Member Functions</a> | <a href="all.html">List of all members</a></div><div class="headertitle"><div class="title">Pool Class Reference</div></div></div><div class="contents">${'<p>Lends connections to callers and takes them back.'.repeat(9)}`,
      'Pool Class Reference',
    ],
    [
      'a heading whose picture repeats its words once',
      '<title>Docs -- ./store/Mem.tcl</title><h1><img src="logo.jpg" alt="./store/Mem.tcl"> ./store/Mem.tcl</h1><p>x',
      './store/Mem.tcl',
    ],
    [
      'front matter in a comment',
      '<!--{"Title": "The Memory Model", "Path": "/ref"}--><h2>Introduction</h2><p>x',
      'The Memory Model',
    ],
    ['the first words when there is nothing else', '<p>Moved to <a href="/new">the guide</a>', 'Moved to the guide'],
    ['the name in the address', '', 'start.html'],
  ])('is %s', (_name, html, expected) => {
    expect(extract(html).title).toBe(expected);
  });

  test('is not the site name above the content', () => {
    const html =
      '<title>Pools | Site</title><body><div id="hd"><h1><a href="/">Site documentation</a></h1></div><div><div class="body" role="main"><h1>Pools</h1><p>Some text to read.</p></div></div>';
    expect(extract(html).title).toBe('Pools');
  });

  test.each([
    [
      'is not the site name that links to the start page',
      'Using Pools - Guide - Site - a server',
      '../index.html',
      'Using Pools',
    ],
    ['is a name that links elsewhere', 'Site - Pools', '../pools/', 'Pools'],
    ['is a name that the document title has first', 'Pools - Site', '../', 'Pools'],
  ])('%s', (_name, title, href, expected) => {
    const name = expected === 'Pools' ? expected : 'Site';
    const html = `<title>${title}</title><h1><a href="${href}">${name}</a></h1><h2><a href="../guide.html">Guide</a> &gt; Lending</h2><p>x`;
    expect(extract(html).title).toBe(expected);
  });
});

test.each([
  ['<title>Introduction - The Tide Book</title><main><h1>Introduction</h1><p>x', 'The Tide Book'],
  ['<title>The Tide Book</title><main><h1>Introduction</h1><p>x', 'The Tide Book'],
  ['<title>Home</title><meta property="og:site_name" content="Tides"><main><h1>Home</h1><p>x', 'Tides'],
  ['<title>Tides</title><main><h1>Tides</h1><p>x', undefined],
  ['<title>All about tides</title><main><h1>Tides of the sea</h1><p>x', undefined],
])('the site name is %s', (html, expected) => {
  expect(extract(html).siteName).toBe(expected);
});

describe('links', () => {
  test('are listed once per address, preferring the one in the content', () => {
    const page = extract(
      '<nav><a href="b">B</a><a href="c">C</a></nav><main><p>See <a href="b" rel="nofollow">the b page</a>.</p></main><footer><a href="mailto:x@y">m</a></footer>',
    );
    expect(page.links).toEqual([
      { url: 'https://docs.example/guide/b', text: 'the b page', fromContent: true, isNofollow: true },
      { url: 'https://docs.example/guide/c', text: 'C', fromContent: false, isNofollow: false },
    ]);
  });
});

describe('furniture', () => {
  const prose = '<p>The pool lends connections to callers and takes them back when they are closed.</p>'.repeat(4);
  const shown = (html: string) =>
    extract(html)
      .blocks.map(({ markdown }) => markdown)
      .join('\n');

  test('of javadoc before version 7 is left out above and below the text', () => {
    const bar = `<table><tr><td colspan=2 class="NavBarCell1"><table><tr><td class="NavBarCell1"><a href="o.html"><b>Overview</b></a></td>
      <td class="NavBarCell1Rev"><b>Class</b></td><td class="NavBarCell1"><a href="u.html"><b>Use</b></a></td></tr></table></td>
      <td rowspan=3><em>Pools 1.4</em></td></tr><tr><td class="NavBarCell3">SUMMARY: NESTED | <a href="#m">METHOD</a></td></tr></table>`;
    const text = shown(`<title>Pool</title>${bar}<hr><h2>Class Pool</h2>${prose}${bar}`);
    expect(text).toMatch(/^## Class Pool\n\nThe pool|^Class Pool\nThe pool/);
    expect(text).not.toMatch(/SUMMARY|Overview|Pools 1\.4/);
  });

  test('includes the menu of LDoc, whose current page is bold', () => {
    const menu = `<div id="navigation"><br/><h1>Lib</h1><ul><li><a href="../index.html">Index</a></li></ul><h2>Modules</h2>
      <ul><li><strong>pool</strong></li><li><a href="queue.html">queue</a></li></ul></div>`;
    const page = `<title>Lib</title><div id="main">${menu}<div id="content"><h2>pool</h2>${prose}</div></div>`;
    expect(shown(page)).not.toContain('queue');
  });

  test('includes the site name with the menu below it, but not on the start page', () => {
    const top =
      '<h1><a href="../index.html">Site</a></h1><div id="menu"><a href="../install.html">Install</a> <a href="../faq.html">FAQ</a></div>';
    const page = shown(`<title>Pools - Site</title>${top}<h2>Lending pools</h2>${prose}`);
    expect(page).toMatch(/^Lending pools\nThe pool/);
    expect(shown(`<title>Site - a pool of pools</title>${top}<h2>Lending pools</h2>${prose}`)).toMatch(
      /^Site\n|Site\]/,
    );
  });

  test.each([
    ['Scaladoc 3', '<h2>Attributes</h2><dl class="attributes"><dt>Source:', ''],
    ['Scaladoc 3.3', '<h2>Attributes</h2><dl class="attributes attributes-small"><dt>Source', ''],
    ['Scaladoc 2', '<dl class="attributes block"><dt>Source', ''],
    [
      'JSDoc',
      '<dl class="details"><dt class="tag-source">Source:</dt><dd><ul class="dummy"><li><a href="a.js.html">a.js</a>, <a href="a.js.html#line21">line 21</a></li></ul></dd><dt>Source',
      'Source\\n.*\\n',
    ],
    ['another', '<h2>Attributes</h2><dl class="details"><dt>Source', 'Attributes\\nSource\\n.*\\n'],
    [
      'Scaladoc 2',
      '<dl class="attributes block"><dt>Source</dt><dd>Where lines come from.</dd><dt>Source',
      'Source\\nWhere .*\\n',
    ],
  ])('includes the title and the link to the source that %s repeats, and no more: %s', (_, start, kept) => {
    const page = `<h1>Pool</h1>${prose}${start}</dt><dd><a href="https://code.example/Pool.scala#L8">Pool.scala</a></dd><dt>Since</dt><dd>2.1</dd></dl>`;
    expect(shown(page)).toMatch(new RegExp(`closed\\.\\n${kept}Since\\n2\\.1$`));
  });

  test('includes the title that Scaladoc 3 writes above no attributes', () => {
    const page = `<h1>Pool</h1>${prose}<h2>Attributes</h2><dl class="attributes attributes-small"></dl><p>More.</p>`;
    expect(shown(page)).toMatch(/closed\.\nMore\.$/);
  });

  test('includes the letter that Scaladoc 2 draws before the title', () => {
    const badge = '<a href="Pool$.html"><div class="big-circle trait-companion-object">t</div></a>';
    expect(shown(`<div id="definition">${badge}<h1>Pool</h1></div>${prose}`)).toMatch(/^Pool\n/);
  });

  test('includes logos without text', () => {
    const page = `<title>Pool</title><div><div class="logo noPrint"><a href="/"><img src="l.png" alt="The Foundation"></a></div><h1>Pool</h1></div>${prose}`;
    expect(shown(page)).not.toContain('Foundation');
  });

  test('includes the signature that a link shows as a tooltip', () => {
    const page = `<h1>Pool</h1>${prose}<h3>Inherited</h3><a href="S.html#hash" class="tooltip"><span>hash(hasher)</span> hash</a>, <a href="S.html#to_s" class="tooltip"><span>to_s : String</span> to_s</a>`;
    expect(shown(page)).toMatch(/\[hash\]\(\S+\), \[to\\?_s\]/);
  });
});
