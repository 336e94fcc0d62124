import { beforeAll, describe, expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { countTokens } from '#server/ingest/split/index.ts';
import { type ClientKind, connect, textOf } from './clients.ts';
import { contextOf, type TestContext } from './context-of.ts';
import { startMcpServer } from './mcp-server.ts';
import type { PageOfTest } from './memory-shelf.ts';
import { prose, sampleModules } from './sample-docs.ts';

type Result = Awaited<ReturnType<Awaited<ReturnType<typeof connect>>['call']>>;

const budgets = [100, 101, 127, 160, 200, 256, 333, 400, 512, 777, 1_000, 1_250, 2_000, 3_333, 5_000, 7_500, 10_000];

/** Pages whose text grows much when quoted in JSON, with long addresses and titles. */
const quoted: PageOfTest[] = Array.from({ length: 30 }, (_, index) => ({
  url: `https://quotes${index}.example/${'a-long-part/'.repeat(index % 7)}page`,
  title: `Zebra "quotes" \\ part ${index}: ${'über '.repeat(index % 5)}`,
  sections: Array.from({ length: 4 }, (__, at) => ({
    anchor: `part-${at}`,
    headingPath: [`Widget \\"${at}\\"`, '日本語'],
    text: `zebra widget ${index} ${at}\n\n\`\`\`js\nconst x = "\\"\\\\n\\"";\n\tcall("\\u0000");\n\`\`\`\n\n${prose(`zebra${index}`, 90 * (at + 1))}`,
  })),
}));

let ctx: TestContext;

beforeAll(async () => {
  ctx = await contextOf();
});

/** Counts all that a client may show its model, which excludes `_meta`. */
function totalTokens({ structuredContent, ...result }: Result): number {
  const structure = structuredContent === undefined ? 0 : countTokens(JSON.stringify(structuredContent));
  return countTokens(textOf(result as Result)) + structure;
}

describe.each<[string, string]>([
  ['test-client', 'lectern_search_documentation'],
  ['claude-code', 'lectern_search_documentation'],
  ['openai-mcp', 'search'],
])('the search result for %s', (name, tool) => {
  test.each<ClientKind>(['session-less', 'session-bearing'])('never exceeds the total budget (%s)', async (kind) => {
    const { url } = await startMcpServer(ctx, { modules: [...sampleModules, { moduleId: 'quotes', pages: quoted }] });
    for (const budget of budgets) {
      // A separate conversation with three calls, so that repeated passages are left out and reported.
      const { call } = await connect(kind, url, { name: `${name} ${kind} ${budget}` });
      for (const query of ['zebra widget quotes', 'zebra widget quotes', 'create_task zebra', 'nothing-of-this-name']) {
        const result = await call(tool, { query, budget });
        expect(result.isError).toBeFalsy();
        const total = totalTokens(result);
        expect({ budget, query, total, isWithin: total <= budget }).toMatchObject({ isWithin: true });
      }
    }
  });
});

test.each<ClientKind>(['session-less', 'session-bearing'])(
  'a read never exceeds the total budget (%s)',
  async (kind) => {
    const { url } = await startMcpServer(ctx, { modules: [...sampleModules, { moduleId: 'quotes', pages: quoted }] });
    const tools: [name: string, tool: string][] = [
      ['test-client', 'lectern_read_url'],
      ['claude-code', 'lectern_read_url'],
      ['openai-mcp', 'fetch'],
    ];
    for (const [name, tool] of tools) {
      for (const budget of budgets) {
        const { call } = await connect(kind, url, { name: `${name} read ${kind} ${budget}` });
        for (const page of ['https://tasklib.example/manual', 'https://quotes1.example/a-long-part/page#part-1']) {
          const result = await call(tool, { url: page, budget });
          const total = totalTokens(result);
          expect({ name, budget, page, total, isWithin: total <= budget }).toMatchObject({ isWithin: true });
        }
      }
    }
  },
);

test('a client that shows only structured content gets passages, unless the budget fits only addresses', async () => {
  const { url } = await startMcpServer(ctx, { modules: [{ moduleId: 'quotes', pages: quoted }] });
  const search = async (values: Record<string, unknown>) => {
    const { call } = await connect('session-bearing', url, { name: 'program' });
    const answer = await call('lectern_search_documentation', { query: 'zebra widget quotes', ...values });
    return { answer, results: (answer.structuredContent as { results: { url: string; text?: string }[] }).results };
  };
  const byDefault = await search({});
  expect(countTokens(textOf(byDefault.answer))).toBeLessThanOrEqual(limits.searchTokensDefault);
  expect(byDefault.results.length).toBeGreaterThanOrEqual(3);
  for (const { url: address } of byDefault.results)
    expect(textOf(byDefault.answer)).toContain(address.replace(/#.*/, ''));
  const shown = byDefault.results.filter(({ text }) => text !== '');
  expect(shown.length).toBeGreaterThan(0);
  for (const { text } of shown) expect(textOf(byDefault.answer)).toContain(text?.split('\n').at(-1));
  const within = await search({ budget: limits.searchTokensDefault });
  for (const result of within.results) expect(Object.keys(result)).toEqual(['url']);
  const only = await startMcpServer(ctx);
  const { call } = await connect('session-bearing', only.url, { name: 'program' });
  const small = await call('lectern_search_documentation', { query: 'stop_job', module: 'otherlib', budget: 2_000 });
  expect(small.structuredContent).toMatchObject({ results: [{ text: expect.stringContaining('stop_job') }] });
});

test('a client that shows only structured content gets the text of a read, unless the budget is too small', async () => {
  const { url } = await startMcpServer(ctx, { modules: [...sampleModules, { moduleId: 'quotes', pages: quoted }] });
  const read = async (values: Record<string, unknown>) => {
    const { call } = await connect('session-bearing', url, { name: 'program' });
    return call('lectern_read_url', { url: 'https://quotes1.example/a-long-part/page', ...values });
  };
  const whole = await read({});
  expect(whole.structuredContent).toMatchObject({ text: textOf(whole) });
  const within = await read({ budget: countTokens(textOf(whole)) });
  expect(Object.keys(within.structuredContent ?? {})).toEqual(['url', 'title', 'wholePageTokens', 'isCut']);
});

test.each([
  ['program', 'lectern_search_documentation', 'lectern_read_url'],
  ['claude-code', 'lectern_search_documentation', 'lectern_read_url'],
  ['openai-mcp', 'search', 'fetch'],
])(
  'the recorded call of %s contains the complete response, including structured content',
  async (name, search, read) => {
    const { url } = await startMcpServer(ctx, { modules: [...sampleModules, { moduleId: 'quotes', pages: quoted }] });
    const { call } = await connect('session-bearing', url, { name });
    const sent = [
      totalTokens(await call(search, { query: 'zebra widget quotes' })),
      totalTokens(await call(read, { url: 'https://quotes1.example/a-long-part/page' })),
    ];
    const newest = ctx.db.query.selectFrom('agentCalls').select('tokens').orderBy('id', 'desc').limit(2);
    const rows = await newest.execute();
    expect(rows.map(({ tokens }) => tokens).reverse()).toEqual(sent);
  },
);
