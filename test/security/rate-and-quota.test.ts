import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { billingEndpoints } from '#contract/billing.ts';
import { chatEndpoints } from '#contract/chat.ts';
import { creditEndpoints } from '#contract/credits.ts';
import { identityEndpoints } from '#contract/identity.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { libraryEndpoints } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';
import { outboxEndpoints } from '#contract/outbox.ts';
import { pdfSetEndpoints } from '#contract/pdf-sets.ts';
import { searchEndpoints } from '#contract/search.ts';
import { testBillingEndpoints } from '#contract/test-billing.ts';
import { serve } from '#server/cli/serve.ts';
import { countAttempts } from '#server/features/accounts/index.ts';
import { createSettableClock } from '#test/services/settable-clock.ts';
import { configOf, openHttpRig } from '../http/http-rig.ts';
import { startSampleSite } from '../library/sample-site.ts';
import { attacksOf } from '../services/attacks.ts';
import { freshDatabase } from '../services/database.ts';
import { silentLog } from '../services/log.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { until } from '../services/until.ts';
import { openStage, openStageWithDocs } from './team-cast.ts';

/** Cases by id that are tested in another file. */
const elsewhere: Record<string, string> = {
  'quota-0003': 'test/http/chat.test.ts',
  'quota-0008': 'test/http/credits.test.ts',
  'quota-0012': 'test/ports/db-migrations.test.ts',
};
/** Shares of processor time under load, which need an idle machine: `bench/` measures them. */
const measured = ['quota-0009', 'quota-0010'];

const checks: Record<string, () => Promise<void>> = {
  async 'quota-0001'() {
    const { rig, senders } = await openStageWithDocs();
    const keys = [1, 2].map(() => rig.ask(keyEndpoints.createKey, { name: 'agent' }, senders.outsider));
    const [one, two] = await Promise.all(keys);
    const { query } = rig.running.installation.base.db;
    await query.updateTable('users').set({ credits: 1 }).where('id', '=', 'outsider').execute();
    const status = async (secret = '', text = '') => {
      const headers = { authorization: `Bearer ${secret}` };
      return (await rig.send(`${searchEndpoints.search.path}?query=${text}`, { headers })).status;
    };
    // Results are charged, so the module must be searchable by everyone.
    await query.updateTable('modules').set({ workspace: 'public' }).where('slug', '=', 'secret-docs').execute();
    expect(await status(one?.secret, 'original+text')).toBe(200);
    expect(await status(two?.secret, 'more+about')).toBe(429);
    expect(await status(one?.secret, 'plain+words')).toBe(429);
  },
  async 'quota-0002'() {
    const clock = createSettableClock();
    const ctx = { db: await freshDatabase(), clock, log: silentLog };
    const attempt = () => countAttempts(ctx, [['code-address', '192.0.2.1']]);
    for (let at = 0; at < 10; at += 1) expect(await attempt()).toBeUndefined();
    expect(await attempt()).toBeGreaterThan(0);
    clock.advance(-3_600_000);
    // The window started in what is now the future: it restarts instead of lasting an hour longer.
    expect(await attempt()).toBeUndefined();
    for (let at = 0; at < 10; at += 1) await attempt();
    expect(await attempt()).toBeLessThanOrEqual(15 * 60);
  },
  async 'quota-0004'() {
    const clock = createSettableClock();
    const ctx = { db: await freshDatabase(), clock, log: silentLog };
    const outcomes: (number | undefined)[] = [];
    for (let at = 0; at < 1_000; at += 1) {
      const address = `198.51.${Math.floor(at / 250)}.${at % 250}`;
      outcomes.push(
        await countAttempts(ctx, [
          ['sign-in-account', 'anna@docs.example'],
          ['sign-in-address', address],
        ]),
      );
    }
    // An account allows 50 in total from all addresses, as documented.
    expect(outcomes.filter((wait) => wait === undefined)).toHaveLength(50);
  },
  async 'quota-0005'() {
    const dataFolder = join(temporaryFolder(), 'data');
    const tries = async (count: number) => {
      const server = await serve(configOf(dataFolder));
      const statuses: number[] = [];
      for (let at = 0; at < count; at += 1) {
        const body = JSON.stringify({ oobCode: `wrong-code-${at}` });
        const answer = await fetch(server.url + identityEndpoints.applyVerificationCode.path, { method: 'POST', body });
        statuses.push(answer.status);
        await answer.arrayBuffer();
      }
      await server.close();
      return statuses;
    };
    expect((await tries(11)).at(-1)).toBe(429);
    expect(await tries(1)).toEqual([429]);
  },
  async 'quota-0006'() {
    const site = await startSampleSite(6);
    onTestFinished(() => site.close());
    const rig = await openHttpRig({ LECTERN_ALLOW_HOSTS: site.host });
    const { job } = await rig.ask(libraryEndpoints.startIndexJob, { source: site.url, maxPages: 3 });
    const ended = await until('the run has ended', async () => {
      const answer = await rig.ask(libraryEndpoints.getJob, { jobId: job.id });
      return answer.job.endTime === null ? undefined : answer.job;
    });
    expect(ended.status).toBe('COMPLETE');
    expect(JSON.stringify(ended)).toContain('page-limit');
  },
  async 'quota-0007'() {
    const rig = await openHttpRig();
    let taken = 0;
    let refused: string | undefined;
    for (let sets = 0; refused === undefined && sets < 3; sets += 1) {
      const { set } = await rig.ask(pdfSetEndpoints.createPdfSet, { displayName: `Manuals ${sets}` });
      for (let file = 0; refused === undefined && file < limits.pdfFilesPerSetMax; file += 1) {
        const start = { setId: set.setId, fileName: `${file}.pdf`, sizeBytes: limits.pdfFileBytesMax };
        const answer = await rig.ask(pdfSetEndpoints.startPdfUpload, start).catch((error: unknown) => String(error));
        if (typeof answer === 'string') refused = answer;
        else taken += limits.pdfFileBytesMax;
      }
    }
    expect(refused).toContain('pdf-storage-full');
    const { storage } = await rig.ask(pdfSetEndpoints.listPdfSets, {});
    expect(taken).toBeLessThanOrEqual(storage.quotaBytes);
    expect(await rig.running.installation.blobs.list('pdfs/')).toEqual([]);
  },
  async 'quota-0011'() {
    const { rig, senders, anonymous, send } = await openStageWithDocs();
    await rig.running.installation.base.db.query.updateTable('modules').set({ workspace: 'public' }).execute();
    const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ');
    const expensive = [
      'original text '.repeat(730),
      words(500).slice(0, 2_000),
      'a* '.repeat(100),
      'text OR '.repeat(50),
      `"${words(1_000)}"`,
      `"${words(200)}"`.slice(0, 2_000),
      'x'.repeat(2_000),
      '((((((((('.repeat(200),
    ];
    for (const query of expensive) {
      const [answer, beside] = await Promise.all([
        send('GET', `${searchEndpoints.search.path}?query=${encodeURIComponent(query)}`, senders.founder),
        send('GET', '/healthz', anonymous),
      ]);
      const want = query.length > limits.queryCharactersMax ? 400 : 200;
      expect([query.slice(0, 30), answer.status, beside.status]).toEqual([query.slice(0, 30), want, 200]);
    }
  },
  async 'quota-0013'() {
    const rig = await openHttpRig();
    const person = await rig.signIn();
    const odd = [
      'from=2&to=1',
      `from=${8.64e15}`,
      'from=-1&to=-5',
      'from=never',
      'from=1e400',
      'to=%00',
      'from=1&from=2',
    ];
    for (const path of [creditEndpoints.listTransactions.path, creditEndpoints.exportTransactions.path]) {
      for (const query of [...odd, 'type=none', 'limit=-1', 'limit=100000']) {
        const answer = await rig.send(`${path}?type=all&${query}`, { headers: person });
        expect([path, query, answer.status === 200 || answer.status === 400]).toEqual([path, query, true]);
        const rows = (await answer.json().catch(() => ({}))) as { transactions?: unknown[] };
        if (query === odd[0] && path === creditEndpoints.listTransactions.path) expect(rows.transactions).toEqual([]);
      }
    }
    expect((await rig.send(`${chatEndpoints.listChats.path}?cursor=%00`, { headers: person })).status).toBeLessThan(
      500,
    );
  },
};

const cases = attacksOf<{ id: string; case: string }>('rate-and-quota.jsonl');

describe.skipIf(cases.length === 0)('limits and quotas', () => {
  test('every case is tested here or elsewhere, or measured', () => {
    const known = [...Object.keys(checks), ...Object.keys(elsewhere), ...measured];
    expect(cases.map(({ id }) => id).sort()).toEqual(known.sort());
  });

  test.each(cases.filter(({ id }) => checks[id] !== undefined))(
    '$id: $case',
    async ({ id }) => {
      await checks[id]?.();
    },
    120_000,
  );
});

test('promotion code guesses, new keys and new sessions are limited per account', async () => {
  const { rig, senders } = await openStage({ PAYMENTS: 'test' });
  const { base } = rig.running.installation;
  const post = (path: string, body: object, headers: Record<string, string>) =>
    rig.send(path, { method: 'POST', headers, body: JSON.stringify(body) });
  const statusOf = async (response: Promise<Response>) => {
    const { status, headers } = await response;
    return [status, Number(headers.get('retry-after')) > 3_000];
  };
  const guess = (person: 'outsider' | 'founder') =>
    statusOf(post(billingEndpoints.checkPromotion.path, { code: 'GUESS' }, senders[person]));
  for (let at = 0; at < limits.promotionTriesPerHourMax; at += 1) expect(await guess('outsider')).toEqual([404, false]);
  expect(await guess('outsider')).toEqual([429, true]);
  expect(await guess('founder')).toEqual([404, false]);
  const subscribe = (body: object) =>
    post(billingEndpoints.subscribe.path, { tier: 'Basic', ...body }, senders.outsider);
  expect(await statusOf(subscribe({ promotionCode: 'GUESS' }))).toEqual([429, true]);
  const { url } = (await (await subscribe({})).json()) as { url: string };
  const page = testBillingEndpoints.payTestCheckout.path.replace(':checkoutId', url.slice(url.lastIndexOf('/') + 1));
  expect(await statusOf(post(page, { promotionCode: 'GUESS' }, senders.outsider))).toEqual([429, true]);
  expect(await statusOf(post(page, {}, senders.outsider))).toEqual([200, false]);

  const make = () => post(keyEndpoints.createKey.path, { name: 'agent' }, senders.outsider);
  const { secret } = (await (await make()).json()) as { secret: string };
  const useUp = async (rule: 'key-account' | 'mcp-session-account', count: number) => {
    for (let at = 0; at < count; at += 1) await countAttempts(base, [[rule, 'outsider']]);
  };
  const initialize = () =>
    post(
      '/mcp',
      {
        ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'agent', version: '1' } },
      },
      {
        authorization: `Bearer ${secret}`,
        ...{ accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
      },
    );
  expect(await statusOf(initialize())).toEqual([200, false]);
  await useUp('mcp-session-account', limits.mcpSessionsPerHourMax - 1);
  expect(await statusOf(initialize())).toEqual([429, true]);
  await useUp('key-account', limits.keysMadePerHourMax - 1);
  expect(await statusOf(make())).toEqual([429, true]);
});

test('a user has a limited number of valid keys, however many are created at once', async () => {
  const { rig, senders } = await openStage();
  const { db } = rig.running.installation.base;
  const first = await rig.ask(keyEndpoints.createKey, { name: 'agent' }, senders.outsider);
  const row = await db.query.selectFrom('apiKeys').selectAll().where('id', '=', first.key.id).executeTakeFirstOrThrow();
  const others = Array.from({ length: limits.keysPerPersonMax - 2 }, (_, at) => ({
    ...{ ...row, id: `key-${at}`, keyHash: `hash-${at}` },
  }));
  await db.query.insertInto('apiKeys').values(others).execute();
  const made = await Promise.allSettled(
    [1, 2, 3].map(() => rig.ask(keyEndpoints.createKey, { name: 'agent' }, senders.outsider)),
  );
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await rig.refusal(keyEndpoints.createKey, { name: 'agent' }, senders.outsider)).toMatchObject({
    ...{ status: 409, code: 'keys-too-many' },
  });
});

test('an account under password guessing opens for its own browser and for the reader of a reset mail', async () => {
  const rig = await openHttpRig();
  const email = 'prey@docs.example';
  const password = 'correct horse';
  const post = (endpoint: { path: string }, body: object, headers: Record<string, string> = {}) =>
    rig.send(endpoint.path, { method: 'POST', headers, body: JSON.stringify(body) });
  const deviceOf = (response: Response) =>
    /lectern_device=[^;]+/.exec(response.headers.getSetCookie().join('\n'))?.[0] ?? 'none';
  const known = deviceOf(await post(identityEndpoints.signUpWithEmail, { email, password }));
  const lockOut = async () => {
    for (let at = 0; at < 51; at += 1) {
      await countAttempts(rig.running.installation.base, [['sign-in-account', email]]);
    }
  };
  const statusOf = async (input: object, cookie = '') =>
    (await post(identityEndpoints.signInWithEmail, input, { cookie, 'x-lectern-csrf': '1' })).status;
  await lockOut();
  expect([await statusOf({ email, password }), await statusOf({ email, password }, known)]).toEqual([429, 200]);
  await post(identityEndpoints.sendPasswordReset, { email });
  const found = await until('the reset mail is there', async () =>
    (await rig.ask(outboxEndpoints.listOutbox, {})).mails.find(({ subject }) => subject.startsWith('Reset')),
  );
  const { mail } = await rig.ask(outboxEndpoints.readOutboxMail, { mailId: found.id });
  const oobCode = /oobCode=([\w-]+)/.exec(mail.text)?.[1] ?? '';
  const reset = await post(identityEndpoints.confirmReset, { oobCode, newPassword: 'staple battery' });
  await lockOut();
  const now = { email, password: 'staple battery' };
  expect([await statusOf(now), await statusOf(now, deviceOf(reset))]).toEqual([429, 200]);
});
