import { expect, test } from 'vitest';
import { writtenStatement } from './written-statement.ts';

test.each([
  ['We are **looking** at _it_, *now*.', '<p>We are <strong>looking</strong> at <em>it</em>, <em>now</em>.</p>'],
  ['One\nline.\n\n\nAnother.', '<p>One\nline.</p><p>Another.</p>'],
  ['Two:\n- a\n- b\n  goes on\n\nEnd', '<p>Two:</p><ul><li>a</li><li>b\ngoes on</li></ul><p>End</p>'],
  ['1. a\n2. `b < c`', '<ol><li>a</li><li><code>b &lt; c</code></li></ol>'],
  ['## What *happened*', '<p><strong>What <em>happened</em></strong></p>'],
  ['> said\n> so', '<blockquote><p>said\nso</p></blockquote>'],
  ['```sh\na **b**\n\nc\n```\nafter', '<pre><code>a **b**\n\nc</code></pre><p>after</p>'],
  ['```\nwithout an end', '<pre><code>without an end</code></pre>'],
  [
    '[the **log**](https://x.example/a?b=1&c=2)',
    '<p><a href="https://x.example/a?b=1&amp;c=2" rel="noopener noreferrer">the <strong>log</strong></a></p>',
  ],
  [
    'See https://x.example/a_b_c.',
    '<p>See <a href="https://x.example/a_b_c" rel="noopener noreferrer">https://x.example/a_b_c</a>.</p>',
  ],
  ['snake_case_name, 2 * 3 * 4, \\*so\\*, a**', '<p>snake_case_name, 2 * 3 * 4, *so*, a**</p>'],
  ['[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>'],
])('%j stands in the page as its Markdown means it', (body, html) => {
  expect(writtenStatement(body)).toBe(html);
});

test('markup in it stays text, wherever it stands', () => {
  const hostile = `"><img src=x onerror=alert(1)>'`;
  const places = ['', '- ', '## ', '> ', '**', '[a](https://x.example/', '```\n', '`'];
  for (const place of places) expect(writtenStatement(`${place}${hostile}`)).not.toMatch(/<img|onerror=alert\(1\)>/);
  expect(writtenStatement(`[${hostile}](https://x.example/"onmouseover="a)`)).not.toMatch(/<img|" *onmouseover/);
});
