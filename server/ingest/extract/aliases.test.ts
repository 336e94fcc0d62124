import { expect, test } from 'vitest';
import type { Snippet } from '../../engine/types.ts';
import { splitDocument } from '../split/index.ts';
import { extractHtml } from './extract-html.ts';

const url = 'https://docs.example/attr/init.html';
const filler = '<p>Text of the section that is long enough to be read as text by itself.</p>'.repeat(8);

test("a section is found by its author's label and by the id of its title", () => {
  const html = `<title>Init</title><div class="body"><section id="init"><h1>Init<a class="headerlink" href="#init">#</a></h1>${filler}
<section id="private-attributes-and-aliases"><span id="private-attributes"></span><h2>Private attributes and aliases<a class="headerlink" href="#private-attributes-and-aliases">#</a></h2>${filler}</section></section></div>`;
  const document = extractHtml(html, { url });
  expect(document.blocks.find(({ markdown }) => markdown === 'Private attributes and aliases')).toMatchObject({
    anchor: 'private-attributes-and-aliases',
    aliases: ['private-attributes'],
  });
  const snippets = splitDocument(document, { url });
  const sections = snippets.flatMap(({ sections: shared = [] }) => shared);
  const alias = sections.find(({ aliases }) => aliases?.includes('private-attributes'));
  expect(alias).toMatchObject({
    anchor: 'private-attributes-and-aliases',
    headingPath: expect.arrayContaining(['Private attributes and aliases']),
  });
});

test('ids within a text lead to their passage and do not change the anchor of what follows', () => {
  const html = `<title>json</title><dl>
<div id="{},JsonNode"><dt><pre>proc {}(node)</pre></dt><dd><p>Makes nodes on the fly (called <span id="autovivification_1">autovivification</span>).</p>${filler}</dd></div>
<div id="parseFile,string"><dt><pre>proc parseFile(name)</pre></dt><dd><p>Parses a file.</p>${filler}</dd></div></dl>`;
  const snippets = splitDocument(extractHtml(html, { url }), { url });
  expect(snippets.map(({ anchor, places }) => [anchor, places])).toEqual([
    ['{},JsonNode', ['autovivification_1']],
    ['parseFile,string', undefined],
  ]);
});

test('each of several ids before a text leads to it', () => {
  const html = `<h2>Global</h2>${filler.repeat(4)}<a name="chroot"></a><a name="3.1-chroot"></a><div><a name="chroot (Global)"></a>chroot</div>${filler.repeat(4)}`;
  expect(namesOf(splitDocument(extractHtml(html, { url }), { url }))).toEqual(
    expect.arrayContaining(['chroot', '3.1-chroot', 'chroot (Global)']),
  );
});

const words =
  'says at some length what it does, when it is called and what for, so that no two of them share a passage';
const entries = Array.from({ length: 40 }, (_, at) => `entry${at} ${words}`);
const each = (entry: (text: string, at: number) => string) => entries.map(entry).join('');
const inTable = (rows: string) => `<table><tr><th>Name</th><th>Text</th></tr>${rows}</table>`;
const inRemark = (body: string) => `<div class="admonition note"><p>Note</p>${body}</div>`;

test.each([
  ['items of a list', `<ul>${each((text, at) => `<li id="at-${at}"><p>${text}</p></li>`)}</ul>`],
  ['items in items', `<ul><li>All<ol>${each((text, at) => `<li><a id="at-${at}"></a>${text}</li>`)}</ol></li></ul>`],
  ['rows', inTable(each((text, at) => `<tr id="at-${at}"><td>n</td><td>${text}</td></tr>`))],
  [
    'words in cells',
    inTable(each((text, at) => `<tr><td>n</td><td><p>A <b><a name="at-${at}">word</a></b> ${text}</p></td></tr>`)),
  ],
  [
    'rows of a table that only lays out',
    `<table role="presentation">${each((text, at) => `<tr><td><a id="at-${at}"></a>n</td><td>${text}</td></tr>`)}</table>`,
  ],
  [
    'cells of a grid',
    `<div class="summary-table"><div class="table-header">Name</div><div class="table-header">Text</div>${each((text, at) => `<div><a id="at-${at}">n</a></div><div>${text}</div>`)}</div>`,
  ],
  ['paragraphs of a quotation', `<blockquote>${each((text, at) => `<p id="at-${at}">${text}</p>`)}</blockquote>`],
  ['words of a remark', inRemark(each((text, at) => `<p><span><em id="at-${at}">A</em></span> ${text}</p>`))],
  ['terms of a remark', inRemark(`<dl>${each((text, at) => `<dt id="at-${at}">${text}</dt><dd>It is so.</dd>`)}</dl>`)],
  ['lines of code', `<pre>${each((text, at) => `<span id="at-${at}"></span>${text}\n`)}</pre>`],
  [
    'each of several ids of a term',
    `<dl>${each((text, at) => `<dt id="term${at}"><span id="old${at}"></span><b><i id="at-${at}">n${at}</i></b></dt><dd>${text}</dd>`)}</dl>`,
  ],
  ['references to notes', each((text, at) => `<p>${text} <a href="#x"><sup id="at-${at}">[1]</sup></a></p>`)],
  ['what shows nothing', each((text, at) => `<div id="at-${at}"><img src="x.png"></div><p>${text}</p>`)],
])('every id leads to the passage with the marked text: %s', (_name, html) => {
  const snippets = splitDocument(extractHtml(`<h1 id="top-of-all">All</h1>${filler}${html}`, { url }), { url });
  for (const at of entries.keys()) {
    const found = snippets.filter((snippet) => namesOf([snippet]).includes(`at-${at}`));
    expect(found.map(({ text }) => text)).toEqual([expect.stringContaining(`entry${at} `)]);
  }
});

test('a passage keeps a limited number of ids', () => {
  const ids = Array.from({ length: 5000 }, (_, at) => `<a id="x${at}"></a>`).join('');
  const html = `${ids}<h2>Two</h2><p>One ${ids}text.</p>${filler}`;
  expect(namesOf(splitDocument(extractHtml(html, { url }), { url })).length).toBeLessThan(1500);
});

/** Returns all ids by which passages are found. */
function namesOf(snippets: Snippet[]): string[] {
  return snippets.flatMap(({ anchor, sections = [], places = [] }) => [
    ...new Set([anchor, ...sections.flatMap((section) => [section.anchor, ...(section.aliases ?? [])]), ...places]),
  ]);
}

test.each([
  ['behind the text of a paragraph', '<p>Set the variable.\n<span id="index-LC_005fCOLLATE"></span>\n</p>'],
  ['before a paragraph', '<a id="index-LC_005fCOLLATE"></a><p>Set the variable.</p>'],
  ['within a paragraph', '<p>Set the<a id="idx:collate1:13"></a> <code>variable</code>.</p>'],
  ['made anew by each build', '<p><a id="idm4592"></a>Set the variable.</p>'],
])('an index mark is not the address of a section: %s', (_name, marked) => {
  const html = `<h1>R</h1>${filler}<h2 id="Testing">Testing</h2>${filler.repeat(4)}${marked}<pre>example()</pre>${filler.repeat(4)}`;
  const anchors = splitDocument(extractHtml(html, { url }), { url }).map(({ anchor }) => anchor);
  expect(new Set(anchors)).toEqual(new Set(['', 'Testing']));
});

test('an index mark is the address if there is no other, and an id after a text belongs to the next heading', () => {
  const html = `Some text.<a name="next"></a><h2>Next</h2>${filler.repeat(5)}`;
  expect(
    extractHtml(html, { url })
      .blocks.map(({ anchor }) => anchor)
      .slice(0, 2),
  ).toEqual([undefined, 'next']);
  const marked = `<p>The <a name="idx:a"></a>text.</p>${filler.repeat(5)}`;
  expect(splitDocument(extractHtml(marked, { url }), { url })[0]?.anchor).toBe('idx:a');
});
