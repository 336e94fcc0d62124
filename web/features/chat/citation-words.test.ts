import { expect, test } from 'vitest';
import { passageWords } from './citation-words.ts';

test.each([
  [
    'Function: ffi_status `ffi_prep_closure_loc` (ffi_closure \\*closure, void \\*user\\_data)',
    'Function: ffi_status ffi_prep_closure_loc (ffi_closure *closure, void *user_data)',
  ],
  ['## A *short* and **bold** _way_ to __say__ it', 'A short and bold way to say it'],
  ['Call **`a_b`**, then `p->next | q`.', 'Call a_b, then p->next | q.'],
  ['```c\n#include <a.h>\nint *a, *b = c * d;\n```\n\nDone', '#include <a.h> int *a, *b = c * d; Done'],
  ['~~~\nnever closed: x_y_z', 'never closed: x_y_z'],
  ['> - one\n> - two\n\n1. three', 'one two 1. three'],
  ['| name | means |\n|---|:-:|\n| `a|b` | 2 * 3 |', 'name means a|b 2 * 3'],
  ['§ https://x.example/\n[the docs](https://x.example/a_b) say so', 'the docs say so'],
  ['C# and a lone * or _ stay', 'C# and a lone * or _ stay'],
])('the text of %j is %j', (text, words) => {
  expect(passageWords(text)).toBe(words);
});

test('a long passage is cut, and endless unclosed marks are handled fast', () => {
  expect(passageWords('word '.repeat(200))).toMatch(/^(word ){79}word…$/);
  for (const pump of ['*a', '_a', '`', '[', '> ', '|', '\\'])
    expect(passageWords(pump.repeat(3_000)).length).toBeLessThan(402);
});
