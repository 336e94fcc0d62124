import { expect, test } from 'vitest';
import { isSaidBy, linkedText, partText, passageText, renderPages } from './render.ts';

const passage = {
  headingPath: ['Guide', 'Examples', 'Broken headers'],
  text: '## Examples\n\n### Broken headers\n\nText.',
};

test('a search leaves out headings that a passage begins with where its path says them, and only there', () => {
  const shownOf = (text: string, headingPath = passage.headingPath) => passageText({ headingPath, text }, 'Other page');
  expect(shownOf(passage.text)).toEqual({ text: 'Text.', titleAbove: '' });
  expect(shownOf('### Other\n\n## Examples').text).toBe('### Other\n\n## Examples');
  expect(shownOf('# Title\n\nText.', []).text).toBe('# Title\n\nText.');
});

test('a search leaves out the title of the page that a passage begins with, as far as the line above shows it', () => {
  const shownOf = (text: string, title: string, headingPath: string[] = []) =>
    passageText({ headingPath, text }, title);
  expect(shownOf('# Rotate logs\n\nText.', 'Rotate Logs')).toEqual({ text: 'Text.', titleAbove: 'Rotate Logs' });
  expect(shownOf('# Rotate logs\n\n## How\n\nText.', 'Rotate logs', ['How']).text).toBe('Text.');
  expect(shownOf('# Rotate logs\n\n## How\n\nText.', 'Rotate logs').text).toBe('## How\n\nText.');
  expect(shownOf('Text.\n\n# Rotate logs', 'Rotate logs')).toEqual({ text: 'Text.\n\n# Rotate logs', titleAbove: '' });
  expect(shownOf('# Rotate logs\n\nText.', '').text).toBe('# Rotate logs\n\nText.');
  const long = `Rotate ${'very '.repeat(60)}long logs`;
  expect(shownOf(`# ${long}\n\nText.`, long).text).toBe(`# ${long}\n\nText.`);
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
