import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countTokens } from '#server/ingest/split/tokens.ts';
import { createPagesCounter, isSaidBy, linkedText, partText, passageText, renderPages } from './render.ts';

const passage = {
  headingPath: ['Guide', 'Examples', 'Broken headers'],
  text: '## Examples\n\n### Broken headers\n\nText.',
};

test('a search omits a passage’s leading headings only if its heading path contains them', () => {
  const shownOf = (text: string, headingPath = passage.headingPath) => passageText({ headingPath, text }, 'Other page');
  expect(shownOf(passage.text)).toBe('Text.');
  expect(shownOf('### Other\n\n## Examples')).toBe('### Other\n\n## Examples');
  expect(shownOf('# Title\n\nText.', [])).toBe('# Title\n\nText.');
});

test.each([
  ['spaces', ' '],
  ['number signs', '#'],
])('a leading heading with very many %s is compared', (_name, mark) => {
  const text = `## Examples ${mark.repeat(200_000)} of headers\n\nText.`;
  expect(passageText({ headingPath: ['Examples of headers'], text }, 'Other page')).toBe('Text.');
});

test('a search omits a passage’s leading page title if the line above shows it in full', () => {
  const shownOf = (text: string, title: string, headingPath: string[] = []) =>
    passageText({ headingPath, text }, title);
  expect(shownOf('# Rotate logs\n\nText.', 'Rotate Logs')).toBe('Text.');
  expect(shownOf('# Rotate logs\n\n## How\n\nText.', 'Rotate logs', ['How'])).toBe('Text.');
  expect(shownOf('# Rotate logs\n\n## How\n\nText.', 'Rotate logs')).toBe('## How\n\nText.');
  expect(shownOf('### Method\n\n# Rotate logs\n\n#### How\n\nText.', 'Rotate logs', ['How'])).toBe(
    '### Method\n\nText.',
  );
  expect(shownOf('Tools 2.5\n\n# Rotate logs\n\nText.', 'Rotate logs')).toBe('Tools 2.5\n\nText.');
  expect(shownOf('First line.\nText.\n\n# Rotate logs', 'Rotate logs')).toBe('First line.\nText.\n\n# Rotate logs');
  expect(shownOf('# Rotate logs\n\nText.', '')).toBe('# Rotate logs\n\nText.');
  const long = `Rotate ${'very '.repeat(60)}long logs`;
  expect(shownOf(`# ${long}\n\nText.`, long)).toBe(`# ${long}\n\nText.`);
});

test('a page read keeps the headings above a passage and omits the passage’s own heading', () => {
  expect(partText(passage)).toBe(passage.text);
  expect(linkedText({ ...passage, text: '### Broken headers\n\n[Text](/a).' })).toBe('[Text](/a).');
  expect(partText({ ...passage, text: '### Broken headers\n\n[Text](/a).' })).toBe('Text.');
});

test('a passage from the middle of a nested list keeps the indentation that its lines do not share', () => {
  const shownOf = (text: string) => passageText({ headingPath: [], text }, 'Page');
  expect(shownOf('    - b\n\n    ```\n    code\n    ```\n  - c')).toBe('  - b\n\n  ```\n  code\n  ```\n- c');
  expect(shownOf('   2. b\n   3. c')).toBe('2. b\n3. c');
  expect(shownOf('  - b\n- c')).toBe('  - b\n- c');
  expect(linkedText({ headingPath: [], text: '\n  - b\n- c\n' })).toBe('  - b\n- c');
});

test('a further passage does not repeat the heading that its anchor is derived from', () => {
  const passages = [
    { anchor: '', headingPath: [], text: 'First.' },
    { anchor: 'known-limitations', headingPath: ['Known limitations'], text: 'Second.' },
    { anchor: 'c', headingPath: ['Known limitations', 'Signals'], text: 'Third.' },
    { anchor: '', headingPath: [], text: 'Fourth.' },
  ];
  expect(renderPages([{ url: 'https://docs.example/a', title: 'Guide', remark: '', passages }], [])).toBe(
    [
      '§ https://docs.example/a\nGuide\nFirst.',
      '§ #known-limitations\nSecond.',
      '§ #c\nKnown limitations > Signals\nThird.',
      '§ …\nFourth.',
    ].join('\n\n'),
  );
});

test('an anchor matches a heading if both have the same letters', () => {
  expect(isSaidBy('known-limitations', 'Known limitations')).toBe(true);
  expect(isSaidBy('_known', '“Known”')).toBe(true);
  expect(isSaidBy('known', 'Known limitations')).toBe(false);
  expect(isSaidBy('', 'Known')).toBe(false);
});

test('a page listed only by address is marked as not shown', () => {
  const [shown, address] = [
    { ...passage, anchor: 'a' },
    { ...passage, anchor: 'b', text: '' },
  ];
  const page = { title: 'Page', remark: 'private' };
  const text = renderPages(
    [
      { ...page, url: 'https://x.example/one', passages: [shown] },
      { ...page, url: 'https://x.example/two', passages: [address] },
    ],
    [],
  );
  expect(text).toMatch(/^§ https:\/\/x\.example\/one#a\n.* \(private\)\n/);
  expect(text).toMatch(/\n§ https:\/\/x\.example\/two#b\n.* \(private, not shown\)$/);
});

test('counting responses with shared passages equals counting each whole', () => {
  const text = fc
    .array(fc.constantFrom('word', 'Two.', ' ', '\n', '\n\n', '…', '§', '/', '(', '```', '中文', '\u0301', '1'))
    .map((parts) => parts.join(''));
  const passage = fc.record({
    anchor: fc.constantFrom('', 'a', 'b-1', '%20'),
    headingPath: fc.array(text, { maxLength: 2 }),
    text,
  });
  const page = fc.record({
    url: fc.constantFrom('https://docs.example/a', 'https://docs.example/b/', 'folder://x/y.md'),
    title: text,
    remark: fc.constantFrom('', 'version 2'),
    passages: fc.array(passage, { maxLength: 3 }),
  });
  const notes = fc.array(fc.constantFrom('A note.', 'Another: note'), { maxLength: 2 });
  fc.assert(
    fc.property(fc.array(page, { maxLength: 4 }), notes, (pages, lines) => {
      const tokensOf = createPagesCounter(countTokens);
      // When a response grows, its last block is no longer last.
      for (let shown = 0; shown <= pages.length; shown += 1) {
        const some = pages.slice(0, shown);
        expect(tokensOf(some, lines)).toBe(countTokens(renderPages(some, lines)));
      }
    }),
    { numRuns: 2_000 },
  );
});
