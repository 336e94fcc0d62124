import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { searchSegments } from '#server/engine/index.ts';
import { createSearch } from '#server/features/search/index.ts';
import { runStdio } from '#server/mcp/stdio.ts';
import { StdioLines } from '#server/mcp/stdio-lines.ts';
import { runThinStdio } from '#server/mcp/thin-stdio.ts';
import { systemClock } from '#server/platform/clock.ts';
import { textOf } from './clients.ts';
import { as, contextOf, type TestContext } from './context-of.ts';
import { keyOf, startMcpServer } from './mcp-server.ts';
import { type ModuleOfTest, memoryShelf } from './memory-shelf.ts';

type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, string> };
type Era = '2026-07-28' | '2025 revisions';
type Way = 'over HTTP' | 'over stdio' | 'over stdio from the data of this machine';

function library(name: string, version: string | undefined, unit: string): ModuleOfTest {
  const host = `${name}${version === undefined ? '' : version.replace('.', '-')}.example`;
  return {
    ...{ moduleId: version === undefined ? name : `${name}~${version}`, library: name },
    ...(version === undefined ? {} : { version }),
    displayName: `The ${name} book`,
    pages: [
      {
        url: `https://${host}/timeouts`,
        title: 'Timeouts',
        sections: [{ anchor: 'set', headingPath: ['Setting'], text: `Set the timeout of a request in ${unit} here.` }],
      },
    ],
  };
}

const three = [
  library('kettle', undefined, 'seconds'),
  library('teapot', undefined, 'minutes'),
  library('stove', undefined, 'hours'),
];
const versions = [library('kettle', '1.0', 'seconds'), library('kettle', '2.0', 'minutes')];

let ctx: TestContext;

beforeEach(async () => {
  const sleep = () => systemClock.sleep(5);
  ctx = { ...(await contextOf()), clock: { ...systemClock, sleep, advance: () => {}, set: () => {}, sleeperCount: 0 } };
});

interface Agent {
  questions: { message: string; requestedSchema: unknown }[];
  search(query: string, values?: Record<string, unknown>): Promise<string>;
}

/** Connects a real client; without `answer` it cannot ask its user. */
async function agentOf(
  modules: ModuleOfTest[],
  {
    era,
    way = 'over HTTP',
    answer,
    name = 'editor',
  }: { era: Era; way?: Way; answer?: (message: string) => Answer; name?: string },
): Promise<Agent> {
  const mode = era === '2026-07-28' ? { pin: '2026-07-28' } : 'legacy';
  const capabilities = answer === undefined ? {} : { elicitation: {} };
  const options = { versionNegotiation: { mode }, capabilities };
  const client = new Client({ name, version: '1' }, options as ConstructorParameters<typeof Client>[1]);
  const questions: Agent['questions'] = [];
  if (answer !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      questions.push(params as Agent['questions'][number]);
      return answer(params.message);
    });
  }
  await client.connect(await transportOf(modules, way));
  onTestFinished(() => client.close());
  return {
    questions,
    async search(query, values = {}) {
      const result = await client.callTool({ name: 'lectern_search_documentation', arguments: { query, ...values } });
      return textOf(result as never);
    },
  };
}

async function transportOf(modules: ModuleOfTest[], way: Way): Promise<StreamableHTTPClientTransport | StdioLines> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  if (way === 'over stdio from the data of this machine') {
    const search = createSearch({ shelf: memoryShelf(modules) });
    const ended = runStdio({ search, productName: 'Lectern', version: '0', contextOf: () => ctx, input, output });
    onTestFinished(async () => {
      input.end();
      await ended;
    });
    return new StdioLines(output, input);
  }
  const { url } = await startMcpServer(ctx, { modules });
  if (way === 'over HTTP') {
    const requestInit = { headers: { authorization: `Bearer ${keyOf('anna')}` } };
    return new StreamableHTTPClientTransport(new URL(url), { requestInit });
  }
  const ended = runThinStdio({ url, key: keyOf('anna'), input, output });
  onTestFinished(async () => {
    input.end();
    await ended;
  });
  return new StdioLines(output, input);
}

const pick = (which: string) => (): Answer => ({ action: 'accept', content: { which } });
const eras: Era[] = ['2026-07-28', '2025 revisions'];
const ways: Way[] = ['over HTTP', 'over stdio', 'over stdio from the data of this machine'];

describe.each(eras.flatMap((era) => ways.map((way) => ({ era, way }))))('a client of the $era $way', ({ era, way }) => {
  test('asks its user once which library is meant, and the conversation uses the answer', async () => {
    const agent = await agentOf(three, { era, way, answer: pick('teapot') });
    const first = await agent.search('set the timeout of a request');
    expect(first).toContain('in minutes');
    expect(first).not.toMatch(/in seconds|in hours|Several libraries/);
    expect(agent.questions).toHaveLength(1);
    expect(agent.questions[0]?.message).toContain('Which library is meant?');
    expect(agent.questions[0]?.requestedSchema).toMatchObject({
      properties: {
        which: {
          enum: expect.arrayContaining(['kettle', 'teapot', 'stove', 'any']),
          enumNames: expect.arrayContaining(['The teapot book (teapot)', 'Any of them']),
        },
      },
    });
    expect(await agent.search('timeout of a request, set')).not.toMatch(/in seconds|in hours/);
    expect(agent.questions).toHaveLength(1);
  });

  test('that cannot ask gets one line instead', async () => {
    const agent = await agentOf(three, { era, way });
    const text = await agent.search('set the timeout of a request');
    expect(text).toContain('in seconds');
    expect(text.match(/§ Several libraries fit; name one in module: /g)).toHaveLength(1);
  });
});

describe.each(eras)('with the protocol of the %s', (era) => {
  test('a user who declines gets passages of all libraries, and is not asked again', async () => {
    const agent = await agentOf(three, { era, answer: () => ({ action: 'decline' }) });
    const text = await agent.search('set the timeout of a request');
    expect(text).toMatch(/in seconds[^]*in hours|in hours[^]*in seconds/);
    await agent.search('a request with a timeout');
    expect(agent.questions).toHaveLength(1);
  });

  test('an answer also covers libraries not offered, and later queries that the library answers nearly as well', async () => {
    const page = (host: string, text: string) => ({
      url: `https://${host}.example/more`,
      title: 'More',
      sections: [{ anchor: 'more', headingPath: ['More'], text }],
    });
    const modules = three.map((module) => ({ ...module, pages: [...module.pages] }));
    modules[0]?.pages.push(page('kettle', 'How often a failed call is made again: retries of a call, retries.'));
    modules[1]?.pages.push(page('teapot', 'How often a failed call is made again, and how retries wait.'));
    const lamp = {
      ...library('lamp', undefined, 'days'),
      pages: [page('lamp', 'Some request has a timeout of days.')],
    };
    const agent = await agentOf([...modules, lamp], { era, answer: pick('teapot') });
    expect(await agent.search('set the timeout of a request')).not.toContain('days');
    expect(agent.questions).toHaveLength(1);
    const later = await agent.search('retries of a failed call');
    expect(later).toContain('how retries wait');
    expect(later).not.toContain('kettle.example');
    expect(await agent.search('kettle retries of a failed call')).toContain('kettle.example');
  });

  test('a version is asked for only if versions give different answers', async () => {
    const agent = await agentOf(versions, { era, answer: pick('kettle~1.0') });
    expect(await agent.search('set the timeout of a request')).toContain('in seconds');
    expect(agent.questions[0]?.message).toContain('Which version of The kettle book is meant?');
    const same = [library('kettle', '1.0', 'hours'), library('kettle', '2.0', 'hours')];
    const other = await agentOf(same, { era, answer: pick('kettle~1.0'), name: 'other' });
    expect(await other.search('set the timeout of a request')).toContain('in hours');
    expect(other.questions).toEqual([]);
  });

  test('no user is asked if the query or the agent names the library', async () => {
    const agent = await agentOf(three, { era, answer: pick('stove') });
    expect(await agent.search('set the timeout of a request', { module: 'teapot' })).toContain('in minutes');
    expect(await agent.search('set the timeout of a kettle request')).toContain('in seconds');
    expect(agent.questions).toEqual([]);
  });

  test('an answer that was not among the options selects nothing', async () => {
    const agent = await agentOf(three, { era, answer: pick('somebody-elses') });
    expect(await agent.search('set the timeout of a request')).toContain('Several libraries fit');
    expect(agent.questions).toHaveLength(1);
  });
});

/** Runs a search that waits for a user's answer, calling `whileWaiting` meanwhile. Returns the complete stream. */
async function searchThatWaits({ url }: { url: string }, whileWaiting: () => void): Promise<string> {
  const headers: Record<string, string> = {
    ...{ authorization: `Bearer ${keyOf('anna')}`, 'content-type': 'application/json' },
    accept: 'application/json, text/event-stream',
  };
  const send = (method: string, params: unknown) =>
    fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) });
  const about = { clientInfo: { name: 'editor', version: '1' }, capabilities: { elicitation: {} } };
  const opened = await send('initialize', { protocolVersion: '2025-06-18', ...about });
  headers['mcp-session-id'] = opened.headers.get('mcp-session-id') ?? '';
  const query = 'set the timeout of a request';
  const answer = await send('tools/call', { name: 'lectern_search_documentation', arguments: { query } });
  let text = '';
  let isWaiting = false;
  for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    if (isWaiting || !text.includes('elicitation/create')) continue;
    isWaiting = true;
    whileWaiting();
  }
  return text;
}

test.each([
  [true, 'nothing, the stream ends'],
  [false, 'passages'],
])('a search that waits while its key may be revoked (%s) gets %s', async (isRevoked) => {
  let aheadMs = 0;
  ctx = { ...ctx, clock: { ...ctx.clock, now: () => systemClock.now() + aheadMs } };
  const server = await startMcpServer(ctx, { modules: three });
  const text = await searchThatWaits(server, () => {
    if (isRevoked) server.revoked.add('anna');
    // Past the time limit for an answer.
    aheadMs = 60_000;
  });
  expect([text.includes('elicitation/create'), text.includes('in hours')]).toEqual([true, !isRevoked]);
});

test('if keys cannot be checked when the answer arrives, the stream fails and nothing more is written to it', async () => {
  let aheadMs = 0;
  ctx = { ...ctx, clock: { ...ctx.clock, now: () => systemClock.now() + aheadMs } };
  const server = await startMcpServer(ctx, { modules: three });
  const failed = searchThatWaits(server, () => {
    server.fault.error = new Error('the database is away');
    aheadMs = 60_000;
  });
  await expect(failed).rejects.toThrow();
  // Longer than the interval of keep-alive comments: writing another one would end the process.
  await delay(5_500);
});

test('a question can only be answered by the user who was asked', async () => {
  const { which } = createSearch({ shelf: memoryShelf(three) });
  const agent = { clientName: 'editor' };
  const { question } = await which.ask(ctx, { query: 'set the timeout of a request' }, agent);
  const bert: Context = as(ctx, 'bert');
  await which.answer(bert, question?.id ?? '', { picked: 'teapot' });
  expect(await which.isOpen(ctx, question?.id ?? '')).toBe(true);
  await which.answer(ctx, question?.id ?? '', { picked: 'teapot' });
  await which.answer(ctx, question?.id ?? '', { picked: 'stove' });
  const { searchDocs } = createSearch({ shelf: memoryShelf(three) });
  expect((await searchDocs(ctx, { query: 'timeout of a request' }, agent)).results).toMatchObject([
    { moduleId: 'teapot' },
  ]);
});

test('simultaneous searches ask one question', async () => {
  const { which } = createSearch({ shelf: memoryShelf(three) });
  const ask = () => which.ask(ctx, { query: 'set the timeout of a request' }, { clientName: 'editor' });
  const asked = await Promise.all([ask(), ask(), ask()]);
  expect(asked.filter(({ question }) => question !== undefined)).toHaveLength(1);
});

test('a search without a question is ranked once, and a later one again', async () => {
  let ranked = 0;
  const search = createSearch({
    shelf: memoryShelf(three),
    ranker: {
      rank: async (views, query, options) => {
        ranked += 1;
        return searchSegments(views, query, options);
      },
    },
  });
  const agent = { clientName: 'editor' };
  const input = { query: 'timeout of a request in hours' };
  const { question, found } = await search.which.ask(ctx, input, agent);
  expect(question).toBeUndefined();
  const first = await search.searchDocs(ctx, { ...input, found }, agent);
  expect([ranked, first.results[0]?.moduleId]).toEqual([1, 'stove']);
  expect(await search.searchDocs(ctx, { ...input }, undefined)).toMatchObject({ results: first.results });
  expect(ranked).toBe(2);
});
