import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { callables } from '#contract/callables.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { pdfSetEndpoints } from '#contract/pdf-sets.ts';
import { searchEndpoints } from '#contract/search.ts';
import { teamAdministration, teamEndpoints } from '#contract/teams.ts';
import type { Context } from '#server/context.ts';
import { noBrowser } from '#server/features/call.ts';
import { createCallMeter } from '#server/features/credits/call-meter.ts';
import { checkLedger } from '#server/features/credits/index.ts';
import { createApiKey, revokeApiKey, verifyApiKey } from '#server/features/keys/api-keys.ts';
import { systemClock } from '#server/platform/clock.ts';
import type { Database } from '#server/platform/db/database.ts';
import { openStage, type Stage } from '../faults/stage.ts';
import { openHttpRig } from '../http/http-rig.ts';
import { startSampleSite } from '../library/sample-site.ts';
import { attacksOf } from '../services/attacks.ts';
import { freshDatabase, onEachDatabase } from '../services/database.ts';
import { silentLog } from '../services/log.ts';
import { userRow } from '../services/rows.ts';
import { sampleTeam } from '../services/sample-team.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { until } from '../services/until.ts';

interface Race {
  id: string;
  case: string;
  expect: string;
}

const here = 'test/security/races.test.ts';
const debits = 'server/features/credits/debit.test.ts';
const billing = 'server/features/billing/billing.test.ts';

/** Where each case is tested: the file, and the test's name in it. */
const triedBy: Record<string, [file: string, name: string]> = {
  'race-0001': [here, 'of fifty simultaneous calls with an allowance of 10 and a balance of 5, 15 are granted'],
  'race-0002': [debits, 'an identical call within the window is a free retry'],
  'race-0003': [here, 'callers that disconnect before the response leave a consistent ledger and receipts'],
  'race-0004': [here, 'a call that fails with a server error is not charged'],
  'race-0005': [
    billing,
    'refunds of spent credits or unknown payments are refused; a refund made at the provider takes what remains',
  ],
  'race-0006': ['server/features/credits/cycle.test.ts', 'follows the previous one without a gap'],
  'race-0007': [billing, 'returning to the current plan is free'],
  'race-0008': [billing, 'an idempotency key opens one page for its own payer and cannot be reused for another order'],
  'race-0009': [debits, 'one call sent by several processes concurrently is charged once'],
  'race-0010': [billing, 'an idempotency key opens one page for its own payer and cannot be reused for another order'],
  'race-0011': [here, 'founding a team twice at once makes two teams with one member each'],
  'race-0012': ['server/features/indexing/start-index-job.test.ts', 'of several concurrent starts one creates a run'],
  'race-0013': [here, 'creating a key twice at once makes two complete keys'],
  'race-0014': ['server/features/billing/seats.test.ts', 'the last seat assigned to two members concurrently'],
  'race-0015': [here, 'no call that starts after a key was revoked succeeds, however many are running'],
  'race-0016': ['server/features/keys/api-keys.test.ts', 'the time of last use is written at most every five minutes'],
  'race-0017': ['server/features/indexing/publish.test.ts', 'one of several concurrent versions from the same base'],
  'race-0018': ['test/library/interruptions.test.ts', 'a module that is removed while it is indexed is gone'],
  'race-0019': ['server/features/pdf-sets/pdf-sets.test.ts', 'leaves no row, file or search result when removed'],
  'race-0020': [here, 'an account deleted during its run, upload and calls leaves no data'],
  'race-0021': [here, 'two browsers change one team at once, and each change is kept'],
};

describe('every race and idempotency case', () => {
  const races = attacksOf<Race>('races-and-idempotency.jsonl');

  test.skipIf(races.length === 0)('is assigned to a test', () => {
    expect(Object.keys(triedBy)).toEqual(races.map(({ id }) => id));
  });

  test.each(Object.entries(triedBy))('%s is tested in the named test', (_id, [file, name]) => {
    expect(readFileSync(join(import.meta.dirname, '../..', file), 'utf8')).toContain(name);
  });
});

onEachDatabase('simultaneous calls', (kind) => {
  const sealingKeys: [Uint8Array] = [randomBytes(32)];

  async function person(db: Database, id: string, columns: Partial<ReturnType<typeof userRow>> = {}): Promise<Context> {
    await db.query
      .insertInto('users')
      .values(userRow({ id, emailVerifiedAt: 1, ...columns }))
      .execute();
    const base = { db, clock: systemClock, log: silentLog, requestId: randomUUID() };
    return { ...base, actor: { kind: 'user', userId: id }, workspace: `user:${id}` };
  }

  test('of fifty simultaneous calls with an allowance of 10 and a balance of 5, 15 are granted', async () => {
    const db = await freshDatabase(kind);
    const plan = { credits: 5, monthlyAllowance: 10, tier: 'Basic', subscriptionStartAt: 1, allowanceStartAt: 1 };
    const ctx = await person(db, 'ann', plan);
    const given = { id: 'i', requestId: 'i', userId: 'ann', amount: 5, source: 'initial' as const, timestamp: 1 };
    await db.query.insertInto('creditTransactions').values(given).execute();
    const meter = createCallMeter({ publicUrl: 'http://x' });
    const receipt = { hasContent: true, tokens: 1, wholePageTokens: 1, withheldTokens: 0 };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, call) =>
        meter.settle(ctx, { tool: 'search', args: { query: `${call}` }, clientName: 'agent' }, receipt),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(15);
    const rows = await db.query
      .selectFrom('creditTransactions')
      .select('isFromMonthlyAllowance')
      .where('source', '=', 'usage')
      .execute();
    expect(rows.filter((row) => row.isFromMonthlyAllowance === 1)).toHaveLength(10);
    expect(await checkLedger(ctx)).toEqual([]);
  });

  test('creating a key twice at once makes two complete keys', async () => {
    const ctx = await person(await freshDatabase(kind), 'ann');
    const made = await Promise.all(
      [1, 2].map(() => createApiKey(ctx, { name: 'loom', mayAskToIndex: false }, sealingKeys)),
    );
    expect(new Set(made.map(({ secret }) => secret)).size).toBe(2);
    for (const { secret } of made) expect(await verifyApiKey(ctx, secret, 'http://x')).toMatchObject({ userId: 'ann' });
  });

  test('no call that starts after a key was revoked succeeds, however many are running', async () => {
    const ctx = await person(await freshDatabase(kind), 'ann');
    const { key, secret } = await createApiKey(ctx, { name: 'loom', mayAskToIndex: false }, sealingKeys);
    const enter = () =>
      verifyApiKey(ctx, secret, 'http://x').then(
        () => true,
        () => false,
      );
    const running = Array.from({ length: 100 }, enter);
    await revokeApiKey(ctx, { keyId: key.id }, sealingKeys);
    expect(await Promise.all(Array.from({ length: 100 }, enter))).not.toContain(true);
    await Promise.all(running);
  });
});

describe('in a complete installation', { timeout: 180_000 }, () => {
  async function openSite(): Promise<{ stage: Stage; site: Awaited<ReturnType<typeof startSampleSite>> }> {
    const site = await startSampleSite(6);
    onTestFinished(() => site.close());
    const stage = await openStage({ dataFolder: temporaryFolder(), siteUrl: site.url });
    onTestFinished(() => stage.close());
    return { stage, site };
  }

  async function addPeople({ installation }: Stage, ...ids: string[]): Promise<void> {
    const rows = ids.map((id) => userRow({ id, emailVerifiedAt: 1 }));
    await installation.base.db.query.insertInto('users').values(rows).execute();
  }

  test('founding a team twice at once makes two teams with one member each', async () => {
    const { stage } = await openSite();
    await addPeople(stage, 'ann');
    const found = () => stage.ask(stage.as('ann'), teamAdministration.createTeam, { teamName: 'Weavers' });
    const made = await Promise.all([found(), found()]);
    expect(new Set(made.map(({ teamId }) => teamId)).size).toBe(2);
    const members = await stage.installation.base.db.query
      .selectFrom('memberships')
      .select(['teamId', 'role'])
      .execute();
    expect(members).toHaveLength(2);
    expect(new Set(members.map(({ teamId }) => teamId)).size).toBe(2);
  });

  test('two browsers change one team at once, and each change is kept', async () => {
    const { stage } = await openSite();
    const { db } = stage.installation.base;
    const teamId = await sampleTeam(db, { members: { ann: 'admin', ben: 'admin' } });
    const invite = (who: string, email: string) =>
      stage.ask(stage.as(who), teamAdministration.inviteMembers, { teamId, teamMembers: [{ email, role: 'reader' }] });
    await Promise.all([
      stage.ask(stage.as('ann'), teamEndpoints.updateTeam, { teamId, name: 'Weavers' }),
      stage.ask(stage.as('ben'), teamEndpoints.updateTeam, { teamId, showsKeysOnce: true }),
      invite('ann', 'cleo@example.org'),
      invite('ben', 'dan@example.org'),
    ]);
    const team = await db.query.selectFrom('teams').selectAll().where('id', '=', teamId).executeTakeFirst();
    expect(team).toMatchObject({ name: 'Weavers', showsKeysOnce: 1 });
    const invited = await db.query.selectFrom('memberships').select('email').where('state', '=', 'invited').execute();
    expect(new Set(invited.map(({ email }) => email))).toEqual(new Set(['cleo@example.org', 'dan@example.org']));
  });

  test('a call that fails with a server error is not charged', async () => {
    const { stage } = await openSite();
    const { db } = stage.installation.base;
    const operator = stage.installation.operatorContext();
    await stage.ask(operator, libraryEndpoints.startIndexJob, { source: stage.siteUrl, visibility: 'public' });
    await stage.untilIdle();
    await addPeople(stage, 'ann');
    await db.query
      .updateTable('users')
      .set({ monthlyAllowance: 9, allowanceStartAt: 1, tier: 'Basic' })
      .where('id', '=', 'ann')
      .execute();
    await sql`create trigger broken before insert on call_receipts begin select raise(abort, 'broken'); end`.execute(
      db.query,
    );
    const search = () => stage.ask(stage.as('ann'), searchEndpoints.search, { query: 'original text' });
    await expect(search()).rejects.toThrow();
    expect(await checkLedger(operator)).toEqual([]);
    expect(await db.query.selectFrom('monthlyUsage').selectAll().execute()).toEqual([]);
    await sql`drop trigger broken`.execute(db.query);
    expect((await search()).results.length).toBeGreaterThan(0);
    expect(await db.query.selectFrom('monthlyUsage').select('creditsUsed').execute()).toEqual([{ creditsUsed: 1 }]);
  });

  test('an account deleted during its run, upload and calls leaves no data', async () => {
    const { stage, site } = await openSite();
    const { db } = stage.installation.base;
    await addPeople(stage, 'ann');
    const now = Date.now();
    const session = { tokenHash: 'hash', userId: 'ann', id: 'session', createdAt: now, lastSeenAt: now };
    await db.query
      .insertInto('webSessions')
      .values({ ...session, expiresAt: now + 3_600_000 })
      .execute();
    const ann = stage.as('ann', { actor: { kind: 'user', userId: 'ann', sessionId: 'session' } });
    const { secret } = await stage.ask(ann, keyEndpoints.createKey, { name: 'loom' });
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    let isReached = false;
    site.onRequest = (name) => {
      isReached ||= name === 'page3';
      return name === 'page3' ? held : undefined;
    };
    await stage.ask(ann, libraryEndpoints.startIndexJob, { source: stage.siteUrl, visibility: 'private' });
    await until('the run is in the middle', () => isReached, 60_000);
    const { set } = await stage.ask(ann, pdfSetEndpoints.createPdfSet, { displayName: 'Manuals' });
    const begun = { setId: set.setId, fileName: 'loom.pdf', sizeBytes: 2_000 };
    const { upload } = await stage.ask(ann, pdfSetEndpoints.startPdfUpload, begun);
    const first = new TextEncoder().encode(`%PDF-1.7\n${' '.repeat(1_000)}`);
    const sent = stage.installation.features.pdfSets.addPdfPart(
      ann,
      { uploadId: upload.uploadId, offset: 0 },
      ReadableStream.from([first]),
    );
    const called = stage.ask(ann, searchEndpoints.search, { query: 'original text' });
    const ended = Promise.allSettled([sent, called]);
    const entry = stage.installation.callables.find(({ name }) => name === callables.deleteUser.name);
    await entry?.run(ann, {}, { browser: noBrowser, setSession: () => undefined, setDevice: () => undefined });
    await ended;
    letGo();
    await stage.untilIdle();
    const { base, publicUrl, blobs } = stage.installation;
    await expect(verifyApiKey(base, secret, publicUrl)).rejects.toMatchObject({ code: 'key-refused' });
    await expect(stage.ask(ann, searchEndpoints.search, { query: 'text' })).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    for await (const { repair } of stage.installation.examine()) await repair?.run();
    for await (const left of stage.installation.examine()) expect(left).toBeUndefined();
    expect(await blobs.list('pdf')).toEqual([]);
    for (const table of ['users', 'apiKeys', 'modules', 'jobRuns', 'pdfSets', 'pdfUploads', 'webSessions'] as const) {
      expect(JSON.stringify(await db.query.selectFrom(table).selectAll().execute()), table).not.toMatch(
        /"ann"|user:ann/,
      );
    }
  });
});

test('callers that disconnect before the response leave a consistent ledger and receipts', {
  timeout: 180_000,
}, async () => {
  const site = await startSampleSite(6);
  onTestFinished(() => site.close());
  const rig = await openHttpRig({ LECTERN_ALLOW_HOSTS: site.host });
  const { installation } = rig.running;
  const { db } = installation.base;
  await rig.ask(libraryEndpoints.startIndexJob, { source: site.url, visibility: 'public' });
  const unended = () => db.query.selectFrom('jobRuns').select('id').where('endTime', 'is', null).execute();
  await until('the run has ended', async () => (await unended()).length === 0, 60_000);
  const row = userRow({
    id: 'ann',
    emailVerifiedAt: 1,
    tier: 'Basic',
    monthlyAllowance: 100,
    subscriptionStartAt: 1,
    allowanceStartAt: 1,
  });
  await db.query.insertInto('users').values(row).execute();
  const ann: Context = {
    ...{ ...installation.base, requestId: randomUUID() },
    ...{ actor: { kind: 'user', userId: 'ann' }, workspace: 'user:ann' },
  };
  const { secret } = await createApiKey(ann, { name: 'loom', mayAskToIndex: false }, installation.sealingKeys);
  const headers = { authorization: `Bearer ${secret}` };
  const leave = async (call: number) => {
    const going = new AbortController();
    const asked = rig.send(`/api/search?query=original+text+${call}`, { headers, signal: going.signal });
    // Some are canceled at once, some in the middle, some too late.
    for (let turn = 0; turn < call; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    going.abort();
    await asked.then(
      (response) => response.body?.cancel(),
      () => undefined,
    );
  };
  await Promise.all(Array.from({ length: 24 }, (_, call) => leave(call)));
  const last = await rig.send('/api/search?query=original+text', { headers });
  expect(last.status).toBe(200);
  expect(await checkLedger(ann)).toEqual([]);
  const receipts = await db.query.selectFrom('callReceipts').select('credits').execute();
  expect(receipts.length).toBeGreaterThan(0);
});
