import { expect, test } from 'vitest';
import { extractMarkdown } from './extract-markdown.ts';

const blocksOf = (text: string): string[] =>
  extractMarkdown(text, { url: 'https://docs.example/a.md' }).blocks.map(({ markdown }) => markdown);

const python = 'import a\n\n# all of them\nfor x in y:\n    foo_bar(*x)';

test.each([
  [
    'the language of the tab',
    `{{< tabpane persist=header >}}\n{{< tab header="Core" lang="Python" >}}\n${python}\n{{< /tab >}}\n{{< tab header="Go" lang="go" >}}x := 1{{< /tab >}}\n{{< /tabpane >}}\n\nAfter *it*.`,
    ['**Core**', `\`\`\`python\n${python}\n\`\`\``, '**Go**', '```go\nx := 1\n```', 'After *it*.'],
  ],
  [
    'the language of all tabs',
    '{{< tabpane lang="bash">}}\n{{< tab header="Linux" >}}\ncurl <https://get.example> | sh\n{{< /tab >}}{{< tab header="Mac" >}}\nbrew install x\n{{< /tab >}}\n{{< /tabpane >}}',
    ['**Linux**', '```bash\ncurl <https://get.example> | sh\n```', '**Mac**', '```bash\nbrew install x\n```'],
  ],
  [
    'the header as language',
    '{{< tabpane langEqualsHeader=true >}}\n{{< tab header="Bash" >}}\nls *\n{{< /tab >}}\n{{< /tabpane >}}',
    ['**Bash**', '```bash\nls *\n```'],
  ],
])('Docsy: a tab is shown as code by %s', (_, text, expected) => {
  expect(blocksOf(text)).toEqual(expected);
});

test.each([
  [
    'text',
    '{{< tabpane text=true >}}\n{{< tab header="English" lang="en" >}}\nWelcome *all*\n{{< /tab >}}\n{{< /tabpane >}}',
    ['**English**', 'Welcome *all*'],
  ],
  [
    'a fence of its own',
    '{{< tabpane lang="sh" >}}\n{{< tab header="Go" >}}\n```go\nf()\n```\n{{< /tab >}}\n{{< /tabpane >}}',
    ['**Go**', '```go\nf()\n```'],
  ],
  [
    'an example of the shortcode',
    '```go-html-template\n{{< tabpane lang="sh" >}}\n{{< tab header="A" >}}\nls\n{{< /tab >}}\n{{< /tabpane >}}\n```',
    ['```go-html-template\n{{< tabpane lang="sh" >}}\n{{< tab header="A" >}}\nls\n{{< /tab >}}\n{{< /tabpane >}}\n```'],
  ],
])('Docsy: a tab with %s stays unchanged', (_, text, expected) => {
  expect(blocksOf(text)).toEqual(expected);
});
