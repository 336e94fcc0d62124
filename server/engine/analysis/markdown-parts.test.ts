import { describe, expect, test } from 'vitest';
import { splitMarkdown } from './markdown-parts.ts';

describe('Markdown', () => {
  test('is split into prose and listings in reading order', () => {
    expect(splitMarkdown('before\n```js\nlet a\n```\nafter\n')).toEqual([
      { isCode: false, text: 'before\n' },
      { isCode: true, text: 'let a\n' },
      { isCode: false, text: 'after\n' },
    ]);
  });

  test('keeps a longer fence open past a shorter one, and an unclosed fence to the end', () => {
    const parts = splitMarkdown('````\n```\ninner\n```\n````\n~~~\nopen');
    expect(parts).toEqual([
      { isCode: true, text: '```\ninner\n```\n' },
      { isCode: true, text: 'open' },
    ]);
  });

  test('drops link targets and escapes and keeps link texts', () => {
    expect(splitMarkdown('see [create\\_task](https://x/y_z "title") now')).toEqual([
      { isCode: false, text: 'see [create_task]  now' },
    ]);
  });
});
