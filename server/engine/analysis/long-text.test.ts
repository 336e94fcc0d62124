import { expect, test } from 'vitest';
import { analyzeQuery, queryTermsMax } from './analyze-query.ts';

const sharesOf = (query: string) => new Map(analyzeQuery(query).terms.map(({ term, share }) => [term, share]));

const task = `We read the sensor file once a minute and one of the columns has gaps where the probe was asleep.
  \`\`\`python import lanternlib frame = lanternlib.load("sensor.bin", header=None, chunk=512, dtype=float32) frame.columns = names
  frame.drop(axis=1, labels=unused, inplace=True) \`\`\` How can the gaps be filled with the reading that came before?`;

test('words of a sentence count more than words of the code next to it', () => {
  const shares = sharesOf(task);
  for (const prose of ['fill', 'asleep']) {
    for (const code of ['chunk', 'dtype']) expect(shares.get(prose)).toBeGreaterThan(shares.get(code) as number);
  }
});

test('a repeated word counts more, up to four times', () => {
  const counted = [1, 2, 4, 8].map((times) => sharesOf(`${'kettle mast '.repeat(times)} ${'anchor '.repeat(40)}`));
  const [once, twice, four, eight] = counted.map((shares) => shares.get('kettl') as number) as [
    number,
    number,
    number,
    number,
  ];
  expect(twice).toBeGreaterThan(once);
  expect(four).toBeGreaterThan(twice);
  expect(eight).toBe(four);
});

test('in a short query each term counts by its kind', () => {
  const words = Array.from({ length: 25 }, (_, at) => `word${'abcdefghijklmnopqrstuvwxy'[at]}`);
  expect(new Set(sharesOf(words.join(' ')).values())).toEqual(new Set([1]));
  expect(sharesOf(`${words.join(' ')} more`).get('more')).toBeLessThan(1);
});

test('a question that follows more data than the term limit is still looked up', () => {
  const data = Array.from({ length: 3 * queryTermsMax }, (_, at) => `item${at}x`).join(' ');
  const terms = analyzeQuery(`${data} How can the lantern be lit from the harbour?`).terms.map(({ term }) => term);
  expect(terms.length).toBe(queryTermsMax);
  expect(terms).toEqual(expect.arrayContaining(['lantern', 'lit', 'harbour']));
});
