import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { callables } from '#contract/callables.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { type HttpRig, openHttpRig } from '../http/http-rig.ts';
import { type CuttableProxy, startCuttableProxy } from '../services/cuttable-proxy.ts';
import { hasPostgres, startPostgres } from '../services/postgres.ts';
import { until } from '../services/until.ts';

const minutes = (count: number) => count * 60_000;
/** As long as a call may take at all; how long it takes on a machine that has nothing else to do is no matter of a test. */
const answeredMs = 60_000;

async function openBehindProxy(): Promise<{ rig: HttpRig; proxy: CuttableProxy; key: Record<string, string> }> {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  await postgres.createDatabase('rows');
  const proxy = await startCuttableProxy(postgres.port);
  const address = postgres.url('rows').replace(`:${postgres.port}/`, `:${proxy.port}/`);
  const rig = await openHttpRig({ DATABASE_URL: address });
  const { sender } = await rig.createKey();
  return { rig, proxy, key: sender };
}

const within = () => ({ signal: AbortSignal.timeout(answeredMs) });

async function connectAgent(rig: HttpRig, headers: Record<string, string>, mode: object): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, mode as ConstructorParameters<typeof Client>[1]);
  await client.connect(new StreamableHTTPClientTransport(new URL(`${rig.url}/mcp`), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
}

const eras = {
  'session-less': { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  'session-bearing': { versionNegotiation: { mode: 'legacy' } },
};

/** Every way in says that it passes, and when to come again; an agent is told so by the tool's result. */
async function requireToldEverywhere(rig: HttpRig, key: Record<string, string>, agents: Client[]): Promise<void> {
  const paths = ['/api/modules', '/api/search?query=loom', '/search_documentation?query=loom', '/api/v2/libs/search'];
  for (const path of paths) {
    const answer = await rig.send(path, { headers: key, ...within() });
    expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, '2']);
  }
  const told = await rig.send(paths[0] ?? '', { headers: key, ...within() });
  expect(await told.json()).toMatchObject({
    error: { code: 'storage-unreachable', message: expect.stringContaining('Try again in 2 seconds') },
  });
  const call = { method: 'POST', headers: { ...key, 'content-type': 'application/json' }, body: '{"data":{}}' };
  const callable = await rig.send(`/callable/${callables.createApiKey.name}`, { ...call, ...within() });
  expect([callable.status, await callable.json()]).toMatchObject([503, { error: { status: 'unavailable' } }]);
  for (const agent of agents) {
    const result = await agent.callTool({ name: 'lectern_search_documentation', arguments: { query: 'loom' } });
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('Try again in 2 seconds') }],
    });
  }
  expect((await rig.send('/readyz', within())).status).toBe(503);
  expect((await rig.send('/healthz', within())).status).toBe(200);
}

test.skipIf(!hasPostgres())(
  'a database that is away is told with 503 and when to come again, over every way in, until it is back',
  { timeout: minutes(5) },
  async () => {
    const { rig, proxy, key } = await openBehindProxy();
    const agents = await Promise.all(Object.values(eras).map((mode) => connectAgent(rig, key, mode)));
    const isBack = async () => (await rig.send('/api/modules', { headers: key })).ok;

    proxy.become('refusing');
    await requireToldEverywhere(rig, key, agents);
    proxy.become('open');
    await until('calls are answered again', isBack, answeredMs);

    // Connections that are there and say nothing any more: the call of each must end all the same.
    proxy.become('silent');
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => rig.send('/api/modules', { headers: key, ...within() })),
    );
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    proxy.become('open');
    await until('calls are answered again', isBack, answeredMs);
    expect(await rig.ask(libraryEndpoints.listModules, {})).toMatchObject({ modules: [] });
    for (const agent of agents) {
      const { isError } = await agent.callTool({ name: 'lectern_search_documentation', arguments: { query: 'loom' } });
      expect(isError).not.toBe(true);
    }
  },
);
