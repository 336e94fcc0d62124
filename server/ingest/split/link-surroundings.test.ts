import { expect, test } from 'vitest';
import type { Block, Link } from '../document.ts';
import { withSurroundings } from './link-surroundings.ts';

const other = 'https://docs.example/other';
const link = (url: string, fromContent = true): Link => ({ url, text: 'label', fromContent, isNofollow: false });
const paragraph = (markdown: string): Block => ({ type: 'paragraph', markdown });
const aroundOf = (...blocks: Block[]) => withSurroundings([link(other)], blocks)[0]?.around;

test('a link has the words of its sentence on both sides, ten of each at most', () => {
  expect(aroundOf(paragraph(`First. To keep *rows* sorted see [\`other()\`](${other}) of this module. Last.`))).toBe(
    'To keep rows sorted see other() of this module.',
  );
  const words = (from: number) => Array.from({ length: 15 }, (_, at) => `w${from + at}`);
  expect(aroundOf(paragraph(`${words(1).join(' ')} [it](${other}) ${words(21).join(' ')}`))).toBe(
    [...words(1).slice(5), 'it', ...words(21).slice(0, 10)].join(' '),
  );
});

test('words of other lines and cells say nothing of a link, and a link by itself has none', () => {
  expect(aroundOf({ type: 'list', markdown: `- one thing\n- sorts [it](${other})\n- another` })).toBe('sorts it');
  expect(aroundOf({ type: 'table', markdown: `| a | b |\n|---|---|\n| [it](${other}) | far away |` })).toBeUndefined();
  expect(aroundOf(paragraph(`[it](${other})`))).toBeUndefined();
});

test('code, headings and navigation describe nothing', () => {
  const blocks: Block[] = [
    { type: 'code', markdown: `\`\`\`\nsee [it](${other}) there\n\`\`\`` },
    { type: 'heading', markdown: `About [it](${other})` },
  ];
  expect(aroundOf(...blocks)).toBeUndefined();
  const [navigation] = withSurroundings([link(other, false)], [paragraph(`see [it](${other}) there`)]);
  expect(navigation).toEqual(link(other, false));
});

test('of several links to one page, whatever their anchors, the first has the first words there are', () => {
  const links = [link(`${other}#a`), link(`${other}#b`), link('https://docs.example/third')];
  const blocks = [
    paragraph(`[alone](${other}#a)`),
    paragraph(`sorted by [b](${other}#b)`),
    paragraph(`or [b](${other}#b)`),
  ];
  expect(withSurroundings(links, blocks).map(({ around }) => around)).toEqual(['sorted by b', undefined, undefined]);
});
