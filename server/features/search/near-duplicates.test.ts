import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDuplicateFilter } from './near-duplicates.ts';

const text = 'The writer holds one lock for as long as its transaction runs, and readers go on beside it.';

test('letter case, punctuation and white space do not make a text different', () => {
  const filter = createDuplicateFilter();
  expect(filter.admit(text)).toBe(true);
  expect(filter.admit(text.toUpperCase().replaceAll(' ', ' \n* '))).toBe(false);
});

test('a text that shares half of its words in order is different', () => {
  const filter = createDuplicateFilter();
  filter.admit(text);
  expect(filter.admit(`${text.slice(0, 45)} and a reader waits until the log has been copied back in full.`)).toBe(
    true,
  );
});

const about = (name: string) => `${name} guards the zebra with all levels that are given to ${name} by its caller`;

test('the owner of a name does not make a page different', () => {
  const filter = createDuplicateFilter();
  expect(filter.admit(about('LinearResults.registry'), 'models.LinearResults.registry')).toBe(true);
  expect(filter.admit(about('RobustResults.registry'), 'models.RobustResults.registry')).toBe(false);
  expect(filter.admit(about('std::vector::insert'), 'std::vector::insert')).toBe(true);
  expect(filter.admit(about('std::deque::insert'), 'std::deque::insert')).toBe(false);
});

test.each([
  ['Wallet.deposit', 'Wallet.withdraw'],
  ['Connect MySQL', 'Connect PostgreSQL'],
  ['Next.js', 'Nuxt.js'],
  ['Install on macOS', 'Install on FreeBSD'],
])('%s is a different page than %s', (first, second) => {
  const filter = createDuplicateFilter();
  const last = (title: string) => title.split(' ').at(-1) ?? '';
  expect(filter.admit(about(last(first)), first)).toBe(true);
  expect(filter.admit(about(last(second)), second)).toBe(true);
});

test.each([
  ['letters with accents', 'Ä über größe ñandú élan çà et là où l’été naît déjà'],
  ['scripts without spaces', '索引 検索 文書 質問 回答 頁 節 語 句 字'],
  ['letters of two units', '𝒶𝒷 𝒸𝒹 𝑒𝒻 𝑔𝒽 𝒾𝒿 𝓀𝓁 𝓂𝓃 𝑜𝓅 𝓆𝓇 𝓈𝓉'],
])('%s count as words', (_, words) => {
  const filter = createDuplicateFilter();
  expect(filter.admit(words)).toBe(true);
  expect(filter.admit(`${words}!`)).toBe(false);
  expect(filter.admit(words.split(' ').reverse().join(' '))).toBe(true);
});

test('a text passes if it shares less than 85 % of its three-word sequences with each earlier text', () => {
  const word = fc.constantFrom('lock', 'log', 'page', 'reader', 'writer', 'copy');
  const words = fc.oneof(fc.array(word, { maxLength: 40 }), fc.array(word, { minLength: 100, maxLength: 500 }));
  // Each text is an earlier one without some words, or a new one.
  const change = fc.record({
    own: words,
    from: fc.nat(),
    without: fc.array(fc.nat(), { maxLength: 6 }),
    isOwn: fc.boolean(),
  });
  const runsOf = (text: string[]) => new Set(text.slice(2).map((_, at) => text.slice(at, at + 3).join(' ')));
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
      const filter = createDuplicateFilter();
      const texts: string[][] = [];
      const passed: Set<string>[] = [];
      for (const { own, from, without, isOwn } of changes) {
        const base = isOwn ? own : (texts[from % Math.max(1, texts.length)] ?? own);
        const gone = new Set(without.map((place) => place % Math.max(1, base.length)));
        const words = base.filter((_, at) => !gone.has(at));
        texts.push(words);
        const runs = runsOf(words);
        const isSame = (other: Set<string>) => {
          const common = [...other].filter((run) => runs.has(run)).length;
          return common / (runs.size + other.size - common) >= 0.85;
        };
        const passes = runs.size < 6 || !passed.some(isSame);
        if (passes && runs.size >= 6) passed.push(runs);
        expect(filter.admit(words.join(' '))).toBe(passes);
      }
    }),
    { numRuns: 200 },
  );
});

test('a short text always passes', () => {
  const filter = createDuplicateFilter();
  expect([filter.admit('See also below.'), filter.admit('See also below.')]).toEqual([true, true]);
});
