import { PassThrough } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { indexRequestEndpoints } from '#contract/index-requests.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { countTokens } from '#server/ingest/split/index.ts';
import { StdioLines } from '#server/mcp/stdio-lines.ts';
import { runThinStdio } from '#server/mcp/thin-stdio.ts';
import { type HttpRig, openHttpRig } from '../http/http-rig.ts';
import { type SampleSite, startSampleSite } from '../library/sample-site.ts';
import { textOf } from './clients.ts';

const tool = 'lectern_index_source';
type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, boolean> };
type Era = '2026-07-28' | '2025 revisions';
type Way = 'over HTTP' | 'over stdio';

interface Stage {
  rig: HttpRig;
  site: SampleSite;
  secret: string;
}

async function stage(): Promise<Stage> {
  const site = await startSampleSite(3);
  onTestFinished(() => site.close());
  const rig = await openHttpRig({ LECTERN_ALLOW_HOSTS: site.host });
  const { secret } = await rig.ask(keyEndpoints.createKey, { name: 'Claude Code', mayAskToIndex: true });
  return { rig, site, secret };
}

interface Agent {
  client: Client;
  questions: string[];
  ask(address: string, onProgress?: (progress: number) => void): Promise<string>;
}

/** Connects a real client of an era; without `answer` it cannot ask its user. */
async function agentOf(
  { rig, secret }: Pick<Stage, 'rig' | 'secret'>,
  { era, way = 'over HTTP', answer }: { era: Era; way?: Way; answer?: (message: string) => Answer | Promise<Answer> },
): Promise<Agent> {
  const mode = era === '2026-07-28' ? { pin: '2026-07-28' } : 'legacy';
  const capabilities = answer === undefined ? {} : { elicitation: {} };
  const options = { versionNegotiation: { mode }, capabilities };
  const client = new Client({ name: 'editor', version: '1' }, options as ConstructorParameters<typeof Client>[1]);
  const questions: string[] = [];
  if (answer !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      questions.push(params.message);
      return answer(params.message);
    });
  }
  await client.connect(way === 'over HTTP' ? overHttp(rig, secret) : overStdio(rig, secret));
  onTestFinished(() => client.close());
  return {
    client,
    questions,
    async ask(address, onProgress) {
      const onprogress = onProgress && (({ progress }: { progress: number }) => onProgress(progress));
      const result = await client.callTool({ name: tool, arguments: { address } }, { onprogress });
      return textOf(result as never);
    },
  };
}

function overHttp(rig: HttpRig, secret: string): StreamableHTTPClientTransport {
  const requestInit = { headers: { authorization: `Bearer ${secret}` } };
  return new StreamableHTTPClientTransport(new URL(`${rig.url}/mcp`), { requestInit });
}

function overStdio(rig: HttpRig, key: string): StdioLines {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const ended = runThinStdio({ url: `${rig.url}/mcp`, key, input, output });
  onTestFinished(async () => {
    input.end();
    await ended;
  });
  return new StdioLines(output, input);
}

/** Returns the agent's response once the run has ended, which takes longer on a busy machine than a call waits. */
async function whenIndexed(agent: Agent, address: string, told?: string): Promise<string> {
  let text = told ?? (await agent.ask(address));
  for (let again = 0; again < 5 && text.startsWith('Indexing'); again += 1) text = await agent.ask(address);
  return text;
}

const requestsOf = async (rig: HttpRig) => (await rig.ask(indexRequestEndpoints.listIndexRequests, {})).requests;

const eras: Era[] = ['2026-07-28', '2025 revisions'];
const ways: Way[] = ['over HTTP', 'over stdio'];
const everyWay = eras.flatMap((era) => ways.map((way) => ({ era, way })));

describe.each(everyWay)('an agent of the $era $way', ({ era, way }) => {
  test('has a source indexed after its user agrees in the client, and sees the progress', async () => {
    const it = await stage();
    const consent = (): Answer => ({ action: 'accept', content: { index: true } });
    const agent = await agentOf(it, { era, way, answer: consent });
    const progress: number[] = [];
    // Few pages may all be read before the progress is checked.
    const told = Promise.withResolvers<void>();
    it.site.onRequest = () => told.promise;
    const first = await agent.ask(it.site.url, (done) => {
      progress.push(done);
      told.resolve();
    });
    expect(await whenIndexed(agent, it.site.url, first)).toBe(
      'Indexed: 4 pages. Search with module "127.0.0.1-' + `${it.site.port}~docs".`,
    );
    expect(agent.questions).toHaveLength(1);
    expect(agent.questions[0]).toContain(`Index ${it.site.url}?`);
    // The plan decides how many pages can be fetched.
    expect(agent.questions[0]).not.toMatch(/[\d,]+ pages/);
    expect(agent.questions[0]).toContain('For: yourself, privately. Requested by: Claude Code.');
    expect(progress.length).toBeGreaterThan(0);
    const [request] = await requestsOf(it.rig);
    expect(request).toMatchObject({ state: 'approved', address: it.site.url, askedBy: 'Claude Code' });
    expect(await agent.ask(it.site.url)).toContain('Indexed: 4 pages.');
    expect(agent.questions).toHaveLength(1);
  });

  test('learns that its user declined, and the user is not asked again', async () => {
    const it = await stage();
    const agent = await agentOf(it, { era, way, answer: () => ({ action: 'decline' }) });
    expect(await agent.ask(it.site.url)).toBe('Declined. Do not ask again within 24 h.');
    expect(await agent.ask(it.site.url)).toBe('Declined. Do not ask again within 24 h.');
    expect(agent.questions).toHaveLength(1);
    expect(it.site.takeRequests()).toEqual([]);
  });

  test.each<[string, Answer]>([
    ['closes the question', { action: 'cancel' }],
    ['sends it off without a tick', { action: 'accept', content: { index: false } }],
  ])('leaves the decision to the website if its user %s', async (_, answer) => {
    const it = await stage();
    const agent = await agentOf(it, { era, way, answer: () => answer });
    const text = await agent.ask(it.site.url);
    const [request] = await requestsOf(it.rig);
    expect(request?.state).toBe('pending');
    expect(agent.questions).toHaveLength(1);
    expect(text).toContain(`(${request?.id}): ${it.rig.url}/resources?tab=requests`);
    await it.rig.ask(indexRequestEndpoints.declineIndexRequest, { requestId: request?.id ?? '' });
    expect(await agent.ask(it.site.url)).toContain('Declined.');
    expect(it.site.takeRequests()).toEqual([]);
  });

  test('waits for the website if its user cannot be asked, with one request however often it asks', async () => {
    const it = await stage();
    const agent = await agentOf(it, { era, way });
    const [first, second] = await Promise.all([agent.ask(it.site.url), agent.ask(it.site.url)]);
    const requests = await requestsOf(it.rig);
    expect(requests).toHaveLength(1);
    const [request] = requests;
    expect(first).toBe(
      `Waiting for a person's approval (${request?.id}): ${it.rig.url}/resources?tab=requests. Continue without it; call again later for its state.`,
    );
    expect(second).toBe(first);
    expect(countTokens(first)).toBeLessThan(80);
    await it.rig.ask(indexRequestEndpoints.approveIndexRequest, { requestId: request?.id ?? '' });
    expect(await whenIndexed(agent, it.site.url)).toContain('Indexed: 4 pages.');
  });
});

test('only keys created for it see the tool and can call it', async () => {
  const { rig, site } = await stage();
  const { secret } = await rig.createKey('plain');
  for (const era of eras) {
    const { client, ask } = await agentOf({ rig, secret }, { era });
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain(tool);
    await expect(ask(site.url)).rejects.toThrow(/There is no tool/);
  }
  expect(await requestsOf(rig)).toEqual([]);
});

test('a source of one page is described in the singular, and an address that is too long is refused', async () => {
  const it = await stage();
  it.site.pages.clear();
  const agent = await agentOf(it, {
    era: '2026-07-28',
    answer: () => ({ action: 'accept', content: { index: true } }),
  });
  expect(await whenIndexed(agent, it.site.url)).toContain('Indexed: 1 page. Search');
  expect(await agent.ask('')).toContain('give an address');
  expect(await agent.ask(`https://host.example/${'x'.repeat(5_000)}`)).toMatch(/the address has over \d+ characters/);
});

test('the tools cost at most 350 tokens, also with the index tool', async () => {
  const it = await stage();
  for (const era of eras) {
    const { client } = await agentOf(it, { era });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain(tool);
    expect(countTokens(JSON.stringify(tools))).toBeLessThanOrEqual(350);
  }
});

test.each([
  ['/etc', 'Only the operator can add folders'],
  ['https://anna:secret@docs.example/', 'Remove the user name and password'],
  ['ftp://docs.example/', 'are not supported'],
  ['not an address', 'neither an address'],
])('an invalid request is refused with the reason: %s', async (address, reason) => {
  const it = await stage();
  const { client } = await agentOf(it, { era: '2026-07-28' });
  const result = await client.callTool({ name: tool, arguments: { address } });
  expect(result.isError).toBe(true);
  expect(textOf(result as never)).toContain(reason);
  expect(await requestsOf(it.rig)).toEqual([]);
});

test.each([
  'http://10.0.0.1/docs/',
  'http://169.254.169.254/latest/',
  'git@192.168.0.7:team/docs.git',
  'https://wiki/',
])('no user is asked about an address that would not be fetched: %s', async (address) => {
  const it = await stage();
  for (const era of eras) {
    const consent = (): Answer => ({ action: 'accept', content: { index: true } });
    const { client, questions } = await agentOf(it, { era, answer: consent });
    const result = await client.callTool({ name: tool, arguments: { address } });
    expect(result.isError).toBe(true);
    expect(textOf(result as never)).toMatch(/is not a public address .* add .* to LECTERN_ALLOW_HOSTS/);
    expect(questions).toEqual([]);
  }
  expect(await requestsOf(it.rig)).toEqual([]);
});

test('an answer is accepted only with the key that asked', async () => {
  const it = await stage();
  const asking = await agentOf(it, { era: '2026-07-28' });
  await asking.ask(it.site.url);
  const [request] = await requestsOf(it.rig);
  const other = await it.rig.ask(keyEndpoints.createKey, { name: 'other', mayAskToIndex: true });
  const headers = { authorization: `Bearer ${other.secret}`, 'content-type': 'application/json' };
  const post = (body: unknown, more: Record<string, string> = {}) =>
    it.rig.send('/mcp', { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) });
  const clientInfo = { name: 'raw', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: { elicitation: {} }, clientInfo };
  const opened = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  const result = { action: 'accept', content: { index: true } };
  expect((await post({ jsonrpc: '2.0', id: request?.id, result }, session)).status).toBe(202);
  expect((await requestsOf(it.rig))[0]?.state).toBe('pending');
});
