import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { creditEndpoints } from '#contract/credits.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { productToolNames } from '#contract/product-name.ts';
import { searchEndpoints } from '#contract/search.ts';
import { siteEndpoints } from '#contract/site.ts';
import type { Context } from '#server/context.ts';
import { checkLedger } from '#server/features/credits/index.ts';
import { createApiKey } from '#server/features/keys/api-keys.ts';
import { loadConfig } from '#server/platform/config/config.ts';
import { startSampleSite } from '../library/sample-site.ts';
import { userRow } from '../services/rows.ts';
import { until } from '../services/until.ts';
import { openHttpRig } from './http-rig.ts';

test('credits are off without a way to pay, unless the operator turns them on', () => {
  const stripe = { STRIPE_SECRET_KEY: 'sk', STRIPE_WEBHOOK_SECRET: 'w', STRIPE_PRICE_CREDITS: 'c' };
  const prices = { STRIPE_PRICE_BASIC: 'b', STRIPE_PRICE_PRO: 'p' };
  const areOn = (environment: Record<string, string>) => loadConfig(environment).config.areCreditsOn;
  expect(areOn({})).toBe(false);
  expect(areOn({ ...stripe, ...prices })).toBe(true);
  expect(areOn({ ...stripe, ...prices, LECTERN_CREDITS: 'off' })).toBe(false);
  expect(areOn({ LECTERN_CREDITS: 'on' })).toBe(true);
});

/** Opens an installation without credits that has indexed a site. */
async function openFree() {
  const site = await startSampleSite(2);
  onTestFinished(() => site.close());
  const rig = await openHttpRig({ LECTERN_ALLOW_HOSTS: site.host, LECTERN_CREDITS: 'off' });
  const { job } = await rig.ask(libraryEndpoints.startIndexJob, { source: site.url, visibility: 'public' });
  await until('the run has ended', async () => {
    return (await rig.ask(libraryEndpoints.getJob, { jobId: job.id })).job.endTime !== null;
  });
  return { site, rig };
}

test('without credits an agent searches and reads with a balance of 0; the operator adds and removes credits', async () => {
  const { site, rig } = await openFree();
  const { base, sealingKeys } = rig.running.installation;
  await base.db.query
    .insertInto('users')
    .values(userRow({ id: 'ann', email: 'ann@x.example', emailVerifiedAt: 1 }))
    .execute();
  const ann: Context = {
    ...{ ...base, requestId: 'r' },
    ...{ actor: { kind: 'user', userId: 'ann' }, workspace: 'user:ann' },
  };
  const { secret } = await createApiKey(ann, { name: 'k', mayAskToIndex: false }, sealingKeys);
  const agent = { authorization: `Bearer ${secret}` };
  expect((await rig.ask(searchEndpoints.search, { query: 'original text' }, agent)).results.length).toBeGreaterThan(0);
  expect((await rig.ask(searchEndpoints.read, { url: `${site.url}page1.html` }, agent)).text).not.toBe('');
  const { credits } = await rig.ask(creditEndpoints.getCreditInfo, {}, agent);
  expect(credits).toMatchObject({ isUnlimited: true, areCreditsOff: true, totalCreditsAvailable: 0 });
  expect((await rig.ask(siteEndpoints.getSite, {}, rig.visitor)).areCreditsOn).toBe(false);
  const receipts = await base.db.query
    .selectFrom('callReceipts')
    .select(['tool', 'credits'])
    .where('userId', '=', 'ann')
    .execute();
  expect(receipts.toSorted((a, b) => a.tool.localeCompare(b.tool))).toEqual([
    { tool: 'read', credits: 0 },
    { tool: 'search', credits: 0 },
  ]);

  const adjust = (whose: string, amount: number, sender = rig.operator) =>
    rig.ask(creditEndpoints.adjustCredits, { whose, amount }, sender);
  expect(await adjust('Ann@x.example', 500)).toEqual({ payer: 'user:ann', amount: 500, purchasedCredits: 500 });
  expect(await adjust('ann', -700)).toEqual({ payer: 'user:ann', amount: -500, purchasedCredits: 0 });
  expect(await rig.refusal(creditEndpoints.adjustCredits, { whose: 'nobody', amount: 1 })).toMatchObject({
    status: 404,
  });
  expect(await rig.refusal(creditEndpoints.adjustCredits, { whose: 'ann', amount: 1 }, agent)).toMatchObject({
    status: 403,
  });
  expect(await rig.refusal(creditEndpoints.adjustCredits, { whose: 'ann', amount: 0 })).toMatchObject({ status: 400 });
  expect(await checkLedger(ann)).toEqual([]);
}, 120_000);

test('without credits one user cannot fill the disk: further calls and sessions are answered and only counted', async () => {
  const { site, rig } = await openFree();
  const { query } = rig.running.installation.base.db;
  const ask = async (text: string) => {
    const client = new Client({ name: 'agent', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', rig.running.url), { requestInit: { headers: rig.operator } }),
    );
    onTestFinished(() => client.close());
    const search = { name: productToolNames('Lectern').search, arguments: { query: text } };
    return JSON.stringify((await client.callTool(search)).content);
  };
  const tables = ['callReceipts', 'creditTransactions', 'agentCalls', 'agentSessions'] as const;
  const rows = () =>
    Promise.all(tables.map(async (table) => (await query.selectFrom(table).select('id').execute()).length));
  const callsCounted = async () =>
    (await query.selectFrom('callDays').select('calls').execute()).reduce((sum, { calls }) => sum + calls, 0);
  expect(await ask('original text')).toContain(site.url);
  const [kept, counted] = [await rows(), await callsCounted()];
  expect(kept.every((count) => count > 0)).toBe(true);
  await query.updateTable('rateCounts').set({ count: 1_000_000 }).execute();
  expect(await ask('more original text')).toContain(site.url);
  expect(await ask('nothing like this')).not.toContain('internal');
  expect([await rows(), await callsCounted()]).toEqual([kept, counted + 2]);
}, 120_000);

test('on a full disk an agent still gets answers that cost nothing; what was sent is not recorded', async () => {
  const { site, rig } = await openFree();
  const { db } = rig.running.installation.base;
  const sent = async () => (await db.query.selectFrom('agentCalls').select('id').execute()).length;
  const searchAs = async (name: string) => {
    const client = new Client({ name, version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', rig.running.url), { requestInit: { headers: rig.operator } }),
    );
    onTestFinished(() => client.close());
    const ask = () =>
      client.callTool({ name: productToolNames('Lectern').search, arguments: { query: 'original text' } });
    return async () => JSON.stringify((await ask()).content);
  };
  const known = await searchAs('known before');
  const { rows } = await sql<{ pageCount: number }>`pragma page_count`.execute(db.query);
  await sql`pragma max_page_count = ${sql.lit(rows[0]?.pageCount)}`.execute(db.query);
  // Existing database pages have space for some more rows.
  const isFull = async () => {
    const before = await sent();
    expect(await known()).toContain(site.url);
    return (await sent()) === before;
  };
  await until('nothing more is recorded', isFull, 60_000);
  const recorded = await sent();
  expect(await (await searchAs('came later'))()).toContain(site.url);
  expect(await sent()).toBe(recorded);
  await sql`pragma max_page_count = 100000`.execute(db.query);
  expect(await known()).toContain(site.url);
  expect(await sent()).toBe(recorded + 1);
});
