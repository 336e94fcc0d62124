import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { callables } from '#contract/callables.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { statusEndpoints } from '#contract/status.ts';
import { measureStatus } from '#server/features/status/measure-status.ts';
import { type HttpRig, openHttpRig, rawRequest } from '../http/http-rig.ts';
import { type CuttableProxy, startCuttableProxy } from '../services/cuttable-proxy.ts';
import { hasPostgres, startPostgres } from '../services/postgres.ts';
import { until } from '../services/until.ts';

const minutes = (count: number) => count * 60_000;
/** The longest time a call may take; the test does not measure speed on an idle machine. */
const answeredMs = 60_000;

interface Stage {
  rig: HttpRig;
  proxy: CuttableProxy;
  key: Record<string, string>;
  /** Bypasses the proxy. */
  execute(statement: string): Promise<void>;
}

async function openBehindProxy(): Promise<Stage> {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  await postgres.createDatabase('rows');
  const proxy = await startCuttableProxy(postgres.port);
  const address = postgres.url('rows').replace(`:${postgres.port}/`, `:${proxy.port}/`);
  const rig = await openHttpRig({ DATABASE_URL: address });
  const { sender } = await rig.createKey();
  const execute = async (statement: string) => {
    const client = new pg.Client({ connectionString: postgres.url('postgres') });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  return { rig, proxy, key: sender, execute };
}

/** Checks all parts now; returns the database and file store states of the status page and the metrics. */
async function measured({ port, running, ask }: HttpRig) {
  const { features, operatorContext } = running.installation;
  const { sampling, cache } = features.status.needs;
  await measureStatus(operatorContext(), sampling);
  cache.clear();
  const { checks } = await ask(statusEndpoints.getStatus, {});
  const { text } = await rawRequest(port, { path: '/metrics' });
  const of = (part: string) => [
    checks.find((check) => check.part === part)?.state,
    /** A number. */
    text
      .split('\n')
      .find((line) => line.startsWith(`lectern_part_up{part="${part}"} `))
      ?.at(-1),
  ];
  return { database: of('database'), files: of('files') };
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

/** Requires that every interface reports a temporary error with a retry time; an agent gets it in the tool's result. */
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
  'while the database is unreachable, every interface responds 503 with a retry time, until it is back',
  { timeout: minutes(5) },
  async () => {
    const { rig, proxy, key } = await openBehindProxy();
    const agents = await Promise.all(Object.values(eras).map((mode) => connectAgent(rig, key, mode)));
    const isBack = async () => (await rig.send('/api/modules', { headers: key })).ok;

    proxy.become('refusing');
    await requireToldEverywhere(rig, key, agents);
    expect(await measured(rig)).toEqual({ database: ['down', '0'], files: ['operational', '1'] });
    proxy.become('open');
    await until('calls are answered again', isBack, answeredMs);

    // The connections are open but silent: each connection's call must end all the same.
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

test.skipIf(!hasPostgres())(
  'a read-only or renamed database gives the same response, and the status page and metrics name it',
  { timeout: minutes(5) },
  async () => {
    const { rig, proxy, key, execute } = await openBehindProxy();
    const isBack = async () => (await rig.send('/api/search?query=loom', { headers: key, ...within() })).ok;
    const changed = async (statement: string) => {
      proxy.become('refusing');
      // A database in use, even by a connection about to end, cannot be renamed.
      const isDone = () =>
        execute(statement).then(
          () => true,
          () => false,
        );
      await until('the database is changed', isDone, answeredMs);
      proxy.become('open');
    };
    for (const { breaks, mends } of [
      {
        // Like a server that became a standby.
        breaks: 'alter database rows set default_transaction_read_only = on',
        mends: 'alter database rows reset default_transaction_read_only',
      },
      { breaks: 'alter database rows rename to others', mends: 'alter database others rename to rows' },
    ]) {
      await changed(breaks);
      for (const path of ['/api/search?query=loom', '/search_documentation?query=loom']) {
        const answer = await rig.send(path, { headers: key, ...within() });
        expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, '2']);
      }
      expect(await measured(rig)).toEqual({ database: ['down', '0'], files: ['operational', '1'] });
      expect((await rig.send('/readyz', within())).status).toBe(503);
      await changed(mends);
      await until('calls are answered again', isBack, answeredMs);
    }
  },
);
