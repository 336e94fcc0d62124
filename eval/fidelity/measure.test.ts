import { describe, expect, test } from 'vitest';
import type { Snippet } from '../../server/engine/types.ts';
import type { Block, ExtractedDocument } from '../../server/ingest/document.ts';
import type { Corpus } from './corpora.ts';
import { readFacts } from './facts.ts';
import { fencesOf, type Measure, measurePage, newTally } from './measure.ts';
import { comparePages } from './pdf.ts';

const corpus: Corpus = { name: 'made-up', generator: 'hand', folder: '', content: ['main'], furniture: 'nav' };
const page = `<nav><a href="/">All about menus</a></nav><main>
  <h2 id="a">Pools<a class="headerlink" href="#a">¶</a></h2>
  <p>Read <a href="b.html">more</a> about it.</p>
  <pre class="language-js">let a;\n  b();\n</pre>
  <table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>
  <dl><dt id="t">take</dt><dd>Takes one.</dd></dl>
  <div class="admonition note"><p class="admonition-title">Note</p><p>Only one at a time.</p></div></main>`;

const faithful: Block[] = [
  { type: 'heading', markdown: 'Pools', depth: 2, anchor: 'a' },
  { type: 'paragraph', markdown: 'Read [more](https://docs.example/b.html) about it.' },
  { type: 'code', markdown: '```js\nlet a;\n  b();\n```', language: 'js' },
  { type: 'table', markdown: '| A | B |\n| --- | --- |\n| 1 | 2 |' },
  { type: 'term', markdown: 'take', depth: 1, span: 1, anchor: 't' },
  { type: 'paragraph', markdown: 'Takes one.' },
  { type: 'admonition', markdown: '> **Note**\n>\n> Only one at a time.' },
];

function score(blocks: Block[]): Record<Measure, string> {
  const facts = readFacts(page, 'https://docs.example/a.html', corpus);
  if (!facts) throw new Error('no content found');
  const tally = newTally();
  const document: ExtractedDocument = { title: '', isNoindex: false, blocks, links: [] };
  measurePage(facts, document, tally, 'a.html');
  const pairs = Object.entries(tally).map(([measure, { found, expected }]) => [measure, `${found}/${expected}`]);
  return Object.fromEntries(pairs) as Record<Measure, string>;
}

describe('the fidelity report', () => {
  test('finds everything in a faithful document', () => {
    expect(score(faithful)).toMatchObject({
      code: '1/1',
      language: '1/1',
      headings: '1/1',
      tables: '1/1',
      links: '1/1',
      terms: '1/1',
      admonitions: '1/1',
      anchors: '2/2',
      boilerplate: '0/1',
    });
    const { text } = score(faithful);
    expect(text.split('/')[0]).toBe(text.split('/')[1]);
  });

  const spoilt = (type: Block['type'], change: Partial<Block>): Block[] =>
    faithful.map((block) => (block.type === type ? { ...block, ...change } : block));

  test.each<[Measure, Block[], string]>([
    ['code', spoilt('code', { markdown: '```js\nlet a;\nb();\n```' }), '0/1'],
    ['language', spoilt('code', { markdown: '```\nlet a;\n  b();\n```' }), '0/1'],
    ['headings', spoilt('heading', { depth: 3 }), '0/1'],
    ['anchors', spoilt('heading', { anchor: undefined }), '1/2'],
    ['tables', spoilt('table', { markdown: '| A | B |\n| --- | --- |\n| 2 | 1 |' }), '0/1'],
    ['links', spoilt('paragraph', { markdown: 'Read [more](b.html) about it.' }), '0/1'],
    ['terms', spoilt('term', { type: 'paragraph' }), '0/1'],
    ['admonitions', spoilt('admonition', { type: 'quote' }), '0/1'],
    ['boilerplate', [...faithful, { type: 'paragraph', markdown: 'All about menus' }], '1/1'],
  ])('reports a fault in %s', (measure, blocks, expected) => {
    expect(score(blocks)[measure]).toBe(expected);
  });

  test('reports lost text', () => {
    expect(score(faithful.slice(0, 4)).text).not.toBe(score(faithful).text);
  });

  test('parses fences of any length', () => {
    expect(fencesOf('````md\n```\nx\n```\n````')).toEqual([{ code: '```\nx\n```', language: 'md' }]);
  });
});

describe('the text of a PDF', () => {
  const pages = [
    ['A Manual', 'Open the config-', 'uration first.', '1'],
    ['A Manual', 'Then close  the file.', 'Contents . . . . . . 12', '2'],
  ];
  const passage = (text: string, page: number): Snippet => ({
    id: '',
    anchor: `page=${page}`,
    headingPath: [],
    kind: 'prose',
    identifiers: [],
    text,
    tokens: 0,
  });

  test('is found if passages near its page contain its words, in any order and across line ends', () => {
    const passages = [passage('Open the configuration first. The file, then close.', 1)];
    expect(comparePages(pages, passages)).toMatchObject({ misses: [], expected: 41, found: 41 });
  });

  test('is missing if the passages lack a word or belong to another page', () => {
    const lost = comparePages(pages, [passage('Open the configuration.', 1), passage('Then close the file.', 2)]);
    expect(lost.misses).toEqual(['1: uration first. [first]']);
    expect(comparePages(pages, [passage('Then close the file.', 1)]).misses).toHaveLength(2);
    expect(comparePages([...pages, [], []], [passage('Open the configuration first.', 3)]).found).toBe(0);
  });
});
