import { billingEndpoints } from '#contract/billing.ts';
import { callables } from '#contract/callables.ts';
import { identityEndpoints } from '#contract/identity.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { outboxEndpoints } from '#contract/outbox.ts';
import { creditPack } from '#contract/plans.ts';
import { searchEndpoints } from '#contract/search.ts';
import { teamAdministration } from '#contract/teams.ts';
import { testBillingEndpoints } from '#contract/test-billing.ts';
import { AppError } from '#server/app-error.ts';
import { noBrowser } from '#server/features/call.ts';
import { verifyApiKey } from '#server/features/keys/api-keys.ts';
import { sweepPdfFiles } from '#server/features/pdf-sets/sweep.ts';
import { userRow } from '#test/services/rows.ts';
import { until } from '#test/services/until.ts';
import { sampleTeam } from '../services/sample-team.ts';
import type { Flow } from './flow.ts';
import { indexFlow, pdfFlow } from './library-flows.ts';
import type { Stage } from './stage.ts';

const nothing = () => undefined;

async function addPerson({ installation }: Stage, id: string, credits = 0): Promise<void> {
  const { db } = installation.base;
  await db.query
    .insertInto('users')
    .values(userRow({ id, credits, emailVerifiedAt: 1 }))
    .execute();
  if (credits === 0) return;
  const given = { id: `initial:${id}`, requestId: `initial:${id}`, userId: id, amount: credits, timestamp: 1 };
  await db.query
    .insertInto('creditTransactions')
    .values({ ...given, source: 'initial' })
    .execute();
}

export function unless(...codes: AppError['code'][]) {
  return (error: unknown) => {
    if (!(error instanceof AppError && codes.includes(error.code))) throw error;
  };
}

const calls = ['1', '2', '3', '4'];

/** Each call has its own idempotency key, by which a retry is recognized. */
export const debitFlow: Flow = {
  async prepare(stage) {
    await indexFlow.work(stage, nothing, []);
    await addPerson(stage, 'ann', 10);
    await stage.installation.base.db.query
      .updateTable('users')
      .set({ monthlyAllowance: 2, allowanceStartAt: 1, tier: 'Basic' })
      .execute();
  },
  async work(stage, acknowledge) {
    for (const call of calls) {
      const ctx = stage.as('ann', { idempotencyKey: call });
      const { results } = await stage.ask(ctx, searchEndpoints.search, { query: `original text ${call}` });
      if (results.length === 0) throw new Error('nothing was found');
      acknowledge(call);
    }
  },
  async requireKept(stage, acknowledged) {
    const { db } = stage.installation.base;
    const rows = await db.query
      .selectFrom('creditTransactions')
      .select(['amount', 'metadata'])
      .where('userId', '=', 'ann')
      .where('source', '=', 'usage')
      .execute();
    const asked = rows.map(({ metadata }) => (JSON.parse(metadata) as { args: { query: string } }).args.query.at(-1));
    const missing = acknowledged.filter((call) => !asked.includes(call));
    const isOnce = new Set(asked).size === asked.length && rows.every(({ amount }) => amount === -1);
    if (missing.length > 0 || !isOnce) throw new Error(`acknowledged ${acknowledged.join()}, charged ${asked.join()}`);
    if (acknowledged.length === calls.length && asked.length !== calls.length)
      throw new Error(`charged ${asked.join()}`);
  },
};

const account = { email: 'cora@example.org', password: 'a long sentence about looms' };

export const signUpFlow: Flow = {
  async work(stage, acknowledge) {
    const visitor = stage.as('', { actor: { kind: 'anonymous' }, workspace: null });
    await stage.ask(visitor, identityEndpoints.signUpWithEmail, account).catch(unless('email-already-in-use'));
    acknowledge('signed up');
  },
  async requireKept(stage, acknowledged) {
    const { db } = stage.installation.base;
    const rows = await db.query.selectFrom('users').select('id').where('email', '=', account.email).execute();
    if (rows.length > 1 || rows.length < acknowledged.length) throw new Error(`there are ${rows.length} accounts`);
    if (rows.length === 0) return;
    const visitor = stage.as('', { actor: { kind: 'anonymous' }, workspace: null });
    await stage.ask(visitor, identityEndpoints.signInWithEmail, account);
  },
};

const teamId = 'weavers';

export const inviteFlow: Flow = {
  async prepare(stage) {
    await sampleTeam(stage.installation.base.db, { id: teamId, members: { ann: 'admin' } });
    await addPerson(stage, 'ben');
  },
  async work(stage, acknowledge) {
    const teamMembers = [{ email: 'ben@example.org', role: 'writer' as const }];
    await stage.ask(stage.as('ann'), teamAdministration.inviteMembers, { teamId, teamMembers });
    acknowledge('invited');
    await stage
      .ask(stage.as('ben'), teamAdministration.respondToInvite, { teamId, response: 'accept' })
      .catch(unless('invite-not-pending'));
    acknowledge('joined');
  },
  async requireKept(stage, acknowledged) {
    const { db, log } = stage.installation.base;
    const rows = await db.query.selectFrom('memberships').selectAll().where('endedAt', 'is', null).execute();
    const [ben, ...again] = rows.filter(({ email }) => email === 'ben@example.org');
    if (again.length > 0) throw new Error('ben is there twice');
    if (acknowledged.includes('invited') && ben === undefined) throw new Error('ben was not invited');
    if (acknowledged.includes('joined') && ben?.state !== 'accepted') throw new Error('ben did not join');
    const operator = stage.installation.operatorContext();
    const { mails } = await stage.ask(operator, outboxEndpoints.listOutbox, {});
    log.debug({ mails: mails.length }, 'mails of the invite');
  },
};

export const purchaseFlow: Flow = {
  prepare: (stage) => addPerson(stage, 'ann'),
  async work(stage, acknowledge, before) {
    const ctx = stage.as('ann');
    const opened = before.find((step) => step !== 'paid');
    const { url } =
      opened === undefined ? await stage.ask(ctx, billingEndpoints.purchaseCredits, { packs: 1 }) : { url: opened };
    acknowledge(url);
    const checkoutId = url.slice(url.lastIndexOf('/') + 1);
    await stage.ask(ctx, testBillingEndpoints.payTestCheckout, { checkoutId });
    acknowledge('paid');
  },
  async requireKept(stage, acknowledged) {
    const { db } = stage.installation.base;
    const read = () => db.query.selectFrom('users').select('credits').where('id', '=', 'ann').executeTakeFirst();
    // A provider event is kept until it has been applied, so it is processed again after a start.
    if (acknowledged.includes('paid')) {
      await until('the credits are there', async () => (await read())?.credits === creditPack.credits);
    }
    const purchases = await db.query
      .selectFrom('creditTransactions')
      .select('amount')
      .where('source', '=', 'purchase')
      .execute();
    if (purchases.length > 1) throw new Error('the purchase counts twice');
  },
};

export const keyFlow: Flow = {
  prepare: (stage) => addPerson(stage, 'ann'),
  async work(stage, acknowledge) {
    const { secret } = await stage.ask(stage.as('ann'), keyEndpoints.createKey, { name: 'loom' });
    acknowledge(secret);
  },
  async requireKept({ installation }, secrets) {
    for (const secret of secrets) await verifyApiKey(installation.base, secret, installation.publicUrl);
  },
};

const sessionId = 'session-of-ann';

/** A user with a key, credits, a module, a PDF file and a team membership. */
export const eraseFlow: Flow = {
  async prepare(stage) {
    const { db } = stage.installation.base;
    await debitFlow.prepare?.(stage);
    await debitFlow.work(stage, nothing, []);
    await sampleTeam(db, { id: teamId, members: { ben: 'admin', ann: 'reader' } });
    await stage.ask(stage.as('ann'), keyEndpoints.createKey, { name: 'loom' });
    const asAnn: Stage = {
      ...stage,
      installation: { ...stage.installation, operatorContext: () => stage.as('ann') },
    };
    await pdfFlow.work(asAnn, nothing, []);
    const now = Date.now();
    const session = { tokenHash: 'hash', userId: 'ann', id: sessionId, createdAt: now, lastSeenAt: now };
    await db.query
      .insertInto('webSessions')
      .values({ ...session, expiresAt: now + 3_600_000 })
      .execute();
  },
  async work(stage, acknowledge) {
    const entry = stage.installation.callables.find(({ name }) => name === callables.deleteUser.name);
    const ctx = stage.as('ann', { actor: { kind: 'user', userId: 'ann', sessionId } });
    await entry
      ?.run(ctx, {}, { browser: noBrowser, setSession: () => undefined, setDevice: () => undefined })
      .catch(unless('unauthenticated'));
    acknowledge('erased');
  },
  async requireKept({ installation }, acknowledged) {
    if (acknowledged.length === 0) return;
    const { db } = installation.base;
    for (const table of ['users', 'apiKeys', 'webSessions', 'pdfSets', 'modules', 'creditTransactions'] as const) {
      const rows = JSON.stringify(await db.query.selectFrom(table).selectAll().execute());
      if (/"ann"|user:ann|ann@example/.test(rows)) throw new Error(`ann is in ${table}: ${rows}`);
    }
    await sweepPdfFiles(installation.operatorContext(), installation);
    const files = await installation.blobs.list('pdf');
    if (files.length > 0) throw new Error(`files of ann: ${files.join()}`);
  },
};
