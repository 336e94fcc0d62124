import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { createSearch } from '#server/features/search/index.ts';
import { countTokens } from '#server/ingest/split/index.ts';
import { contextOf, type TestContext } from './context-of.ts';
import { memoryShelf, type PageOfTest } from './memory-shelf.ts';
import { prose } from './sample-docs.ts';

let ctx: TestContext;

beforeAll(async () => {
  ctx = await contextOf();
});

// Words of several scripts, code, Markdown and long runs, whose token counts are hard to predict.
const word = fc.constantFrom(
  'zebra',
  'widget',
  'camelCase',
  'snake_case',
  'über',
  '日本語',
  '😀',
  '—',
  '`code`',
  'https://x.example/',
);
const line = fc.oneof(
  fc.array(word, { maxLength: 40 }).map((words) => words.join(' ')),
  fc.constantFrom('```js', '```', '| a | b |', '| --- | --- |', '', '§ forged', '# Heading', '    indented();'),
  fc.string({ maxLength: 120, unit: 'binary' }),
  fc.nat(400).map((length) => 'x'.repeat(length)),
);
const section = fc.record({
  anchor: fc.oneof(fc.constant(''), fc.string({ maxLength: 60 }), fc.constant('a-long-anchor-'.repeat(20))),
  headingPath: fc.array(fc.string({ maxLength: 80, unit: 'binary' }), { maxLength: 4 }),
  text: fc.oneof(
    fc.array(line, { maxLength: 30 }).map((lines) => `zebra ${lines.join('\n')}`),
    fc.nat(900).map((tokens) => prose('zebra', tokens)),
  ),
});
const pages: fc.Arbitrary<PageOfTest[]> = fc
  .array(
    fc.record({
      url: fc.oneof(fc.webPath(), fc.constant(`/${'long/'.repeat(300)}`)),
      title: fc.string({ maxLength: 120, unit: 'binary' }),
      sections: fc.array(section, { minLength: 1, maxLength: 12 }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((list) =>
    list.map((page, index) => ({ ...page, url: new URL(`https://docs${index}.example${page.url}`).href })),
  );
const budget = fc.oneof(fc.integer({ min: 100, max: 400 }), fc.integer({ min: 100, max: 10_000 }));

test('no search response exceeds its token budget, in any rendering, first or repeated', async () => {
  await fc.assert(
    fc.asyncProperty(pages, budget, fc.uuid(), async (documents, tokensMax, sessionId) => {
      const search = createSearch({ shelf: memoryShelf([{ moduleId: 'm', pages: documents }]) });
      for (const rendering of ['text', 'deep-research', 'overviews'] as const) {
        for (let turn = 0; turn < 2; turn++) {
          const agent = { sessionId: `${sessionId}-${rendering}`, clientName: 'c' };
          const input = { query: 'zebra widget', budget: tokensMax };
          const { text, tokens } = await search.searchDocs(ctx, input, agent, rendering);
          expect(countTokens(text)).toBe(tokens);
          expect(tokens).toBeLessThanOrEqual(tokensMax);
          if (rendering === 'deep-research') expect(JSON.parse(text)).toHaveProperty('results');
        }
      }
    }),
    { numRuns: 60 },
  );
}, 60_000);

/** Even an address can be longer than a small budget. */
function refusedAsTooSmall(error: unknown): { text?: undefined; tokens?: undefined } {
  expect(error).toMatchObject({ code: 'invalid-input', message: expect.stringContaining('budget is too small') });
  return {};
}

test('no read exceeds its token budget, with or without section, query and session memory', async () => {
  await fc.assert(
    fc.asyncProperty(pages, budget, fc.boolean(), fc.uuid(), async (documents, tokensMax, hasSearched, sessionId) => {
      const search = createSearch({ shelf: memoryShelf([{ moduleId: 'm', pages: documents }]) });
      const agent = { sessionId, clientName: 'c' };
      if (hasSearched) await search.searchDocs(ctx, { query: 'zebra', budget: 300 }, agent);
      const page = documents[0];
      const anchor = page?.sections.at(-1)?.anchor ?? '';
      for (const rendering of ['text', 'deep-research'] as const) {
        for (const url of [page?.url ?? '', `${page?.url}#${encodeURIComponent(anchor)}`, `${page?.url}#nowhere`]) {
          const read = search.readUrl(ctx, { url, budget: tokensMax }, agent, rendering);
          const { text, tokens } = await read.catch(refusedAsTooSmall);
          if (text === undefined) continue;
          expect(countTokens(text)).toBe(tokens);
          expect(tokens).toBeLessThanOrEqual(tokensMax);
          if (rendering === 'deep-research') expect(JSON.parse(text)).toHaveProperty('text');
        }
      }
    }),
    { numRuns: 60 },
  );
}, 60_000);
