import { expect, test } from 'vitest';
import { splitDocument } from '../split/index.ts';
import { extractHtml } from './extract-html.ts';

const url = 'https://docs.example/attr/init.html';
const filler = '<p>Text of the section that is long enough to be read as text by itself.</p>'.repeat(8);

test("a section is found by its author's label as well as by the id of its title", () => {
  const html = `<title>Init</title><div class="body"><section id="init"><h1>Init<a class="headerlink" href="#init">#</a></h1>${filler}
<section id="private-attributes-and-aliases"><span id="private-attributes"></span><h2>Private attributes and aliases<a class="headerlink" href="#private-attributes-and-aliases">#</a></h2>${filler}</section></section></div>`;
  const document = extractHtml(html, { url });
  expect(document.blocks.find(({ markdown }) => markdown === 'Private attributes and aliases')).toMatchObject({
    anchor: 'private-attributes-and-aliases',
    aliases: ['private-attributes'],
  });
  const snippets = splitDocument(document, { url });
  const sections = snippets.flatMap(({ sections: shared = [] }) => shared);
  const alias = sections.find(({ anchor }) => anchor === 'private-attributes');
  expect(alias).toMatchObject({ headingPath: expect.arrayContaining(['Private attributes and aliases']), tokens: 0 });
});

test('ids within a text mark its words: what follows stays under the id of its entry, and each leads to its passage', () => {
  const html = `<title>json</title><dl>
<div id="{},JsonNode"><dt><pre>proc {}(node)</pre></dt><dd><p>Makes nodes on the fly (called <span id="autovivification_1">autovivification</span>).</p>${filler}</dd></div>
<div id="parseFile,string"><dt><pre>proc parseFile(name)</pre></dt><dd><p>Parses a file.</p>${filler}</dd></div></dl>`;
  const snippets = splitDocument(extractHtml(html, { url }), { url });
  expect(snippets.map(({ anchor, sections }) => [anchor, sections?.map((section) => section.anchor)])).toEqual([
    ['{},JsonNode', ['{},JsonNode', 'autovivification_1']],
    ['parseFile,string', undefined],
  ]);
});

test('each of several ids before a text leads to it', () => {
  const html = `<h2>Global</h2>${filler.repeat(4)}<a name="chroot"></a><a name="3.1-chroot"></a><div><a name="chroot (Global)"></a>chroot</div>${filler.repeat(4)}`;
  const sections = splitDocument(extractHtml(html, { url }), { url }).flatMap(({ sections: shared = [] }) => shared);
  expect(sections.map(({ anchor }) => anchor)).toEqual(
    expect.arrayContaining(['chroot', '3.1-chroot', 'chroot (Global)']),
  );
});

test.each([
  ['behind the text of a paragraph', '<p>Set the variable.\n<span id="index-LC_005fCOLLATE"></span>\n</p>'],
  ['before a paragraph', '<a id="index-LC_005fCOLLATE"></a><p>Set the variable.</p>'],
  ['within a paragraph', '<p>Set the<a id="idx:collate1:13"></a> <code>variable</code>.</p>'],
  ['made anew by each build', '<p><a id="idm4592"></a>Set the variable.</p>'],
])('a mark of an index is no address of a section: %s', (_name, marked) => {
  const html = `<h1>R</h1>${filler}<h2 id="Testing">Testing</h2>${filler.repeat(4)}${marked}<pre>example()</pre>${filler.repeat(4)}`;
  const anchors = splitDocument(extractHtml(html, { url }), { url }).map(({ anchor }) => anchor);
  expect(new Set(anchors)).toEqual(new Set(['', 'Testing']));
});

test('a mark is the address where a page gives no other, and an id behind a text that of the heading after it', () => {
  const html = `Some text.<a name="next"></a><h2>Next</h2>${filler.repeat(5)}`;
  expect(
    extractHtml(html, { url })
      .blocks.map(({ anchor }) => anchor)
      .slice(0, 2),
  ).toEqual([undefined, 'next']);
  const marked = `<p>The <a name="idx:a"></a>text.</p>${filler.repeat(5)}`;
  expect(splitDocument(extractHtml(marked, { url }), { url })[0]?.anchor).toBe('idx:a');
});
