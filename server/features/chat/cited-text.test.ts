import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CitedText } from './cited-text.ts';

function passed(text: string, known: number[], pieces: number[] = []): string {
  const cited = new CitedText((number) => known.includes(number));
  let shown = '';
  let rest = text;
  for (const length of pieces) {
    shown += cited.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return shown + cited.push(rest) + cited.end();
}

describe('citations in model output', () => {
  test.each([
    ['Known [1] and not [3].', 'Known [1] and not.'],
    ['Both [1, 2], some [2,9], none [8, 9].', 'Both [1][2], some [2], none.'],
    ['`a[1]` and `b[9]`, [9] here', '`a[1]` and `b[9]`, here'],
    ['```js\nx = a[9];\n```\nDone [9]', '```js\nx = a[9];\n```\nDone'],
    ['~~~\n[9]\n~~~~\n[9]!', '~~~\n[9]\n~~~~\n!'],
    ['> ```\n> a[9]\n> ```\n\n[9]', '> ```\n> a[9]\n> ```\n\n'],
    ['``a ` [9]`` [9]', '``a ` [9]``'],
    ['a lone ` backtick\nthen [9] gone', 'a lone ` backtick\nthen gone'],
    ['[a link](https://x) [x] [ 1] [1234]', '[a link](https://x) [x] [ 1] [1234]'],
    ['open [1', 'open [1'],
  ])('%j', (text, shown) => {
    expect(passed(text, [1, 2])).toBe(shown);
  });

  test('are the same however the text is split into chunks', () => {
    const text = fc
      .array(fc.constantFrom('[', ']', '1', '2', '9', ',', ' ', '`', '```', '\n', 'a', '> ', '~~~'), { maxLength: 40 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 0, max: 7 })), (whole, pieces) => {
        expect(passed(whole, [1, 2], pieces)).toBe(passed(whole, [1, 2]));
      }),
      { numRuns: 500 },
    );
  });
});
