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

  test('code in rows of a table is a block of code with its indentation', () => {
    const inner = code(
      row('<span class="stt">&gt; </span><span class="RktPn">(</span><span class="RktSym">map</span>') +
        row('<span class="hspace">&nbsp;&nbsp;</span><span class="RktSym">add1</span><span class="RktPn">)</span>'),
    );
    const html = `<blockquote class="SCodeFlow">${code(row(inner) + row('') + row("<p><span class='RktRes'>'(1 2)</span></p>"))}</blockquote>`;
    expect(page(html)).toContain("```racket\n> (map\n  add1)\n\n'(1 2)\n```");
  });

  test('verbatim text is code without a language', () => {
    const html = `<table class="SVerbatim">${row('<p><span class="stt">a</span></p>')}${row('<p><span class="hspace">&nbsp;&nbsp;</span>b</p>')}</table>`;
    expect(page(html)).toContain('```\na\n  b\n```');
  });

  test('a definition is a section of its own with its name, its contracts as code', () => {
    const label = '<div class="RBackgroundLabel"><div class="RBackgroundLabelInner"><p>procedure</p></div></div>';
    const prototype = `<p class="RForeground"><span class="RktPn">(</span><a name="(def._pair~3f)"></a><span class="RktSym"><a href="#x" class="RktValDef RktValLink">pair?</a></span><span class="hspace">&nbsp;</span><span class="RktVar">v</span><span class="RktPn">)</span></p>`;
    const box = `<blockquote class="SVInsetFlow"><table class="boxed RBoxed">${row(`<blockquote class="SubFlow">${label}${prototype}</blockquote>`)}${row('<span class="hspace">&nbsp;&nbsp;</span>v : any/c')}</table></blockquote><p>Whether v is a pair.</p>`;
    const blocks = blocksOf(`<title>T</title><h1>T</h1>${filler}${box}`);
    const at = blocks.findIndex(({ markdown }) => markdown === '`(pair? v)`');
    expect(blocks[at]).toMatchObject({ type: 'heading', anchor: '(def._pair~3f)', identifiers: ['pair?'] });
    expect(blocks[at + 1]).toMatchObject({ type: 'code', markdown: '```racket\n  v : any/c\n```' });
    expect(blocks[at + 2]?.markdown).toBe('Whether v is a pair.');
  });

  test('the column of contents is left out of a short page, and its text kept', () => {
    const links = Array.from(
      { length: 40 },
      (_, at) => `<tr><td>${at}&nbsp;</td><td><a href="p${at}.html">Chapter ${at}</a></td></tr>`,
    );
    const html = `<title>T</title><body><div class="tocset"><table>${links.join('')}</table></div><div class="maincolumn"><div class="main"><h4>2.3<tt>&nbsp;</tt>Short</h4><p>The only sentence.</p></div></div></body>`;
    expect(markdownOf(html)).toBe('2.3 Short\n\nThe only sentence.');
  });
});

test('a table whose cells are all links is kept with its caption', () => {
  const rows = ['bash', 'dash', 'zsh']
    .map((name) => `<tr><td><a href="/${name}">${name}</a></td><td><a href="/s/${name}">12</a></td></tr>`)
    .join('');
  const html = `<div class="table"><p class="title"><strong>Table 1. Shells</strong></p><div class="table-contents"><table><thead><tr><th>package</th><th>size</th></tr></thead><tbody>${rows}</tbody></table></div></div>`;
  expect(page(html)).toContain('| [dash](https://docs.example/dash) | [12](https://docs.example/s/dash) |');
});

test('an admonition that DocBook lays out as a table is one', () => {
  const html =
    '<div class="note"><table border="0"><tr><td rowspan="2"><img alt="[Note]" src="note.png"/></td><th align="left">Note</th></tr><tr><td><p>Read this first.</p></td></tr></table></div>';
  expect(page(html)).toMatch(/> \*\*Note\*\*\n>\n> Read this first\.$/);
});

test('a declaration whose types are all links is kept', () => {
  const html =
    '<div class="top"><p class="src"><a id="v:headS" class="def">headS</a> :: <a href="M.html#t">Monad</a> m => <a href="S.html#t">StreamConsumer</a> a m (<a href="B.html#t">Maybe</a> a)</p></div>';
  expect(page(html)).toContain('`headS :: Monad m => StreamConsumer a m (Maybe a)`');
});

test("Doxygen's members are entries of their own, with their template, and a class has its own name", () => {
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
  ['<title>Manual: Section 4.33</title><body><h2>4.33 Printing messages</h2>', '4.33 Printing messages'],
  ['<title>GAP (ref) - Chapter 17: Rationals</title><body><h3>17 <span>Rationals</span></h3>', '17 Rationals'],
  [
    '<title>Reference</title><body><div id="main"><div id="navigation"><br><h1>Penlight</h1><ul><li><a href="/a">pl.comprehension</a></ul>' +
      '<h2>Libraries</h2><ul><li><a href="/b">pl.import_into</a><li><a href="/c">pl.OrderedMap</a></ul></div><div id="content"><h1>Class pl.Date</h1>',
    'Class pl.Date',
  ],
])('a title says what the page is about: %s', (start, expected) => {
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
])('formulas keep their sense: %s', (html, expected) => {
  expect(page(`<p>Here ${html} stands.</p>`)).toContain(`Here ${expected} stands.`);
});
