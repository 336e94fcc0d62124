import { expect, it } from 'vitest';
import { extractPlainText } from './plain-text.ts';

const url = 'https://docs.example/notes/read-me.txt';

it('reads underlined, numbered and uppercase headings, with anchors', () => {
  const text = 'The Tool\n========\n\nIntro.\n\nUsage\n-----\n\nText.\n\nSEE ALSO\n\nOther.\n\n1.2 Limits\n\nText.\n';
  const { title, blocks } = extractPlainText(text, { url });
  expect(title).toBe('The Tool');
  expect(
    blocks.filter((block) => block.type === 'heading').map(({ markdown, depth, anchor }) => [markdown, depth, anchor]),
  ).toEqual([
    ['The Tool', 1, 'the-tool'],
    ['Usage', 2, 'usage'],
    ['SEE ALSO', 2, 'see-also'],
    ['1.2 Limits', 3, '12-limits'],
  ]);
});

it('keeps indented code with its empty lines as one block', () => {
  const { blocks } = extractPlainText('Run:\n\n    make\n\n      install\n\nDone.\n', { url });
  expect(blocks.map((block) => block.markdown)).toEqual(['Run:', '```\nmake\n\n  install\n```', 'Done.']);
});

it('names a text without headings after its file', () => {
  expect(extractPlainText('Only text.', { url }).title).toBe('read me');
});

it('prevents a line of backticks from opening a fence', () => {
  const { blocks } = extractPlainText('```\nnot code', { url });
  expect(blocks[0]?.markdown).toBe('\\```\nnot code');
});
