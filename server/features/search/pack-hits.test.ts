import { expect, test } from 'vitest';
import { countTokens } from '#server/ingest/split/tokens.ts';
import type { Candidate } from './candidates.ts';
import { type PackedHit, packHits } from './pack-hits.ts';
import { queryTerms } from './query-terms.ts';

const sentences = (page: number): string =>
  Array.from(
    { length: 200 },
    (_, line) => `On page ${page} the zebra number ${line * 7 + page} guards registry ${line}.`,
  ).join('\n');

const candidateOf = (page: number): Candidate =>
  ({
    pageKey: `${page}`,
    pageUrl: `https://docs.example/${page}`,
    title: `Page ${page}`,
    snippet: { id: `${page}`, anchor: '', headingPath: [], text: sentences(page) },
    score: 10 - page,
  }) as unknown as Candidate;

test('a passage that begins with its page title spends no tokens on the title', () => {
  const plain = candidateOf(1);
  const titled = { ...plain, snippet: { ...plain.snippet, text: `# Page 1\n\n${plain.snippet.text}` } };
  const pack = (candidate: Candidate) =>
    packHits({
      candidates: [candidate],
      sentBefore: [],
      sentBlocks: new Map(),
      budget: 300,
      hitsMax: 20,
      terms: queryTerms(['registry']),
      tokensOf: (hits) => hits.reduce((sum, { text }) => sum + 10 + countTokens(text), 0),
    })[0];
  expect(pack(titled)?.text).not.toContain('# Page 1');
  expect(pack(titled)?.candidate.snippet.id).toBe('1');
  expect(pack(titled)?.text).toBe(pack(plain)?.text);
});

const passage = (page: number, place: number, score: number, text: string): Candidate =>
  ({
    ...{ pageKey: `${page}`, pageUrl: `https://docs.example/${page}`, title: `Page ${page}`, score, place },
    snippet: { id: `${page}-${place}`, anchor: `a${place}`, headingPath: [], text },
  }) as unknown as Candidate;
const packAll = (candidates: Candidate[], budget: number): PackedHit[] =>
  packHits({
    candidates: candidates.toSorted((a, b) => b.score - a.score),
    sentBefore: [],
    sentBlocks: new Map(),
    budget,
    hitsMax: 20,
    terms: queryTerms(['zebra registry']),
    tokensOf: (hits) => hits.reduce((sum, { text }) => sum + 12 + countTokens(text), 0),
  });

test.each([
  ['a listing that begins with a comment', '## Install\n\n```sh\n# Debian\napt install zebra\n```'],
  [
    'a line without a full stop at the end of its section',
    '## Version 2\n\nReleased in June for the zebra\n\n## Changes',
  ],
])('%s is not a heading: its passage is sent', (_, text) => {
  expect(packAll([passage(1, 1, 9, text)], 1_000).map((hit) => hit.text)).toEqual([text]);
});

const distinct = (page: number, place: number) =>
  sentences(page * 50 + place)
    .split('\n')
    .slice(0, 10)
    .join('\n');

test('passages of a page are grouped in page order, and pages ordered by their best passage', () => {
  const shown = packAll(
    [
      [1, 7, 9],
      [2, 3, 8],
      [1, 2, 7],
    ].map(([page = 0, place = 0, score = 0]) => passage(page, place, score, distinct(page, place))),
    2_000,
  );
  expect(shown.map(({ candidate }) => candidate.snippet.id)).toEqual(['1-2', '1-7', '2-3']);
  expect(shown.every(({ isWhole }) => isWhole)).toBe(true);
});

test('of pages with the same text for different classes one is sent, and the addresses of the others come last', () => {
  const inherited = (page: number, name: string): Candidate => ({
    ...passage(
      page,
      1,
      9 - page,
      `\`${name}.registry(zebra, level=0.05)\`\n\nGuards the zebra with all levels given to it.`,
    ),
    title: `models.${name}.registry`,
  });
  const shown = packAll(
    [
      ...[inherited(1, 'LinearResults'), inherited(2, 'RobustResults'), passage(3, 1, 5, distinct(3, 1))],
      { ...passage(4, 1, 4.5, 'Seven words are too few for repeating.'), title: 'Registry' },
    ],
    2_000,
  );
  expect(shown.map(({ candidate, text }) => [candidate.pageKey, text !== ''])).toEqual([
    ...[
      ['1', true],
      ['3', true],
      ['4', true],
    ],
    ['2', false],
  ]);
});

test.each([
  ['the same page', 1],
  ['another page', 2],
])('a statement of one passage is not repeated by one of %s', (_, page) => {
  const same =
    'This is an associated function that is always called with the type in front of its name, since a method of the zebra it points to may be called so too.';
  const shown = packAll(
    [
      passage(
        1,
        1,
        9,
        `map: \`fn map()\` makes another of it, for a part of what was borrowed, and ends it.\n\n${same}`,
      ),
      passage(
        page,
        2,
        8,
        `clone: \`fn clone()\` makes a copy of it, which counts as one more reader while it lives.\n\n${same}`,
      ),
    ],
    2_000,
  );
  expect(
    shown
      .map(({ text }) => text)
      .join('\n')
      .split(same),
  ).toHaveLength(2);
  expect(shown.find(({ candidate }) => candidate.snippet.id === `${page}-2`)?.text).toContain('makes a copy');
});

test('each parameter keeps its description, even if another passage has the same one', () => {
  const meaning = 'Whether to keep the original range of values, else the zebra is converted by its type.';
  const shown = packAll(
    [
      passage(1, 1, 9, `resize makes an image of another size.\n\npreserve_range : bool, optional\n\n${meaning}`),
      passage(
        1,
        2,
        8,
        `rotate turns the image by an angle.\n\npreserve_range : bool, optional\n\n${meaning}\n\nIt ends.`,
      ),
    ],
    2_000,
  );
  expect(shown.map(({ text }) => text.includes(`preserve_range : bool, optional\n\n${meaning}`))).toEqual([true, true]);
});

test.each([
  ['list', (rows: string[]) => rows.map((row) => `- ${row}`).join('\n')],
  [
    'table',
    (rows: string[]) => ['| name | meaning |', '| --- | --- |', ...rows.map((row) => `| x | ${row} |`)].join('\n'),
  ],
])('a %s of parameters is shown whole, even if another passage has one of them', (_, parameters) => {
  const revision =
    'revision (optional): which revision of the zebra to read, by its number from the first one, or a negative number from the last one.';
  const shown = packAll(
    [
      passage(
        1,
        1,
        9,
        `open reads a zebra from the registry.\n\n${parameters([revision, 'gate: the gate it stands at.'])}`,
      ),
      passage(
        1,
        2,
        8,
        `copy writes a zebra to a file.\n\n${parameters(['to: the file.', revision, 'mode: how to write.'])}`,
      ),
    ],
    2_000,
  );
  expect(shown.map(({ text }) => [text.includes(revision), text.includes('left out')])).toEqual([
    [true, false],
    [true, false],
  ]);
});

test('a listing partly shown in one passage is shown whole in another', () => {
  const enumeration = [
    'enum Coin {',
    ...Array.from({ length: 11 }, (_, at) => `    Zebra${at}(RegistryOf${at}),`),
    '}',
  ];
  const listing = (lines: string[]) => ['```rust', ...lines, '```'].join('\n');
  const whole = listing([...enumeration, '', 'fn main() {', '    println!("the registry of zebras");', '}']);
  const shown = packAll(
    [
      passage(1, 1, 9, `Coins of the zebras are declared before anything else.\n\n${listing(enumeration)}`),
      passage(1, 2, 8, `A program that counts them prints the registry at its end, and is short.\n\n${whole}`),
    ],
    2_000,
  );
  expect(shown.find(({ candidate }) => candidate.snippet.id === '1-2')?.text).toContain(whole);
});

test('a passage that mostly repeats earlier ones is left out, including its headings', () => {
  const table = Array.from(
    { length: 8 },
    (_, at) => `Field ${at} of the answer says how the zebra registry stands at gate ${at}.`,
  );
  const shown = packAll(
    [
      passage(1, 1, 9, table.join('\n\n')),
      passage(1, 2, 8, `Responses\n\n200 OK\n\n${table.join('\n\n')}\n\nSecurity`),
    ],
    2_000,
  );
  expect(shown.filter(({ text }) => text !== '').map(({ candidate }) => candidate.pageKey)).toEqual(['1']);
  // Another page may use the same sentence for something else.
  const sentence = 'Use the `Link` header of the response for the pagination of what comes after the limit.';
  const others = packAll(
    [
      passage(1, 1, 9, `Blocks by administrators, one zebra after the other.\n\n${sentence}`),
      passage(2, 1, 8, `Accounts that you have blocked in the registry.\n\n${sentence}`),
    ],
    2_000,
  );
  expect(others.every(({ text }) => text.includes(sentence))).toBe(true);
});

test('a heading without a body is not a passage', () => {
  const shown = packAll([passage(1, 1, 9, '## Zebras'), passage(2, 1, 8, distinct(2, 1))], 1_000);
  expect(shown.filter(({ text }) => text !== '').map(({ candidate }) => candidate.pageKey)).toEqual(['2']);
});

test('if passages fill the budget, the next pages are listed by address', () => {
  const shown = packAll(
    [1, 2, 3, 4, 5, 6].map((page) => passage(page, 1, 10 - page, sentences(page).split('\n').slice(0, 20).join('\n'))),
    1_250,
  );
  expect(shown.filter(({ text }) => text !== '').length).toBeLessThan(5);
  expect(shown.map(({ candidate }) => candidate.pageKey)).toEqual(['1', '2', '3', '4', '5']);
});

test('a passage far below the best one is left out even if there is room; its page is listed', () => {
  const hits = packAll(
    [passage(1, 0, 10, distinct(1, 0)), passage(2, 0, 5, distinct(2, 0)), passage(3, 0, 3, distinct(3, 0))],
    5_000,
  );
  expect(hits.map(({ candidate, text }) => [candidate.pageKey, text !== ''])).toEqual([
    ['1', true],
    ['2', true],
    ['3', false],
  ]);
});
