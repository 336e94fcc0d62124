import { randomUUID } from 'node:crypto';
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { creditEndpoints } from '#contract/credits.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { searchEndpoints } from '#contract/search.ts';
import type { Context } from '#server/context.ts';
import { hashToken } from '#server/features/accounts/index.ts';
import { createApiKey } from '#server/features/keys/api-keys.ts';
import { startSampleSite } from '../library/sample-site.ts';
import { userRow } from '../services/rows.ts';
import { until } from '../services/until.ts';
import { type HttpRig, openHttpRig, type Sender } from './http-rig.ts';
import { listen } from './live-reading.ts';

/** Opens a server with one small module, and a user with credits and a key who is not its operator. */
async function openRigWithPerson(credits: number) {
  const site = await startSampleSite(3);
  onTestFinished(() => site.close());
  const rig = await openHttpRig({ LECTERN_ALLOW_HOSTS: site.host });
  const { job } = await rig.ask(libraryEndpoints.startIndexJob, { source: site.url, moduleId: 'sample' });
  const hasEnded = async () => (await rig.ask(libraryEndpoints.getJob, { jobId: job.id })).job.endTime !== null;
  await until('indexed', hasEnded, 50_000);
  const { base, sealingKeys } = rig.running.installation;
  await base.db.query
    .insertInto('users')
    .values(userRow({ id: 'anna', credits, emailVerifiedAt: 0 }))
    .execute();
  const ctx: Context = {
    ...base,
    ...{ actor: { kind: 'user', userId: 'anna' }, workspace: 'user:anna', requestId: randomUUID() },
  };
  const { secret } = await createApiKey(ctx, { name: 'Laptop' }, sealingKeys);
  return { rig, site, key: { authorization: `Bearer ${secret}` } as Sender, base };
}

async function agentOf(rig: HttpRig, headers: Sender) {
  const client = new Client({ name: 'test-agent', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${rig.url}/mcp`), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  const call = async (name: string, values: Record<string, unknown>, meta: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: values, _meta: meta })) as CallToolResult;
  return call;
}

const balance = async (rig: HttpRig, key: Sender) =>
  (await rig.ask(creditEndpoints.getCreditInfo, {}, key)).credits.totalCreditsAvailable;

test('every interface charges one credit for an answer and none for an empty one', async () => {
  const { rig, site, key } = await openRigWithPerson(100);
  const call = await agentOf(rig, key);
  const page = (number: number) => `${site.url}page${number}.html`;
  const steps: [string, number, () => Promise<unknown>][] = [
    ['MCP read', 1, () => call('lectern_read_url', { url: page(2) })],
    ['MCP read of what was sent', 0, () => call('lectern_read_url', { url: page(2) })],
    ['MCP search', 1, () => call('lectern_search_documentation', { query: 'chapter page1' })],
    ['MCP search again', 0, () => call('lectern_search_documentation', { query: 'chapter page1' })],
    ['MCP search, nothing found', 0, () => call('lectern_search_documentation', { query: 'xylophonequux' })],
    ['MCP search, no such module', 0, () => call('lectern_search_documentation', { query: 'a', module: 'none' })],
    ['MCP read, no such page', 0, () => call('lectern_read_url', { url: `${site.url}none.html` })],
    ['search', 1, () => rig.ask(searchEndpoints.search, { query: 'chapter page1' }, key)],
    ['search again', 0, () => rig.ask(searchEndpoints.search, { query: 'chapter page1' }, key)],
    ['search, nothing found', 0, () => rig.ask(searchEndpoints.search, { query: 'xylophonequux' }, key)],
    ['search, refused', 0, () => rig.refusal(searchEndpoints.search, { query: ' ' }, key)],
    ['read', 1, () => rig.ask(searchEndpoints.read, { url: page(1) }, key)],
    ['read, no such page', 0, () => rig.refusal(searchEndpoints.read, { url: `${site.url}none.html` }, key)],
    ['read of the older client', 1, () => rig.send(`/read?url=${encodeURIComponent(page(1))}`, { headers: key })],
    ['search of the older client', 1, () => rig.send('/search_documentation?query=text', { headers: key })],
    ['search of the operator', 0, () => rig.ask(searchEndpoints.search, { query: 'chapter' })],
    ['search of a visitor', 0, () => rig.ask(searchEndpoints.search, { query: 'chapter' }, {})],
  ];
  let left = 100;
  for (const [name, cost, step] of steps) {
    await step();
    left -= cost;
    expect([name, await balance(rig, key)]).toEqual([name, left]);
  }
});

test('with a balance of 0 no work is done: the tool result says what to do, the REST interface responds 429', async () => {
  const { rig, site, key } = await openRigWithPerson(0);
  const call = await agentOf(rig, key);
  site.takeRequests();
  const sentence = `Not enough credits: the balance is 0. The Free plan has no monthly allowance. Get more at ${rig.url}/subscribe.`;
  for (const [name, values] of [
    ['lectern_search_documentation', { query: 'chapter' }],
    ['lectern_read_url', { url: `${site.url}unread.html` }],
  ] as const) {
    const result = await call(name, values);
    expect(result).toMatchObject({ isError: true, content: [{ type: 'text', text: sentence }] });
  }
  const refusal = await rig.refusal(searchEndpoints.search, { query: 'chapter' }, key);
  expect(refusal).toMatchObject({ status: 429, code: 'credits-exhausted', message: sentence });
  const older = await rig.send('/search_documentation?query=chapter', { headers: key });
  expect(older.status).toBe(429);
  expect(site.takeRequests()).toEqual([]);
});

test('a call repeated with its idempotency key is charged once, in whichever way the key is sent', async () => {
  const { rig, key, base } = await openRigWithPerson(10);
  const call = await agentOf(rig, key);
  const forget = () =>
    base.db.query
      .updateTable('creditTransactions')
      .set({ timestamp: Date.now() - 3_600_000 })
      .execute();
  for (let turn = 0; turn < 2; turn++) {
    await call('lectern_search_documentation', { query: 'chapter' }, { 'lectern/idempotency-key': 'one' });
    await forget();
  }
  expect(await balance(rig, key)).toBe(9);
  for (let turn = 0; turn < 2; turn++) {
    await rig.ask(searchEndpoints.search, { query: 'chapter' }, { ...key, 'idempotency-key': 'two' });
    await forget();
  }
  expect(await balance(rig, key)).toBe(8);
  await rig.ask(searchEndpoints.search, { query: 'chapter' }, key);
  expect(await balance(rig, key)).toBe(7);
  const long = await rig.send('/api/credits', { headers: { ...key, 'idempotency-key': 'x'.repeat(256) } });
  expect(long.status).toBe(400);
});

test('a draft query costs nothing and returns only addresses; an agent’s query is never a draft', async () => {
  const { rig, key, base } = await openRigWithPerson(2);
  const token = randomUUID();
  const now = base.clock.now();
  const session = {
    tokenHash: hashToken(token),
    userId: 'anna',
    createdAt: now,
    expiresAt: now + 60_000,
    lastSeenAt: now,
  };
  await base.db.query
    .insertInto('webSessions')
    .values({ ...session, id: 'of-anna', userAgent: '' })
    .execute();
  const person = { cookie: `lectern_session=${token}` };
  const draft = (sender: Sender) => rig.ask(searchEndpoints.search, { query: 'chapter', isDraft: true }, sender);
  const preview = await draft(person);
  expect(preview).toMatchObject({ isPreview: true, text: '', tokens: 0 });
  expect(preview.results.length).toBeGreaterThan(0);
  expect(new Set(preview.results.map(({ text }) => text))).toEqual(new Set(['']));
  expect(await balance(rig, key)).toBe(2);
  expect((await rig.ask(searchEndpoints.search, { query: 'chapter' }, person)).results[0]?.text).not.toBe('');
  expect(await balance(rig, key)).toBe(1);
  expect((await draft(key)).isPreview).toBeUndefined();
  expect(await balance(rig, key)).toBe(0);
  expect(await rig.refusal(searchEndpoints.search, { query: 'else', isDraft: true }, person)).toMatchObject({
    status: 429,
  });
  expect((await draft(rig.operator)).results[0]?.text).not.toBe('');
  const { transactions } = await rig.ask(creditEndpoints.listTransactions, { type: 'usage' }, rig.operator);
  expect(transactions).toEqual([]);
});

test('the ledger can be exported as a file', async () => {
  const { rig } = await openRigWithPerson(10);
  await rig.ask(searchEndpoints.search, { query: 'chapter' });
  const response = await rig.send(creditEndpoints.exportTransactions.path, { headers: rig.operator });
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="credit-transactions.csv"');
  const lines = (await response.text()).trimEnd().split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain(',usage,0,false,Documentation search,,"{""query"":""chapter""}"');
  expect(lines[2]).toContain(',initial,200,');
});

test('a charge is reported to the account’s live readers and to no one else', async () => {
  const { rig, key } = await openRigWithPerson(10);
  const queries = 'credits';
  const [operator, agent] = [await listen(rig.url, rig.operator, { queries }), await listen(rig.url, key, { queries })];
  await rig.ask(searchEndpoints.search, { query: 'chapter' }, key);
  await rig.ask(searchEndpoints.search, { query: 'chapter' });
  await until('the charge is heard of', () => operator.changed().length > 0);
  expect(operator.changed()).toEqual(['credits']);
  expect(agent.changed()).toEqual([]);
});
