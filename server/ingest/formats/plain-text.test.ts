import { expect, it } from 'vitest';
import { extractPlainText } from './plain-text.ts';

const url = 'https://docs.example/notes/read-me.txt';

it('underlined, numbered and uppercase headings are read, with anchors', () => {
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

it('a rule below a paragraph is not the underline of its last line', () => {
  const { blocks } = extractPlainText('Otherwise,\nnames are not loaded.\n-----------------------\nNext\n----\n', {
    url,
  });
  expect(blocks.filter(({ type }) => type === 'heading').map(({ markdown }) => markdown)).toEqual(['Next']);
});

it('indented code with empty lines is one block', () => {
  const { blocks } = extractPlainText('Run:\n\n    make\n\n      install\n\nDone.\n', { url });
  expect(blocks.map((block) => block.markdown)).toEqual(['Run:', '```\nmake\n\n  install\n```', 'Done.']);
});

it('a text without headings is named after its file', () => {
  expect(extractPlainText('Only text.', { url }).title).toBe('read me');
});

it('a line of backticks does not open a fence', () => {
  const { blocks } = extractPlainText('```\nnot code', { url });
  expect(blocks[0]?.markdown).toBe('\\```\nnot code');
});
