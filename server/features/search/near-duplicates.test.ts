import { expect, test } from 'vitest';
import { createDuplicateFilter } from './near-duplicates.ts';

const text = 'The writer holds one lock for as long as its transaction runs, and readers go on beside it.';

test('letter case, marks and white space do not make another text', () => {
  const filter = createDuplicateFilter();
  expect(filter.admit(text)).toBe(true);
  expect(filter.admit(text.toUpperCase().replaceAll(' ', ' \n* '))).toBe(false);
});

test('a text that shares half of its words in order is another', () => {
  const filter = createDuplicateFilter();
  filter.admit(text);
  expect(filter.admit(`${text.slice(0, 45)} and a reader waits until the log has been copied back in full.`)).toBe(
    true,
  );
});

test.each([
  ['letters with accents', 'Ä über größe ñandú élan çà et là où l’été naît déjà'],
  ['scripts without spaces', '索引 検索 文書 質問 回答 頁 節 語 句 字'],
  ['letters of two units', '𝒶𝒷 𝒸𝒹 𝑒𝒻 𝑔𝒽 𝒾𝒿 𝓀𝓁 𝓂𝓃 𝑜𝓅 𝓆𝓇 𝓈𝓉'],
])('%s are words too', (_, words) => {
  const filter = createDuplicateFilter();
  expect(filter.admit(words)).toBe(true);
  expect(filter.admit(`${words}!`)).toBe(false);
  expect(filter.admit(words.split(' ').reverse().join(' '))).toBe(true);
});

test('a short text always passes', () => {
  const filter = createDuplicateFilter();
  expect([filter.admit('See also below.'), filter.admit('See also below.')]).toEqual([true, true]);
});
