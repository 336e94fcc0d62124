import { expect, test } from 'vitest';
import { linkedText, renderPages, shownText } from './render.ts';

test('headings that a passage begins with are left out where its path says them, and only there', () => {
  const passage = {
    headingPath: ['Guide', 'Examples', 'Broken headers'],
    text: '## Examples\n\n### Broken headers\n\nText.',
  };
  expect(shownText(passage)).toBe('Text.');
  expect(linkedText(passage)).toBe('Text.');
  expect(shownText({ ...passage, text: '### Other\n\n## Examples' })).toBe('### Other\n\n## Examples');
  expect(shownText({ headingPath: [], text: '# Title\n\nText.' })).toBe('# Title\n\nText.');
});

test('a further passage does not repeat the heading that its anchor was made from', () => {
  const passages = [
    { anchor: '', headingPath: [], text: 'First.' },
    { anchor: 'known-limitations', headingPath: ['Known limitations'], text: 'Second.' },
    { anchor: 'c', headingPath: ['Known limitations', 'Signals'], text: 'Third.' },
  ];
  expect(renderPages([{ url: 'https://docs.example/a', title: 'Guide', remark: '', passages }], [])).toBe(
    [
      '§ https://docs.example/a\nGuide\nFirst.',
      '§ #known-limitations\nSecond.',
      '§ #c\nKnown limitations > Signals\nThird.',
    ].join('\n\n'),
  );
});
