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
