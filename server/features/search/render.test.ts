import { expect, test } from 'vitest';
import { isSaidBy, linkedText, partText, passageText, renderPages } from './render.ts';

const passage = {
  headingPath: ['Guide', 'Examples', 'Broken headers'],
  text: '## Examples\n\n### Broken headers\n\nText.',
};

test('a search leaves out headings that a passage begins with where its path says them, and only there', () => {
  expect(passageText(passage)).toBe('Text.');
  expect(passageText({ ...passage, text: '### Other\n\n## Examples' })).toBe('### Other\n\n## Examples');
  expect(passageText({ headingPath: [], text: '# Title\n\nText.' })).toBe('# Title\n\nText.');
});

test('a page read as a whole keeps the headings above a part and leaves out the own one of the part', () => {
  expect(partText(passage)).toBe(passage.text);
  expect(linkedText({ ...passage, text: '### Broken headers\n\n[Text](/a).' })).toBe('[Text](/a).');
  expect(partText({ ...passage, text: '### Broken headers\n\n[Text](/a).' })).toBe('Text.');
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

test('an anchor says a heading when both have the same letters', () => {
  expect(isSaidBy('known-limitations', 'Known limitations')).toBe(true);
  expect(isSaidBy('_known', '“Known”')).toBe(true);
  expect(isSaidBy('known', 'Known limitations')).toBe(false);
  expect(isSaidBy('', 'Known')).toBe(false);
});
