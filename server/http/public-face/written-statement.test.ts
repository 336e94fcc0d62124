import { expect, test } from 'vitest';
import { statementWriter } from './written-status.ts';

const codeFrame = 'overflow-hidden rounded-lg border border-line bg-sunken relative';
const codeLook = 'min-w-0 flex-1 overflow-x-auto rounded-sm font-mono text-[0.8125rem] text-ink leading-5 px-4 py-3';
const write = await statementWriter(true);

test.each([
  ['We are **looking** at _it_, *now*.', '<p>We are <strong>looking</strong> at <em>it</em>, <em>now</em>.</p>'],
  ['Two:\n- a\n- b\n\nEnd', '<p>Two:</p>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<p>End</p>'],
  ['## What *happened*', '<p><strong>What <em>happened</em></strong></p>'],
  [
    '[the **log**](https://x.example/a?b=1&c=2)',
    '<p><a rel="noopener noreferrer" href="https://x.example/a?b=1&amp;c=2">the <strong>log</strong></a></p>',
  ],
  [
    'See https://x.example/a_b_c.',
    '<p>See <a rel="noopener noreferrer" href="https://x.example/a_b_c">https://x.example/a_b_c</a>.</p>',
  ],
  ['![a "chart" > b](https://x.example/a.png)', '<p>a &quot;chart&quot; &gt; b</p>'],
  ['[x](javascript:alert(1))', '<p><a rel="noopener noreferrer" href="">x</a></p>'],
  [
    '```sh\na < "b"\n```',
    `<div class="${codeFrame}"><pre tabindex="0" role="group" aria-label="sh code" class="${codeLook}"><code class="language-sh">a &lt; &quot;b&quot;</code></pre></div>`,
  ],
  [
    '> ```\n> a\n>\n> b\n> ```',
    `<blockquote>\n<div class="${codeFrame}"><pre tabindex="0" role="group" aria-label="Code" class="${codeLook}"><code>a\n\nb</code></pre></div>\n</blockquote>`,
  ],
])('%j is rendered as Markdown', (body, html) => {
  expect(write(body)).toBe(html);
});

test('markup in a statement stays text in every position', () => {
  const hostile = `"><img src=x onerror=alert(1)>'<h1>`;
  const places = [
    '',
    '- ',
    '## ',
    '> ',
    '**',
    '[a](https://x.example/',
    '```\n',
    '`',
    '<div>\n',
    '![',
    '| a |\n|---|\n| ',
  ];
  for (const place of places) expect(write(`${place}${hostile}`)).not.toMatch(/<img|<h1|" onerror|<div>/);
  expect(write(`[${hostile}](https://x.example/"onmouseover="a)`)).not.toMatch(/<img|" *onmouseover/);
});

test('the Markdown renderer is not loaded if there is no statement', async () => {
  expect((await statementWriter(false))('**a** < b')).toBe('**a** &lt; b');
});
