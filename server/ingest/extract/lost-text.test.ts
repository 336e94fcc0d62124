import { describe, expect, test } from 'vitest';
import { extractHtml } from './extract-html.ts';

const url = 'https://docs.example/page.html';
const blocksOf = (html: string) => extractHtml(html, { url }).blocks;
const markdownOf = (html: string) =>
  blocksOf(html)
    .map(({ markdown }) => markdown)
    .join('\n\n');
const filler = '<p>A paragraph of the page that says something about its subject, for some length.</p>'.repeat(5);
const page = (body: string) => markdownOf(`<title>T</title><h1>T</h1>${filler}${body}`);

describe('Scribble', () => {
  const row = (cell: string) => `<tr><td>${cell}</td></tr>`;
  const code = (rows: string) => `<table cellspacing="0" class="RktBlk">${rows}</table>`;

  test('code in table rows becomes a code block with its indentation', () => {
    const inner = code(
      row('<span class="stt">&gt; </span><span class="RktPn">(</span><span class="RktSym">map</span>') +
        row('<span class="hspace">&nbsp;&nbsp;</span><span class="RktSym">add1</span><span class="RktPn">)</span>'),
    );
    const html = `<blockquote class="SCodeFlow">${code(row(inner) + row('') + row("<p><span class='RktRes'>'(1 2)</span></p>"))}</blockquote>`;
    expect(page(html)).toContain("```racket\n> (map\n  add1)\n\n'(1 2)\n```");
  });

  test('names in code that also name steps through pages or services stay', () => {
    const name = (text: string) => `<span class="RktSym"><a href="p.html" class="RktStxLink">${text}</a></span>`;
    const body = `(define (tick w) ${name('...')})`;
    const test = `(if (${name('&lt;')} a) (${name('&gt;')} b))`;
    const html = `<blockquote class="SCodeFlow">${code(row(body) + row(test))}</blockquote><p>${name('...')} in a sentence</p>`;
    expect(page(html)).toContain('```racket\n(define (tick w) ...)\n(if (< a) (> b))\n```');
    expect(page(html)).toContain('...](https://docs.example/p.html) in a sentence');
  });

  test('verbatim text is code without a language', () => {
    const html = `<table class="SVerbatim">${row('<p><span class="stt">a</span></p>')}${row('<p><span class="hspace">&nbsp;&nbsp;</span>b</p>')}</table>`;
    expect(page(html)).toContain('```\na\n  b\n```');
  });

  test('a definition is a section with its name, with its contracts as code', () => {
    const label = '<div class="RBackgroundLabel"><div class="RBackgroundLabelInner"><p>procedure</p></div></div>';
    const prototype = `<p class="RForeground"><span class="RktPn">(</span><a name="(def._pair~3f)"></a><span class="RktSym"><a href="#x" class="RktValDef RktValLink">pair?</a></span><span class="hspace">&nbsp;</span><span class="RktVar">v</span><span class="RktPn">)</span></p>`;
    const box = `<blockquote class="SVInsetFlow"><table class="boxed RBoxed">${row(`<blockquote class="SubFlow">${label}${prototype}</blockquote>`)}${row('<span class="hspace">&nbsp;&nbsp;</span>v : any/c')}</table></blockquote><p>Whether v is a pair.</p>`;
    const blocks = blocksOf(`<title>T</title><h1>T</h1>${filler}${box}`);
    const at = blocks.findIndex(({ markdown }) => markdown === '`(pair? v)`');
    expect(blocks[at]).toMatchObject({ type: 'heading', anchor: '(def._pair~3f)', identifiers: ['pair?'] });
    expect(blocks[at + 1]).toMatchObject({ type: 'code', markdown: '```racket\n  v : any/c\n```' });
    expect(blocks[at + 2]?.markdown).toBe('Whether v is a pair.');
  });

  test('the contents column of a short page is left out, its text kept', () => {
    const links = Array.from(
      { length: 40 },
      (_, at) => `<tr><td>${at}&nbsp;</td><td><a href="p${at}.html">Chapter ${at}</a></td></tr>`,
    );
    const html = `<title>T</title><body><div class="tocset"><table>${links.join('')}</table></div><div class="maincolumn"><div class="main"><h4>2.3<tt>&nbsp;</tt>Short</h4><p>The only sentence.</p></div></div></body>`;
    expect(markdownOf(html)).toBe('2.3 Short\n\nThe only sentence.');
  });
});

test('a table with only links in its cells is kept with its caption', () => {
  const rows = ['bash', 'dash', 'zsh']
    .map((name) => `<tr><td><a href="/${name}">${name}</a></td><td><a href="/s/${name}">12</a></td></tr>`)
    .join('');
  const html = `<div class="table"><p class="title"><strong>Table 1. Shells</strong></p><div class="table-contents"><table><thead><tr><th>package</th><th>size</th></tr></thead><tbody>${rows}</tbody></table></div></div>`;
  expect(page(html)).toContain('| [dash](https://docs.example/dash) | [12](https://docs.example/s/dash) |');
});

test('a DocBook admonition laid out as a table is an admonition', () => {
  const html =
    '<div class="note"><table border="0"><tr><td rowspan="2"><img alt="[Note]" src="note.png"/></td><th align="left">Note</th></tr><tr><td><p>Read this first.</p></td></tr></table></div>';
  expect(page(html)).toMatch(/> \*\*Note\*\*\n>\n> Read this first\.$/);
});

test('a declaration whose types are all links is kept', () => {
  const html =
    '<div class="top"><p class="src"><a id="v:headS" class="def">headS</a> :: <a href="M.html#t">Monad</a> m => <a href="S.html#t">StreamConsumer</a> a m (<a href="B.html#t">Maybe</a> a)</p></div>';
  expect(page(html)).toContain('`headS :: Monad m => StreamConsumer a m (Maybe a)`');
});

test('a theme’s banner above a Doxygen page is left out', () => {
  const banner =
    '<div>Please take part in our <a href="https://a.example/">survey of all users of the library</a></div>';
  const page =
    '<div id="doc-content"><div class="header"><div class="headertitle"><div class="title">Dense Struct Reference</div></div></div><div class="contents"><div class="textblock"><p>The type used to identify a dense storage of data.</p></div></div></div>';
  expect(
    blocksOf(`<title>Lib: Dense Struct Reference</title>${banner}${page}`).map(({ markdown }) => markdown),
  ).toEqual(['Dense Struct Reference', 'The type used to identify a dense storage of data.']);
});

test('Doxygen’s diagrams and their captions are left out, the text around them is not', () => {
  const diagram =
    '<div class="dynheader">Inheritance diagram for app::Core:</div><div class="dyncontent"><div class="center"><img src="a1.png" usemap="#m" alt="Inheritance graph"/></div><center><span class="legend">[<a href="graph_legend.html">legend</a>]</span></center></div>';
  const { blocks } = extractHtml(
    `<div id="doc-content"><div class="title">app::Core Class Reference</div><div class="contents"><p>Starts the program.</p>${diagram}<p>Use it once.</p></div></div>`,
    { url: 'https://docs.example/a1.html' },
  );
  expect(blocks.map(({ markdown }) => markdown).join('\n')).toBe(
    '**app::Core Class Reference**\nStarts the program.\nUse it once.',
  );
});

test('Doxygen members are separate entries with their template, and a class has its own name', () => {
  const member = (left: string, right: string, template = '') =>
    `${template === '' ? '' : `<tr><td class="memTemplParams" colspan="2">${template}</td></tr>`}<tr><td class="memItemLeft">${left}</td><td class="memItemRight">${right}</td></tr>`;
  const html = `<title>Lib: Rotation Class</title><div class="header"><div class="headertitle"><div class="title">Rotation Class<div class="ingroups"><a href="g.html">Geometry</a> &raquo; <a href="m.html">Module</a></div></div></div></div><div class="contents">${filler}<table class="memberdecls"><tr class="heading"><td colspan="2"><h2>Functions</h2></td></tr>${member('Rotation &', '<a href="#a">operator=</a> (const M &m)', 'template&lt;typename D &gt;')}${member('', '<a href="#b">Rotation</a> ()')}<tr><td class="mdescLeft"></td><td class="mdescRight">Makes one.</td></tr></table></div>`;
  const { title, blocks } = extractHtml(html, { url });
  expect(title).toBe('Rotation Class');
  const list = blocks.find(({ type }) => type === 'list')?.markdown.replace(/\]\([^)]*\)/g, ']');
  expect(list).toBe('- template\\<typename D > Rotation & [operator=] (const M &m)\n- [Rotation] () — Makes one.');
});

test.each([
  ['<title>Data.Map</title><body><div id="content"><h1>Documentation</h1>', 'Data.Map'],
  ['<title>depot-1.0: Shelves for parcels (Index - F)</title><body>', 'depot-1.0: Shelves for parcels (Index - F)'],
  ['<title>Manual: Section 4.33</title><body><h2>4.33 Printing messages</h2>', '4.33 Printing messages'],
  ['<title>GAP (ref) - Chapter 17: Rationals</title><body><h3>17 <span>Rationals</span></h3>', '17 Rationals'],
  [
    '<title>Reference</title><body><div id="main"><div id="navigation"><br><h1>Penlight</h1><ul><li><a href="/a">pl.comprehension</a></ul>' +
      '<h2>Libraries</h2><ul><li><a href="/b">pl.import_into</a><li><a href="/c">pl.OrderedMap</a></ul></div><div id="content"><h1>Class pl.Date</h1>',
    'Class pl.Date',
  ],
])('a title names the subject of the page: %s', (start, expected) => {
  expect(extractHtml(`${start}${filler}`, { url }).title).toBe(expected);
});

test.each([
  ['H<sub>2</sub>O', 'H_2O'],
  ['x<sub>i</sub> + 2<sup>32</sup>', 'x_i + 2^32'],
  ['<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>', 'a/b'],
  ['<math><mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mi>b</mi></mfrac></math>', '(a+1)/b'],
  ['<math><msup><mi>x</mi><mn>2</mn></msup></math>', 'x^2'],
  ['<math><msub><mi>x</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub></math>', 'x_{ij}'],
  ['<math><msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt></math>', '√(x+1)'],
  ['<math><msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup></math>', 'x_1^2'],
])('formulas keep their meaning: %s', (html, expected) => {
  expect(page(`<p>Here ${html} stands.</p>`)).toContain(`Here ${expected} stands.`);
});

test('text and code directly inside a list become one item', () => {
  const html =
    '<ol>\n <span><a href="t.html">table</a></span>\n What <code>:layout()</code> returns.\n</ol><ul>a <b>b</b><li>c</li></ul>';
  expect(page(html)).toContain('1. [table](https://docs.example/t.html) What `:layout()` returns.\n\n- a **b**\n- c');
});

describe('long sequences of terms', () => {
  const terms = (count: number, body = '') =>
    `<dl>${Array.from({ length: count }, (_, at) => `<dt id="v${at}"><code>val value_${at} : int -&gt; string</code></dt>`).join('')}${body}</dl>`;

  test('of odoc values without descriptions are entries with their anchors', () => {
    const found = blocksOf(`<title>T</title><h1>T</h1>${filler}${terms(40)}`).filter(({ type }) => type === 'term');
    expect(found).toHaveLength(40);
    expect(found[39]).toMatchObject({ anchor: 'v39', markdown: '`val value_39 : int -> string`', span: 0 });
  });

  test('before a description are all kept; a few are names of one entry and keep all anchors', () => {
    expect(page(terms(40, '<dd>All of them.</dd>'))).toMatch(/value_39 : int -> string`\n\nAll of them\.$/);
    const [few] = blocksOf(`<title>T</title><h1>T</h1>${filler}${terms(3, '<dd>x</dd>')}`).filter(
      ({ type }) => type === 'term',
    );
    expect(few).toMatchObject({ anchor: 'v0', aliases: ['v1', 'v2'], span: 1 });
  });
});

test('odoc: a value next to its description is an entry, and so is a type with its cases in a table', () => {
  const value =
    '<div class="odoc-spec"><div class="spec value" id="val-make"><a href="#val-make" class="anchor"></a><code><span>val</span> make : int -&gt; t</code></div><div class="spec-doc"><p>Makes one.</p></div></div>';
  const type =
    '<div class="odoc-spec"><div class="spec type" id="type-day"><a href="#type-day" class="anchor"></a><code>type day = </code><table><tr id="type-day.Sun"><td class="def constructor"><code>| Sun</code></td></tr></table></div></div>';
  const blocks = blocksOf(`<title>T</title><h1>T</h1>${filler}${value}${type}`);
  const found = blocks.filter(({ type: kind }) => kind === 'term');
  expect(found).toMatchObject([
    { markdown: '`val make : int -> t`', anchor: 'val-make', identifiers: ['make'], span: 1 },
    { markdown: '`type day =`', anchor: 'type-day', identifiers: ['day'], span: 1 },
  ]);
  expect(blocks.at(-1)?.markdown).toBe('`| Sun`');
});

test('a table whose full-width headings separate rows keeps its rows', () => {
  const row = (name: string, text: string) =>
    `<tr><td><div><a href="${name}.html"><span class="t-lines"><span>${name}</span><span>c${name}</span><span></span></span></a></div></td><td>${text}</td></tr>`;
  const html = `<table><tr><td colspan="2"><h5 id="Cap">Capacity</h5></td></tr>${row('size', 'returns the number')}${row('data', 'gives access')}</table>`;
  expect(page(html)).toContain(
    'Capacity\n\n|  |  |\n| --- | --- |\n| [size, csize](https://docs.example/size.html) | returns the number |\n| [data, cdata](',
  );
});

test('the anchor of a member is kept if each member is a table with one row', () => {
  const html =
    '<table class="detail"><tr><td>Public</td><td><a name="ToString"></a><code>function ToString: string;</code></td></tr></table>';
  expect(blocksOf(`<title>T</title><h1>T</h1>${filler}${html}`).at(-1)).toMatchObject({
    type: 'table',
    anchor: 'ToString',
  });
});

describe('HeVeA', () => {
  const cell = (text: string) => `<td class="dcell">${text}</td>`;
  const fraction = (over: string, under: string) =>
    `<table class="display"><tr>${cell(over)}</tr><tr><td class="hrule"></td></tr><tr>${cell(under)}</tr></table>`;

  test('a formula laid out as a table is on one line with its fractions', () => {
    const html = `<table class="display dcenter"><tr>${cell('<i>q</i>+')}${cell(fraction('4', 'b+1'))}${cell('x<sup>2</sup> ⎛<br/>⎝')}${cell('y')}${cell('⎞<br/>⎠')}</tr></table>`;
    expect(page(html)).toMatch(/\n\nq\+ 4\/\(b\+1\) x\^2 \(y\)$/);
  });

  test('a listing in a table is code', () => {
    expect(page('<table class="lstframe"><tr><td class="lstlisting"><b>a</b>\n  b</td></tr></table>')).toMatch(
      /```\na\n {2}b\n```$/,
    );
  });

  test('image links to the next page are left out', () => {
    const steps = ['Previous', 'Up', 'Next']
      .map((alt) => `<a href="${alt}.html"><img src="m.svg" alt="${alt}"></a>\n`)
      .join('');
    expect(markdownOf(`<title>T</title><body>${steps}<hr><h1>T</h1>${filler}<hr>${steps}`)).not.toMatch(
      /Previous|Next/,
    );
  });
});

describe('LinuxDoc', () => {
  const row = '<a href="4.html">Next</a>\n<a href="2.html">Previous</a>\n<a href="all.html#toc3">Contents</a>\n';

  test('rows of links to other pages are left out', () => {
    const text = markdownOf(`<title>T</title><body>${row}<hr><h2>3. T</h2>${filler}<p><hr>${row}`);
    expect(text).toContain('3. T');
    expect(text).not.toMatch(/Next|Previous|Contents/);
  });

  test('a step alone is left out', () => {
    const html = `<title>T</title><body><font><a href="b.html">Up</a><br><h1>T</h1>${filler}<a href="b.html">Up</a></font>`;
    expect(markdownOf(html)).not.toContain('Up');
    expect(markdownOf(html.replaceAll('Up', 'Upper part'))).toMatch(/Upper part.*Upper part/s);
  });

  test.each([
    ['links in a sentence', `<h2>T</h2>${filler}Go to ${row}<hr>`],
    ['links of which most lead elsewhere', `<h2>T</h2>${filler}${row}${'<a href="x.html">Lamps</a>\n'.repeat(4)}`],
  ])('%s are kept', (_, html) => {
    expect(markdownOf(`<title>T</title><body>${html}`)).toMatch(/Next.*Previous.*Contents/s);
  });
});

test('Scaladoc: a member has its own name and anchor, and its comment once', () => {
  const html = `<ol><li><a id="canEqual(Any):Boolean"></a><h4 class="signature"><span class="modifier_kind"><span>abstract </span><span>def</span></span> <span class="symbol"><span class="name">canEqual</span><span>(that: <a href="Any.html" name="scala.Any">Any</a>)</span></span></h4><p class="shortcomment cmt">Tells.</p><div class="fullcomment"><p>Tells. At length.</p></div></li></ol>`;
  const blocks = blocksOf(`<title>T</title><h1>T</h1>${filler}${html}`);
  expect(blocks.at(-2)).toMatchObject({ anchor: 'canEqual(Any):Boolean', identifiers: ['canEqual'] });
  expect(blocks.filter(({ markdown }) => markdown.startsWith('Tells'))).toHaveLength(1);
});

test('keywords with the highlighter class "lang" are part of the code', () => {
  const html =
    '<pre><code><span class="lang">lambda</span>(int n) { <span class="lang">return</span> n; }</code></pre>';
  expect(page(html)).toContain('lambda(int n) { return n; }');
  expect(page('<p><code><span class="lang">return</span> n</code></p>')).toContain('`return n`');
});

test('a sentence in an aside is kept even if most of it is a link', () => {
  expect(
    page('<aside><p>Edges are <a href="s.html"><code>Sig.ORDERED_TYPE</code></a>.</p></aside><p>More.</p>'),
  ).toContain('Edges are [`Sig');
});

test('a declaration that MediaWiki colors in a table is code', () => {
  const html =
    '<table><tr><td><div><span class="mw-geshi cpp source-cpp"><span>void</span> sort<span>(</span> T<span>*</span> first <span>)</span>;</span></div></td><td>(1)</td></tr></table>';
  expect(page(html)).toContain('| `void sort( T* first );` | (1) |');
});

describe('navigation', () => {
  test('paragraph numbers that link to themselves are left out and become anchors', () => {
    const html =
      '<div class="substance"><label class="ocn"><a href="#5" class="lnkocn">5</a></label>\n<p class="norm" id="5">A single access point.</p></div>';
    const blocks = blocksOf(`<title>T</title><h1>T</h1>${filler}${html}`);
    expect(blocks.at(-1)).toMatchObject({ markdown: 'A single access point.', anchor: '5' });
    expect(blocks.at(-2)?.markdown).not.toContain('[5]');
  });

  test('rows of navigation arrows are left out, and the next heading keeps its anchor', () => {
    const links = ['&lt;&lt;', '&lt;', 'Up', '&gt;', '&gt;&gt;', 'Top', 'Contents', 'Index', '?'];
    const row = `<a name="Second"></a><table><tr>${links.map((text) => `<td>[ <a href="x.html">${text}</a> ]</td>`).join('')}</tr></table>`;
    const blocks = blocksOf(`<title>T</title>${row}<h1>T</h1>${filler}${row}<h2>Second</h2>${filler}`);
    expect(blocks.some(({ markdown }) => markdown.includes('Contents'))).toBe(false);
    expect(blocks.find(({ markdown }) => markdown === 'Second')).toMatchObject({ anchor: 'Second' });
  });

  test('a menu of the whole site is left out even if the page has less text', () => {
    const menu = Array.from(
      { length: 60 },
      (_, at) => `<tr><td><a href="p${at}.html">is_property_${at}</a> (C++11)</td></tr>`,
    ).join('');
    const html = `<title>bad</title><h1>bad</h1><div id="text"><div class="t-navbar"><table>${menu}</table></div><p>Constructs an object whose text is not defined.</p></div>`;
    expect(markdownOf(html)).toBe('bad\n\nConstructs an object whose text is not defined.');
  });
});

test('a DocBook synopsis is code with a line for each function', () => {
  const table =
    '<table class="funcprototype-table"><tr><td><code class="funcdef">int <b>put</b>(</code></td><td><var>text</var>, </td></tr><tr><td> </td><td>int n<code>)</code>;</td></tr></table>';
  const paragraph = '<p><code class="funcdef">void <b>end</b>(</code>void<code>)</code>;</p>';
  const html = `<title>T</title><h1>T</h1>${filler}<div class="funcsynopsis"><pre>#include &lt;put.h&gt;</pre>${table}${paragraph}</div>`;
  expect(blocksOf(html).at(-1)?.markdown).toBe('```\n#include <put.h>\nint put(text, int n);\nvoid end(void);\n```');
  const loose = `<title>T</title><h1>T</h1>${filler}<div class="funcsynopsis">int <b>put</b>(int n);</div>`;
  expect(blocksOf(loose).at(-1)?.markdown).toBe('```\nint put(int n);\n```');
});

test.each([
  ['<title>Postfix manual - access(5)</title><body>', 'postfix/html/access.5.html', 'access(5)'],
  [
    '<title>NUnit - PathConstraints</title><body><h2>Path Constraints</h2>',
    'a/pathConstraints.html',
    'PathConstraints',
  ],
  ['<title>UI Slider - Steps</title><body>', 'ui/slider/snap.html', 'UI Slider - Steps'],
  ['<title>Postfix manual - smtp(8)</title><body>', 'postfix/lmtp.8.html', 'Postfix manual - smtp(8)'],
  ['<title>Chapter 3 - Ownership</title><body><h1>Ownership</h1>', 'chapter-3.html', 'Ownership'],
  ['<title>Release Notes - 2.0</title><body><h1>Release Notes</h1>', 'release-notes/2.0/', 'Release Notes'],
  ['<title>Acme Handbook - Install</title><body>', 'guide/install', 'Install'],
  ['<title>Getting Started | Foo</title><body>', 'foo/', 'Getting Started'],
  ['<title>Getting Started - Foo</title><body>', 'foo', 'Getting Started'],
  ['<title>Introduction | Foo</title><body>', 'docs/foo', 'Introduction'],
  ['<title>Install - Foo</title><body>', 'installation/start.html', 'Install'],
  ['<title>Name - Foo API</title><body><h1>Name</h1><p>string - the name of a node</p>', 'name.html', 'Name'],
  ['<title>The Library - Toolkit</title><body><h2>Version 3</h2><h1>Image Class</h1>', 'a.html', 'Image Class'],
  ['<title>site::pools - Rust</title><body><h1>Module pools</h1>', 'site/pools/index.html', 'Module site::pools'],
  ['<title>Open pools - Site</title><body>', 'open/pools/index.html', 'Open pools'],
  ['<title>Pools - Site</title><body>', 'site/index.html', 'Pools'],
  ['<h1>NAME</h1><pre><code>  RT::Action - a base class</code></pre><h1>METHODS</h1>', 'Action.html', 'RT::Action'],
  ['<h1>NAME</h1><p>RT::Attribute</p><h1>METHODS</h1>', 'Attribute.html', 'RT::Attribute'],
  [
    '<title>Binding to libarchive</title><body><h2>1 Motivation</h2><p>Why.</p><h1>Index</h1>',
    'a.html',
    'Binding to libarchive',
  ],
  ['<title>Foo - Bibliography</title><h1>Foo</h1><h1>Bibliography</h1><h1>Web</h1>', 'biblio.html', 'Bibliography'],
  ['<title>Foo - Column Example</title><h1>Foo</h1><h1>A column of solder</h1>', 'column.html', 'A column of solder'],
  ['<title>Foo - commands</title><h1>Foo</h1><h1>The language</h1>', 'commands.html', 'commands'],
  ['<title>Limits | Foo</title><h1>Limits</h1><h1>How far they go</h1>', 'foo/a.html', 'Limits'],
  ['<title>Foo</title><h1 class="title">Streaming</h1><h1>One</h1><h1>Two</h1>', 'a.html', 'Streaming'],
  ['<title>Foo</title><h1>Building and running it</h1><h1>With make</h1>', 'building.html', 'Building and running it'],
  ['<title>Foo: connects everything</title><h2>Examples</h2>', 'foo/examples.html', 'Examples'],
  ['<title>Gtk – 4.0: List Widget Overview</title><h2>Terms</h2>', 'gtk4/section-list.html', 'List Widget Overview'],
  ['<title>The Library : Pool.shared</title><body>', 'type_Pool.shared.html', 'Pool.shared'],
  ['<title>app docs</title><ol class="breadcrumb"><li>Classes<li>PanelView</ol>', 'PanelView.html', 'PanelView'],
])('a title is not a text common to all pages of a site: %s', (start, path, expected) => {
  expect(extractHtml(`${start}${filler}`, { url: `https://docs.example/${path}` }).title).toBe(expected);
});

test('a heading that ends a qualified name in the document title gets the qualified name', () => {
  const titleOf = (title: string, heading: string) =>
    extractHtml(`<title>${title}</title><h1>${heading}</h1>${filler}`, { url }).title;
  expect(titleOf('Plank.Color.get_hsv – plank Reference', 'get_hsv')).toBe('Plank.Color.get_hsv');
  expect(titleOf('petsc4py.PETSc.KSP', 'Class KSP')).toBe('Class petsc4py.PETSc.KSP');
  expect(titleOf('Bytes (my-pkg.Compiler.Stdlib.Bytes)', 'Module Stdlib.Bytes')).toBe('Module Compiler.Stdlib.Bytes');
  expect(titleOf('get (my-pkg.Js.Dom.get)', 'Class type Dom.get')).toBe('Class type Js.Dom.get');
  expect(titleOf('About get_hsv', 'get_hsv')).toBe('get_hsv');
});

test('a dropped link takes the mark before it along', () => {
  const link = '<span><span>|</span> <a href="https://git.example/edit">Improve this Doc</a></span>';
  expect(page(`${link}<h4>Open</h4><p>Opens <span>it (<a href="#b">edit</a>)</span>.</p>`)).not.toContain('|');
});

test('a Texinfo definition has the name of its index entry', () => {
  const html =
    '<dl><dt id="index-to_005fpoly">Function: to_poly (expr)</dt><dd>x</dd><dt id="index-solve-1">Function: gpg_error_t solve (expr)</dt><dd>x</dd></dl>';
  const found = blocksOf(`<title>T</title><h1>T</h1>${filler}${html}`).filter(({ type }) => type === 'term');
  expect(found.map(({ identifiers }) => identifiers)).toEqual([['to_poly'], ['solve']]);
});

test('code keeps text that would be page furniture elsewhere', () => {
  const link = '<a href="gfx10_src_1.html">src</a>';
  expect(page(`<pre>ceil vdst, ${link}:m</pre><p>Use ${link} or <code>a ${link}</code>.</p>`)).toContain(
    'ceil vdst, src:m',
  );
  expect(page('<div class="method-source-code" id="footer-source"><pre>def footer\nend</pre></div>')).toContain(
    'def footer\nend',
  );
});

describe('a page of links', () => {
  const textOf = (html: string) =>
    extractHtml(html, { url: 'https://docs.example/list.html' })
      .blocks.map(({ markdown }) => markdown)
      .join('\n');
  const links = '<a href="a.html">Alpha</a> <a href="b.html">Beta</a> <a href="c.html">Gamma</a>';

  test('keeps its links if only a sentence precedes them', () => {
    const names = ['directory', 'section-toc', 'index'].map((name) =>
      textOf(
        `<title>Classes of the tool</title><div class="header">The manual of the tool, version 1.4, for its users</div><h1>Classes</h1><p>All of them:</p><div class="${name}">${links}</div><div class="footer">© 2020 The authors of this manual of the tool.</div>`,
      ),
    );
    for (const text of names) expect(text).toMatch(/Alpha[^]*Beta[^]*Gamma/);
  });

  test('omits related links next to a text, and links to the next page', () => {
    const text = 'This explains at length what the class does and when it is called. '.repeat(8);
    expect(textOf(`<h1>Class</h1><p>${text}</p><div class="related">${links}</div>`)).not.toContain('Alpha');
    expect(textOf('<h1>Class</h1><p>Short.</p><div class="nav">Next: <a href="a.html">Alpha</a></div>')).not.toContain(
      'Alpha',
    );
  });

  test('has collapsed tree rows, and no icon letter joined to a name', () => {
    const row = (id: string, name: string, opener: string, style = '') =>
      `<tr id="${id}"${style}><td>${opener}<span class="icon">N</span><a href="${name}.html">${name}</a></td><td>About ${name} here</td></tr>`;
    const opener = '<span onclick="toggle()">►</span>';
    const closed = ' style="display:none;"';
    const rows = [
      row('row_0_', 'Alpha', opener),
      row('row_0_0_', 'Beta', opener, closed),
      row('row_0_0_0_', 'Gamma', '', closed),
      row('row_1_', 'Delta', ''),
      row('row_2_', 'Secret', '', closed),
    ];
    const levels =
      '<div class="levels">[detail level <span onclick="open(1)">1</span><span onclick="open(2)">2</span>]</div>';
    const text = textOf(`<h1>Classes</h1><p>All of them:</p>${levels}<table>${rows.join('')}</table>`);
    expect(text).not.toContain('detail level');
    for (const name of ['Alpha', 'Beta', 'Gamma', 'Delta']) {
      expect(text).toContain(`| [${name}](https://docs.example/${name}.html) | About ${name} here |`);
    }
    expect(text).not.toContain('Secret');
  });
});

test('a declaration is kept even if its id is also a name of navigation', () => {
  const constant = (name: string) =>
    `<div id="${name}"><dt><pre><a href="posix.html#${name}">${name}</a> = 4'i32</pre></dt><dd>&nbsp;</dd></div>`;
  const markdown = page(`<dl class="item">${['PC_NAME_MAX', 'PC_PATH_MAX', 'next'].map(constant).join('')}</dl>`);
  expect(markdown).toContain("PC_PATH_MAX = 4'i32");
  expect(markdown).toContain("next = 4'i32");
});

test('checkboxes show their state in task lists and tables', () => {
  const item = (inner: string) => `<li class="task-list-item">${inner}</li>`;
  const done = item('<input type="checkbox" disabled checked/> Done');
  const open = item('<p><label><input type="checkbox" disabled=""><span></span></label>Open</p>');
  const table = '<table><tr><th>HTTP/2</th></tr><tr><td><input checked disabled type=checkbox></td></tr></table>';
  const markdown = page(`<ul>${done}${open}${item('<input type="checkbox">Said')}</ul>${table}`);
  expect(markdown).toContain('- [x] Done\n- [ ] Open\n- Said');
  expect(markdown).toContain('| [x] |');
});

test('the file name above numbered code is kept', () => {
  const head = '<tr><th colspan="2" class="filename"><span class="filename">conf.py</span></th></tr>';
  const code = '<tr><td class="linenos"><pre>1\n2</pre></td><td class="code"><pre>a = 1\nb = 2</pre></td></tr>';
  expect(page(`<table class="highlighttable">${head}${code}</table>`)).toContain('conf.py\n\n```\na = 1\nb = 2\n```');
});

test('notes on marked code lines are a numbered list, even if laid out as rows', () => {
  const row = (number: number, text: string) =>
    `<tr><td><i class="conum" data-value="${number}"></i><b>${number}</b></td><td>${text}</td></tr>`;
  const notes = (rows: string) => page(`<div class="colist arabic"><table>${rows}</table></div>`);
  expect(notes(row(1, 'Get the <code>logger</code>.'))).toContain('1. Get the `logger`.');
  expect(notes(row(1, 'Get it.') + row(2, 'Log | stop.'))).toContain('1. Get it.\n2. Log | stop.');
});

test('Scaladoc 3: each member is a term with its name and anchor, and its comment appears once', () => {
  const sign =
    '<span class="kind">def </span><a class="documentableName" href="#map-f7">map</a>[A, B](f: A =&gt; B): F[B]';
  const brief = '<div class="documentableBrief doc"><p>Applies f.</p></div>';
  const docs = `${brief}<div class="cover"><div class="doc"><p>Applies f.</p><p>More.</p></div></div>`;
  const head = `<div class="documentableElement-expander"><div class="header"><div class="signature">${sign}</div></div></div>`;
  const member = `<div class="documentableElement" id="map-f7">${head}<div class="docs"><div class="memberDocumentation">${docs}</div></div></div>`;
  expect(blocksOf(`<title>F</title><h1>F</h1>${filler}${member}`).slice(-3)).toMatchObject([
    { type: 'term', markdown: '`def map[A, B](f: A => B): F[B]`', anchor: 'map-f7', identifiers: ['map'] },
    { markdown: 'Applies f.' },
    { markdown: 'More.' },
  ]);
});

describe('a page with an article or #content as one part', () => {
  const inner = `<h4 id="Queue">new Queue(options)</h4>${filler}`;
  const head = '<section><header><h2>queues~Queue</h2><div>What a queue is.</div></header>';

  test.each([
    `<div id="main"><h1>Class: Queue</h1>${head}<article>${inner}</article></section></div>`,
    `<nav><h2><a href="/">Home</a></h2></nav><div><header><p>Class</p><h1>Queue</h1></header>${head}<article>${inner}<h1>Methods</h1></article></section></div>`,
  ])('JSDoc: the title above the article and the description below it are kept: %#', (body) => {
    const text = markdownOf(`<title>JSDoc: Class: Queue</title><body>${body}</body>`);
    expect(text).toMatch(/Queue\n\nqueues\\?~Queue\n\nWhat a queue is\.\n\nnew Queue/);
  });

  test('keeps the text above the only article of a list', () => {
    const html = `<title>Tag</title><body><h1>Site</h1><main><header><h1>One post</h1><p>What the tag is about.</p><a href="/tags">All tags</a></header><article><h2>Post</h2>${filler}</article></main></body>`;
    expect(markdownOf(html)).toMatch(/^One post\n\nWhat the tag is about\./);
  });

  test('does not use the site name in the banner as title of the article', () => {
    const html = `<title>Page</title><body><header><h1>Site</h1><a href="/">Home</a></header><article><h2>Page</h2>${filler}</article></body>`;
    expect(markdownOf(html)).toMatch(/^Page\n/);
  });

  test('Scaladoc 2: the packages beside a page are left out, and its members are entries', () => {
    const member = (name: string) =>
      `<li><a id="${name}(a:A):B"></a> <span class="permalink"><a href="Chain.html#${name}"></a></span> <span class="modifier_kind">final def</span> <span class="symbol"><span class="name">${name}</span>(a: <a href="A.html" id="lib.A">A</a>): B</span><p class="shortcomment">What ${name} does.</p></li>`;
    const html = `<title></title><body><div id="packages"><h1>Packages</h1><ul><li><a href="../index.html">lib</a><p>All types of it, with what they are there for.</p></li></ul></div><div id="content"><body class="class type"><div id="definition"><h1>Chain</h1></div><h4 id="signature" class="signature">class <span class="symbol">Chain</span></h4>${filler}<h3>Value Members</h3><ol>${member('append')}${member('concat')}</ol></div></body>`;
    const { title, blocks } = extractHtml(html, { url });
    expect(title).toBe('Chain');
    expect(blocks.map(({ markdown }) => markdown).join('\n')).not.toContain('All types');
    const at = blocks.findIndex(({ type }) => type === 'term');
    expect(blocks[at]).toMatchObject({
      markdown: '`final def append(a: A): B`',
      anchor: 'append(a:A):B',
      identifiers: ['append'],
      span: 1,
    });
    expect(blocks[at + 1]?.markdown).toBe('What append does.');
  });
});

describe('Dokka', () => {
  test('a page of nothing but a declaration, whose types are links, keeps it', () => {
    const types = '<a href="l.html">List</a><span class="token operator">&lt;</span><a href="b.html">CodeBlock</a>';
    const symbol = `<div class="symbol monospace"><span class="token keyword">val </span><a href="p.html">constructorParameters</a><span class="token operator">: </span>${types}</div>`;
    const cover = '<div class="cover"><h1><span>constructor</span><span>Parameters</span></h1></div>';
    const html = `<title>constructorParameters</title><body><div id="main"><div class="main-content" id="content">${cover}<div class="platform-hinted"><div class="content sourceset-dependent-content" data-togglable="jvm">${symbol}</div></div></div></div>`;
    expect(markdownOf(html)).toContain('val constructorParameters: List<CodeBlock');
  });

  const symbol = (code: string) =>
    `<div class="symbol monospace"><span class="token keyword">${code} </span><a href="index.html">Message</a><span class="token operator">: </span><a href="any.html">Any</a></div>`;
  const platforms = (name: string) =>
    `<div class="platform-hinted with-platform-tabs"><div class="platform-bookmarks-row"><button data-toggle=":lib/js">js</button><button data-toggle=":lib/jvm">jvm</button></div><div class="content" data-togglable=":lib/js">${symbol(`expect ${name}`)}</div><div class="content" data-togglable=":lib/jvm">${symbol(`actual ${name}`)}</div></div>`;
  const member =
    '<div class="table"><a id="12%2FFunctions%2F3"></a><div class="table-row"><div class="main-subrow keyValue"><div><span class="inline-flex"><div><a href="encode.html">encode</a></div><span class="anchor-wrapper"><div class="copy-popup-wrapper"><span>Link copied to clipboard</span></div></span></span></div><div><div class="title">' +
    `${platforms('fun')}<div class="brief"><p>Writes it.</p></div></div></div></div></div></div>`;
  const blocks = blocksOf(
    `<title>Message</title><div id="content"><div class="cover"><h1>Message</h1>${platforms('class')}</div><h2>Functions</h2>${filler}${member}</div>`,
  );

  test('declarations are code under each platform’s name, even if they consist of links', () => {
    expect(blocks.slice(1, 5).map(({ markdown }) => markdown)).toEqual([
      '**js**',
      '```\nexpect class Message: Any\n```',
      '**jvm**',
      '```\nactual class Message: Any\n```',
    ]);
  });

  test('a member is an entry with its anchor, and its description is not a title', () => {
    const at = blocks.findIndex(({ type }) => type === 'term');
    expect(blocks[at]).toMatchObject({
      markdown: '`encode`',
      anchor: '12%2FFunctions%2F3',
      identifiers: ['encode'],
      span: 5,
    });
    expect(blocks.at(-1)?.markdown).toBe('Writes it.');
  });
});

describe('TypeDoc', () => {
  const anchor = '<a href="#x" class="tsd-anchor-icon"></a>';
  const html = `<title>Queue</title><h1>Variable MAX_SIZE<code class="tsd-tag">Const</code></h1>${filler}<h4 class="tsd-anchor-link" id="example">Example${anchor}</h4><p>One.</p><section class="tsd-panel tsd-member"><h3 class="tsd-anchor-link" id="length"><code class="tsd-tag">Readonly</code><span>length</span></h3><h4>Returns Promise&lt;boolean&gt;</h4><p>Two.</p></section>`;
  const { title, blocks } = extractHtml(html, { url });

  test('a label beside a name is a separate word and not a name', () => {
    expect(title).toBe('Variable MAX_SIZE Const');
    expect(blocks.find(({ anchor: id }) => id === 'length')).toMatchObject({
      markdown: '`Readonly` length',
      identifiers: ['length'],
    });
  });

  test('section titles and result types are not names', () => {
    const names = blocks.filter(({ type }) => type === 'heading').map(({ identifiers = [] }) => identifiers);
    expect(names).toEqual([['MAX_SIZE'], [], ['length'], []]);
  });
});

test('the name and the text of a VitePress home page are separated', () => {
  const html = `<title>Queues</title><main><h1 class="heading"><span class="name clip">Queues</span><span class="text">Bounded queues for everyone</span></h1><p>Drop what does not fit</p></main>`;
  expect(extractHtml(html, { url }).title).toBe('Queues Bounded queues for everyone');
  expect(markdownOf(html)).toMatch(/^Queues Bounded queues/);
});

test('Crystal: a link with a tooltip is text, however short its name', () => {
  const html = '<p><a href="A.html#dup" class="tooltip"><span>dup</span></a>, <a href="#" class="copy">copy</a> b</p>';
  expect(page(html)).toMatch(/\n\n\[dup\]\(https:\/\/docs\.example\/A\.html#dup\), b$/);
});

test('Nim: the theme switch and the search field are left out', () => {
  const html =
    '<div class="theme-switch-wrapper"><label for="c"><input type="checkbox" id="c"></label> <em>Dark Mode</em></div><div id="searchInputDiv">Search: <input type="text"></div><p>Last.</p>';
  expect(page(html)).not.toMatch(/Dark|Search/);
});

test('a heading inside its permalink is a heading (DocC, VuePress 2)', () => {
  const html = '<h2 id="over"><a class="header-anchor" href="#over"><span>Overview</span></a></h2><p>Last.</p>';
  expect(blocksOf(`<title>T</title><h1>T</h1>${filler}${html}`).at(-2)).toMatchObject({
    type: 'heading',
    markdown: 'Overview',
    anchor: 'over',
  });
});

test('Scaladoc 3: declarations of which nearly all is links are kept', () => {
  const link = (name: string) => `<a href="${name}.html" t="t">${name}</a>`;
  const member = `<div class="documentableElement" id="eqForMap-5d4"><div class="header monospace"><div class="signature"><span>def </span>${link('eqForMap')}[K]: ${link('Eq')}[${link('SortedMap')}]</div></div></div>`;
  const cover = `<div class="cover-header"><h1 class="h600">sortedMap</h1></div><div class="main-signature"><div class="signature"><span>trait </span>${link('sortedMap')} extends ${link('SortedMapInstances')}</div></div>`;
  const html = `<title>sortedMap</title><div id="content"><div>${cover}<div class="doc">${filler.repeat(9)}</div></div><div>${member.repeat(9)}</div></div>`;
  expect(markdownOf(html)).toContain('```scala\ntrait sortedMap extends SortedMapInstances\n```');
  expect(markdownOf(html)).toContain('`def eqForMap[K]: Eq[SortedMap]`');
});

test('Scaladoc 3: members that stand in tabs of a row of the same name are kept', () => {
  const html = `<div class="tabs"><div class="names"><button class="tab" data-togglable="A">Members</button></div><div class="contents"><div class="membersList"><div class="tab" data-togglable="A"><section><p>What a member does.</p></section></div></div></div></div>`;
  expect(page(html)).toMatch(/What a member does\.$/);
});

test('an entry keeps its end if the title of a removed table of contents was inside it', () => {
  const html =
    '<dl><dt>size</dt><dd><p>Counts.</p><h3>Contents</h3><ul><li><a href="#a">A</a></li></ul></dd></dl><h2>Next</h2><p>Text of it.</p>';
  const { blocks } = extractHtml(html, { url: 'https://x.example/a' });
  expect(blocks.map(({ type, span }) => [type, span])).toEqual([
    ['term', 1],
    ['paragraph', undefined],
    ['heading', undefined],
    ['paragraph', undefined],
  ]);
});

test('mandoc: names of entries and commands inside their permalinks are kept', () => {
  const link = (id: string, name: string) => `<a class="permalink" href="#${id}">${name}</a>`;
  const terms = `<dt id="a">${link('a', '<code>-a</code>')}</dt><dd>All.</dd><dt id="I">${link('I', '<code>-I</code>')} <var>dir</var></dt><dd>Here.</dd><dt id="v">${link('x~2', '<b>\\?</b>')}</dt><dd>Mark.</dd>`;
  const blocks = blocksOf(
    `<title>T</title><h1>T</h1>${filler}<dl>${terms}</dl><p>A word.<a class="permalink" href="#p">Link</a></p>`,
  );
  const named = blocks.filter(({ type }) => type === 'term');
  expect(named.map(({ markdown, identifiers }) => [markdown, identifiers])).toEqual([
    ['`-a`', ['-a']],
    ['`-I` dir', ['-I']],
    ['\\\\?', undefined],
  ]);
  expect(blocks.at(-1)?.markdown).toBe('A word.');
});

describe('declarations laid out by a style sheet', () => {
  const types = blocksOf(
    `<h1>T</h1>${filler}<section class="multi-line-signature"><span class="returntype">String</span> <span class="name">pretty</span>(<wbr><ol class="parameter-list"><li>Node node, </li><li>{int depth}</li></ol>)</section>`,
  );
  test.each([
    ['dartdoc', types.at(-1)?.markdown, '```dart\nString pretty(Node node, {int depth})\n```'],
    [
      'Natural Docs',
      page(
        '<div class="NDPrototype"><div>float root(</div><div>float&nbsp;</div><div>x,</div><div>int&nbsp;</div><div>n</div><div>)</div></div>',
      ),
      '```\nfloat root(float x, int n)\n```',
    ],
    [
      'adrdox',
      page(
        '<div class="function-prototype"><div>auto </div><div>fold</div><div>(<div>T seed</div>, <div>int n</div>)</div></div>',
      ),
      '```d\nauto fold(T seed, int n)\n```',
    ],
  ])('%s: one code block', (_, markdown, expected) => {
    expect(markdown?.endsWith(expected)).toBe(true);
  });
});

test('pydoctor: a member is an entry with its name and anchor, and its parameters follow it', () => {
  const member = (kind: string, name: string, declared: string) =>
    `<div class="base${kind}"><a name="app.Shelf.${name}"> </a><a name="${name}"> </a><div class="functionHeader">${declared} <a class="sourceLink" href="https://x.example/app.py">(source)</a> <a class="headerLink" href="#${name}" title="app.Shelf.${name}">¶</a></div><div class="docstring functionBody"><div><p>Says how many.</p></div></div></div>`;
  const count =
    '<span class="py-keyword">def</span>&#160;<span class="py-defname">count</span><span class="function-signature">(<span class="rst-sig-param">self, </span><span class="rst-sig-param">kind: <code>str</code></span>) -&gt; <code>int</code>:</span>';
  const blocks = blocksOf(
    `<main><h1>app.Shelf</h1><div id="child-list">${member('method', 'count', count)}${member('classvariable', 'max_count', '<span class="py-defname">max_count</span> = ')}</div></main>`,
  );
  const terms = blocks.filter(({ type }) => type === 'term');
  expect(terms.map(({ markdown, anchor, identifiers }) => [markdown, anchor, identifiers?.[0]])).toEqual([
    ['`def count(self, kind: str) -> int:`', 'count', 'count'],
    ['`max_count =`', 'max_count', 'max_count'],
  ]);
});

test('dartdoc: a member is found by its name, not by its type, and its features are separate words', () => {
  const member = `<dl><dt id="controller"><span class="name"><a href="c.html">controller</a></span> <span class="signature">&#8594; <a href="t.html">TabController</a></span></dt><dd>The state. <a href="c.html">[...]</a><div><span class="feature">no setter</span><span class="feature">inherited</span></div></dd></dl>`;
  const blocks = blocksOf(`<h1>T</h1>${filler}${member}`).slice(-3);
  expect(blocks.map(({ markdown }) => markdown)).toEqual([
    'controller → TabController',
    'The state.',
    'no setter inherited',
  ]);
  expect(blocks[0]?.identifiers).toEqual(['controller']);
});

test('a column with only titles, links and a breadcrumb is left out, wherever it is', () => {
  const column = (inner: string) => `<div class="x-sidebar">${inner}</div>`;
  const menu = column('<ol class="breadcrumbs"><li>toString method</li></ol><h5>Button class</h5>');
  expect(page(menu)).not.toContain('Button');
  const links = '<h2>Namespaces</h2><h3><a href="a.html">A name that is long</a></h3>'.repeat(9);
  const short = `<main><aside class="x-sidebar">${links}</aside><h2>Deprecated</h2><p>No deprecated elements have been found in this project.</p></main>`;
  expect(markdownOf(short)).toBe('Deprecated\n\nNo deprecated elements have been found in this project.');
  expect(page(column('<h5>Tip</h5><p>Close it.</p>'))).toContain('Close it.');
});

test('phpDocumentor: a page is named by its heading if the document title is only "Documentation"', () => {
  const html = `<title>Documentation</title><h2>Shipment</h2><p>What it is.</p>`;
  expect(extractHtml(html, { url }).title).toBe('Shipment');
});

test('sdoc: a method is an entry with its declaration and name, without its source switch', () => {
  const method = (id: string, name: string) =>
    `<div class="method"><div class="title method-title" id="method-i-${id}"><b>${name}</b> <a href="A.html#x" class="permalink">Link</a></div><div class="description"><p>Does ${id}.</p></div><p class="source-link">Source: <a href="#s">show</a></p></div>`;
  const blocks = blocksOf(`<h1>T</h1>${filler}${method('close', 'close')}${method('path', 'path')}`).slice(-4);
  expect(blocks.map(({ markdown, span, identifiers }) => [markdown, span, identifiers])).toEqual([
    ['`close`', 1, ['close']],
    ['Does close.', undefined, undefined],
    ['`path`', 1, ['path']],
    ['Does path.', undefined, undefined],
  ]);
});

test('RDoc: an arrow that links to the top is not part of a heading', () => {
  expect(page('<h2 id="s">Use<span><a href="#s">&para;</a> <a href="#top">&uarr;</a></span></h2><p>So.</p>')).toMatch(
    /\n\nUse\n\nSo\.$/,
  );
});

test('Natural Docs: the name of an entry is a heading', () => {
  const entry = '<div class="CTopic TFunction"><div class="CTitle">findRoot</div><p>Finds it.</p></div>';
  expect(blocksOf(`<h1>T</h1>${filler}${entry}`).at(-2)).toMatchObject({ type: 'heading', identifiers: ['findRoot'] });
});

test('pkgdown: the "See also" links are kept', () => {
  const html =
    '<h2>See also</h2><div class="dont-index"><p><code><a href="b.html">fn_fmls()</a></code></p></div><p>So.</p>';
  expect(page(html)).toContain('fn_fmls()');
});

test('tab labels beside their section title are put before their panels', () => {
  const tabs = '<ul role="tablist"><li role="tab">200</li><li role="tab">404</li></ul>';
  const panels = '<div role="tabpanel"><p>The pet.</p></div><div role="tabpanel" hidden><p>Nothing.</p></div>';
  const html = `<div><div><h2>Responses</h2><div>${tabs}</div></div><div>${panels}</div></div>`;
  expect(page(html)).toMatch(/\n\nResponses\n\n\*\*200\*\*\n\nThe pet\.\n\n\*\*404\*\*\n\nNothing\.$/);
});

describe('Nim', () => {
  test('links loose in a definition list become one line of text', () => {
    const html = '<h2>Imports</h2><dl class="item"><a href="since.html">since</a>, <a href="os.html">os</a></dl>';
    expect(page(html)).toContain('[since](https://docs.example/since.html), [os](https://docs.example/os.html)');
  });

  test('the title above the content is the title of the page', () => {
    const inner = `<div id="content">${filler}<h1>Procs</h1>${filler}${filler}</div>`;
    const html = `<title>std/os</title><div class="container"><h1 class="title">std/os</h1><div>Menu</div>${inner}</div>`;
    expect(extractHtml(html, { url }).title).toBe('std/os');
  });

  test('a line of related pages above the first heading stays', () => {
    const related = ['db_postgres', 'db_sqlite', 'db_mysql'].map((name) => `<a href="${name}.html">${name}</a>`);
    const lead = `<p>See also: ${related.join(', ')}.</p>`;
    expect(markdownOf(`<title>T</title><main>${filler}${lead}<h1>T</h1>${filler}</main>`)).toContain('See also:');
  });
});

test('the foot of a card stays', () => {
  expect(page('<div class="sd-card"><p>Body.</p><div class="sd-card-footer"><p>Foot.</p></div></div>')).toContain(
    'Foot.',
  );
});

test('a link to a type named Source is not a link to source code', () => {
  const link = '<a href="../-source/index.html">Source</a>';
  expect(page(`<p>Reads from ${link} until the end.</p>`)).toContain('from [Source](');
});

describe('headings whose text is left out', () => {
  const list = (...names: string[]) =>
    `<div class="tsd-index-list">${names.map((name) => `<a href="#${name}" class="tsd-index-link">${name}</a>`).join('')}</div>`;

  test('TypeDoc: the titles in the index of members are left out with its links', () => {
    const group = (title: string, names: string[]) =>
      `<section class="tsd-index-section"><h3 class="tsd-index-heading">${title}</h3>${list(...names)}</section>`;
    const index = `<section class="tsd-panel tsd-index-content"><details class="tsd-accordion"><summary><h5 class="tsd-index-heading">Index</h5></summary><div>${group('Properties', ['size'])}${group('Methods', ['get', 'set'])}</div></details></section>`;
    expect(page(`${index}<h2>Properties</h2><h3 id="size">size</h3><p>The count.</p>`)).toMatch(
      /length\.\n\nProperties\n\nsize\n\nThe count\.$/,
    );
  });

  test('a heading that was empty before stays, as does one before a menu outside its section', () => {
    const body = '<div><h2>Later</h2></div><h2>Notes</h2><section><h3>Status</h3></section>';
    const menu = '<nav><a href="a.html">Next page</a></nav>';
    expect(page(body + menu)).toMatch(/Later\n\nNotes\n\nStatus$/);
  });

  test('a heading above a picture or text beside a menu stays', () => {
    const menu = '<nav><a href="a.html">One</a></nav>';
    expect(page(`<h2>Plan</h2>${menu}<p><img src="a.png" alt="The plan"></p><h2>More</h2>${menu}Text.`)).toMatch(
      /Plan\n\nThe plan\n\nMore\n\nText\.$/,
    );
  });
});

test('TypeDoc and Doxygen: the line of the source is left out, what a member is inherited from stays', () => {
  const typedoc =
    '<aside class="tsd-sources"><p>Inherited from <a href="B.html">B</a></p><ul><li>Defined in <a href="https://git.example/a.ts#L6">a.ts:6</a></li></ul></aside>';
  const doxygen =
    '<p class="definition">Definition at line <a href="a_8h_source.html#l00004">4</a> of file <a href="a_8h_source.html">a.h</a>.</p>';
  expect(page(`${typedoc}${doxygen}`)).toMatch(/length\.\n\nInherited from \[B\]\([^)]*\)$/);
  expect(page('<p class="a">Defined in a file.</p>')).toMatch(/Defined in a file\.$/);
});

test.each(['center', 'div'])('a title alone in a %s is not the page if the rest are links', (name) => {
  const row = (title: string) => `<tr><td><a href="${title}.html">${title}</a></td></tr>`;
  const html = `<title>All names</title><${name}><h1>All names</h1></${name}><table>${['map', 'set', 'list'].map(row).join('')}</table>`;
  expect(markdownOf(html)).toMatch(/^All names\n\n[^]*\bmap\b[^]*\bset\b[^]*\blist\b/);
});

test('a page keeps its text if it quotes settings of Docsify, or has more than a notice beside them', () => {
  expect(markdownOf('<p>Set <code>window.$docsify = {}</code>.</p>')).toContain('Set');
  const script = '<script>window.$docsify = {}</script>';
  expect(markdownOf(`<h1>Tool</h1><p>What it is.</p><p>Where it runs.</p>${script}`)).toContain('Where it runs.');
  expect(markdownOf(`<div>Loading</div>${script}`)).toBe('');
});
