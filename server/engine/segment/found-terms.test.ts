import { expect, test } from 'vitest';
import type { PageRecord } from '../types.ts';
import { SegmentBuilder } from './builder.ts';
import { TermFinder } from './found-terms.ts';

const page = (name: string, texts: string[]): PageRecord => ({
  url: `https://docs.example/${name}`,
  title: `About ${name}`,
  fetchedAt: 1,
  contentHash: name,
  inboundAnchors: [`the ${name}`],
  snippets: texts.map((text, index) => ({
    ...{ id: `${name}-${index}`, anchor: '', headingPath: [name, 'Notes'], kind: 'prose' as const },
    ...{ identifiers: [`${name}.read_all`], text, tokens: 10 },
  })),
});

const listing = '```js\nconst emailAddress = parse(`x`);\n```';
const pages = [
  page('streams', ['Reads a stream to its end.', listing]),
  page('empty', []),
  page('files', [`A file is read with \`fs.readFile()\`, \u4f60\u597d.\n\n${listing}\n\nThen it is closed.`]),
];

test('a segment is byte-identical whether its terms were found beforehand or by the builder', () => {
  const plain = new SegmentBuilder();
  const helped = new SegmentBuilder();
  const finders = [new TermFinder(), new TermFinder()];
  // Found in another order than added, by more than one finder, and one page not at all.
  const found = new Map([2, 0].map((index, turn) => [index, finders[turn]?.find(pages[index] as PageRecord)]));
  for (const [index, one] of pages.entries()) {
    plain.addPage(one);
    helped.addPage(one, found.get(index));
  }
  expect(Buffer.from(helped.finish()).equals(Buffer.from(plain.finish()))).toBe(true);
});
