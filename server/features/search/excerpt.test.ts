import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countTokens } from '#server/ingest/split/tokens.ts';
import { excerptOf } from './excerpt.ts';
import { queryTerms } from './query-terms.ts';

const filler = Array.from(
  { length: 30 },
  (_, line) => `Line ${line} speaks about nothing in particular, at some length.`,
);

test('the lines that hold the words of the query are taken, not the first ones', () => {
  const text = [...filler.slice(0, 20), 'Set `max_connections` to raise the limit.', ...filler.slice(20)].join('\n');
  expect(excerptOf(text, 60, queryTerms(['max_connections limit']))?.text).toContain('Set `max_connections`');
});

test('the first lines are taken when no word is found', () => {
  expect(excerptOf(filler.join('\n'), 40, queryTerms(['quux']))?.text).toMatch(/^Line 0/);
});

test('code that is cut keeps its fence at both ends', () => {
  const code = [
    'Before.',
    '```python',
    ...Array.from({ length: 40 }, (_, line) => `call_${line}(argument)`),
    '```',
  ].join('\n');
  const excerpt = excerptOf(code, 80, queryTerms(['call_25']))?.text;
  expect(excerpt).toContain('call_25(');
  expect(excerpt?.match(/```/g)).toHaveLength(2);
  expect(excerpt).toContain('```python');
});

test('an excerpt never has more tokens than it may', () => {
  const line = fc.oneof(
    fc.string({ maxLength: 300 }),
    fc.constantFrom('```js', '```', '', 'word '.repeat(80), '日本語'.repeat(40)),
  );
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 40 }),
      fc.integer({ min: 0, max: 300 }),
      fc.string(),
      (lines, tokensMax, query) => {
        const excerpt = excerptOf(lines.join('\n'), tokensMax, queryTerms([query]));
        if (excerpt === undefined) return;
        expect(countTokens(excerpt.text)).toBe(excerpt.tokens);
        expect(excerpt.tokens).toBeLessThanOrEqual(tokensMax);
      },
    ),
    { numRuns: 300 },
  );
});
