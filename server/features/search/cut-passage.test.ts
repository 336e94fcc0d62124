import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countTokens } from '#server/ingest/split/tokens.ts';
import { cutPassage } from './cut-passage.ts';
import { blocksOf, finer, renderBlocks } from './passage-blocks.ts';
import { queryTerms } from './query-terms.ts';

const sentence = (at: number) => `Sentence ${at} speaks about nothing in particular, at some length.`;
const filler = (from: number, count: number) => Array.from({ length: count }, (_, at) => sentence(from + at));
const cut = (text: string, tokensMax: number, query: string) =>
  cutPassage(blocksOf(text), tokensMax, queryTerms([query]))?.text;

describe('a cut passage', () => {
  test('keeps whole paragraphs around the matching one and states what is left out', () => {
    const text = [...filler(0, 6), 'Set `max_connections` to raise the limit.', ...filler(6, 6)].join('\n\n');
    const shown = cut(text, 60, 'max_connections limit') ?? '';
    expect(shown).toContain('Set `max_connections` to raise the limit.');
    expect(shown).toMatch(/^\[… \d+ tokens left out\]\n/);
    expect(shown).toMatch(/\n\[… \d+ tokens left out\]$/);
    const own = shown.split('\n').filter((line) => line !== '' && !line.startsWith('[…'));
    for (const line of own) expect(text.split('\n\n')).toContain(line);
  });

  test('keeps rows under their table header', () => {
    const rows = Array.from({ length: 30 }, (_, at) => `| name_${at} | what number ${at} does |`);
    const shown = cut(['| name | meaning |', '| --- | --- |', ...rows].join('\n'), 70, 'name_17') ?? '';
    expect(shown).toContain('| name | meaning |\n| --- | --- |\n');
    expect(shown).toContain(rows[17]);
  });

  test('keeps a listing in its fence, with the line that introduces it', () => {
    const code = Array.from({ length: 40 }, (_, at) => (at % 8 === 0 ? `\ndef part_${at}():` : `    step(${at})`));
    const text = `Some words.\n\nRead lines like this:\n\n\`\`\`python\n${code.join('\n')}\n\`\`\`\n\n${filler(0, 4).join('\n\n')}`;
    const shown = cut(text, 110, 'part_16') ?? '';
    expect(shown).toContain('Read lines like this:');
    expect(shown).toMatch(/```python\n[^`]*def part_16\(\):\n(?: {4}step\(\d+\)\n){7}[^`]*```/);
    expect(shown.match(/```/g)?.length).toBe(2);
  });

  test('shows the matching lines of a long bracketed listing, and no bracket alone', () => {
    const fields = Array.from({ length: 40 }, (_, at) => `  field_${at}?: string; // what number ${at} holds`);
    const listing = ['```ts', '{', ...fields, '}', '```'].join('\n');
    expect(cut(listing, 260, 'field_20') ?? '').toContain('  field_20?: string;');
    expect(cut(`${filler(0, 4).join('\n\n')}\n\n${listing}`, 100, 'nothing of it') ?? '').not.toMatch(/```ts\n}\n```/);
  });

  test('is empty if only a heading would fit', () => {
    expect(cut(`## Limits\n\n${filler(0, 12).join(' ')}`, 12, 'limits')).toBeUndefined();
  });
});

test('a passage consists of its framed blocks, whatever they contain', () => {
  const part = fc.constantFrom(
    'A paragraph of words.\nIts second line.',
    '## A heading',
    '- one\n- two\n  more of two\n\n  and more',
    '1. first\n2. second',
    '| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |',
    '```sh\nls -l\n\ncat x\n```',
    '> quoted\n> twice',
    'For example:',
  );
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
      const text = parts.join('\n\n');
      for (const blocks of [blocksOf(text), finer(blocksOf(text))]) {
        const shown = renderBlocks(blocks, [...blocks.keys()]);
        expect(shown.replace(/\n+/g, '\n')).toBe(text.replace(/\n+/g, '\n'));
      }
    }),
  );
});

test('a cut passage never exceeds the requested tokens', () => {
  const words = fc.array(fc.constantFrom('zebra', 'gate', 'the', 'guards', '`x`'), { minLength: 3, maxLength: 60 });
  const block = fc.tuple(words, fc.constantFrom('', '- ', '## ')).map(([some, lead]) => `${lead}${some.join(' ')}.`);
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 12 }), fc.integer({ min: 20, max: 200 }), (blocks, max) => {
      const shown = cut(blocks.join('\n\n'), max, 'zebra gate');
      if (shown !== undefined) expect(countTokens(shown)).toBeLessThanOrEqual(max);
    }),
  );
});

test('a passage is split in time proportional to its length, whatever its lines contain', () => {
  const rule = `| name |\n| --${' '.repeat(500_000)}x`;
  expect(blocksOf(rule).map(({ text }) => text)).toEqual([rule]);
});
