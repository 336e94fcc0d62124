import { expect, test } from 'vitest';
import { withoutLinkTargets } from './link-targets.ts';

test.each([
  ['see [tasks](https://a.example/b_(c)#d "title") now', 'see tasks now'],
  ['[`run()`](https://a.example) and [[1]](#fn)', '`run()` and [1]'],
  ['[![logo](a.png)](https://a.example)', 'logo'],
  ['![a diagram](a.png)', 'a diagram'],
  ['[a](<b c> "t") [b](c\'d)', 'a b'],
  ['write `[text](url)` or ``a ` [b](c)``', 'write `[text](url)` or ``a ` [b](c)``'],
  ['f[0](x) is [not a link] (there)', 'f0 is [not a link] (there)'],
  ['```md\n[a](b)\n```\n[c](d)\n~~~\n[e](f)\n~~~', '```md\n[a](b)\n```\nc\n~~~\n[e](f)\n~~~'],
  ['````\n```\n[a](b)\n```\n````\n[c](d)', '````\n```\n[a](b)\n```\n````\nc'],
  ['<https://a.example> https://b.example', '<https://a.example> https://b.example'],
  ['| [a](b) | [c](d) |', '| a | c |'],
  ['Read [this page](https://a.example/b) or [here](c).', 'Read [this page](https://a.example/b) or [here](c).'],
  [
    'Read this separate page: [Alignment](https://a.example/b).',
    'Read this separate page: [Alignment](https://a.example/b).',
  ],
  ['[`this`](a) [there](b) [this example/two](c)', '`this` there this example/two'],
])('%j becomes %j', (markdown, text) => {
  expect(withoutLinkTargets(markdown)).toBe(text);
});

test('long sequences of brackets and backticks are passed through', () => {
  const odd = `${'['.repeat(20_000)}](${'`'.repeat(3_001)}${'`a``b```c'.repeat(2_000)}`;
  expect(withoutLinkTargets(odd)).toBe(odd);
  expect(withoutLinkTargets('[a]('.repeat(5_000))).toBe('[a]('.repeat(5_000));
});
