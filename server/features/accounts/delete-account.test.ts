import { expect, test } from 'vitest';
import { AppError } from '#server/app-error.ts';
import { removePersonalLibrary } from '#server/features/indexing/remove-module.ts';
import { onEachDatabase } from '#test/services/database.ts';
import { moduleRow } from '#test/services/rows.ts';
import { type IdentitySample, openIdentitySample, refusal } from '#test/services/sample-identity.ts';
import { grantInitialCredits } from '../credits/adjust-credits.ts';
import { anonymiseLedger } from '../credits/anonymise-ledger.ts';
import { deleteSessionsOf } from '../search/store.ts';
import { type AccountDeletion, deleteAccount } from './delete-account.ts';
import { ensureLocalOwner } from './store.ts';

const password = 'correct horse';
const email = 'anna@docs.example';
const deletion: AccountDeletion = {
  requireNoDependants: async () => undefined,
  leaving: async () => undefined,
  async deleted(tx, userId, now) {
    await anonymiseLedger(tx, userId);
    await removePersonalLibrary(tx, userId, now);
    await deleteSessionsOf(tx, userId);
  },
};

async function openSample(kind: 'sqlite' | 'postgres'): Promise<IdentitySample & { all: AccountDeletion }> {
  const sample = await openIdentitySample(kind);
  sample.deps.onAccountCreated = (tx, user) => grantInitialCredits(tx, user.id, user.createdAt);
  return { ...sample, all: deletion };
}

/** Creates a row of the account in every table that names its owner. */
async function fill({ visitor: { db } }: IdentitySample, name: string, userId: string): Promise<void> {
  const workspace = `user:${userId}` as const;
  const { query } = db;
  await query
    .insertInto('modules')
    .values(moduleRow({ id: `m-${name}`, workspace, createdByUserId: userId }))
    .execute();
  const segment = { id: `s-${name}`, moduleId: `m-${name}`, blobKey: `b-${name}`, createdAt: 0 };
  await query.insertInto('segments').values(segment).execute();
  const times = { createdAt: 0, updatedAt: 0 };
  const run = {
    id: `j-${name}`,
    workspace,
    slug: 'a',
    displayName: 'a',
    url: 'https://a.example/',
    kind: 'site' as const,
  };
  await query
    .insertInto('jobRuns')
    .values({ ...run, ...times, status: 'CRAWLING', startedByUserId: userId })
    .execute();
  const session = { id: `a-${name}`, identity: userId, userId, clientName: '', handle: userId };
  await query
    .insertInto('agentSessions')
    .values({ ...session, createdAt: 0, lastSeenAt: 0 })
    .execute();
  const call = { id: `c-${name}`, sessionId: `a-${name}`, at: 0, tool: 'search', query: 'secret question' };
  await query.insertInto('agentCalls').values(call).execute();
  const usage = {
    id: `u-${name}`,
    userId,
    requestId: `r-${name}`,
    amount: -1,
    timestamp: 0,
    details: 'secret question',
  };
  await query
    .insertInto('creditTransactions')
    .values({ ...usage, metadata: JSON.stringify({ userEmail: `${name}@docs.example` }) })
    .execute();
  const key = { id: `k-${name}`, userId, name: 'a', keyHash: userId, keySealed: '', createdAt: 0 };
  await query.insertInto('apiKeys').values(key).execute();
}

async function everything({ visitor: { db } }: IdentitySample): Promise<Record<string, unknown[]>> {
  const tables = [
    'users',
    'passwords',
    'webSessions',
    'actionCodes',
    'identityTokens',
    'apiKeys',
    'modules',
    'segments',
    'jobRuns',
    'agentSessions',
    'agentCalls',
    'creditTransactions',
    'auditLog',
  ] as const;
  const rows = await Promise.all(tables.map((table) => db.query.selectFrom(table).selectAll().execute()));
  return Object.fromEntries(tables.map((table, at) => [table, rows[at] ?? []]));
}

onEachDatabase('deleting an account', (kind) => {
  test('personal data is deleted, the ledger keeps its sums without the person, other accounts are unchanged', async () => {
    const sample = await openSample(kind);
    const other = await sample.join('bert@docs.example');
    await fill(sample, 'bert', other.userId);
    const before = await everything(sample);
    const { ctx, userId } = await sample.join();
    await fill(sample, 'anna', userId);
    await deleteAccount(ctx, { password }, { ...sample.deps, deletion: sample.all });
    const after = await everything(sample);
    const { creditTransactions = [], auditLog = [], segments = [], ...rest } = after;
    for (const [table, rows] of Object.entries(rest)) expect([table, rows]).toEqual([table, before[table]]);
    expect(segments).toMatchObject([{ droppedAt: null }, { id: 's-anna', droppedAt: sample.visitor.clock.now() }]);
    const personal = JSON.stringify([creditTransactions, auditLog]);
    expect(personal).not.toContain(email);
    expect(JSON.stringify(creditTransactions)).not.toContain(userId);
    expect(JSON.stringify(creditTransactions).split('secret question')).toHaveLength(2);
    const amounts = (creditTransactions as { amount: number }[]).map(({ amount }) => amount);
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(2 * 199);
    expect(auditLog).toContainEqual(
      expect.objectContaining({ action: 'account.delete', entityId: userId, actorUserId: null }),
    );
    expect((auditLog as { actorUserId: string | null }[]).map((row) => row.actorUserId)).not.toContain(userId);
    expect((await sample.mailsTo(email)).at(-1)?.subject).toBe('Your Sample account was deleted');
  });

  test('a sign-in within the last five minutes suffices, an older one needs the password', async () => {
    const sample = await openSample(kind);
    const { ctx } = await sample.join();
    const attempt = (input: { password?: string }) =>
      refusal(deleteAccount(ctx, input, { ...sample.deps, deletion: sample.all }));
    sample.visitor.clock.advance(5 * 60_000);
    expect(await attempt({})).toBe('recent-sign-in-needed');
    expect(await attempt({ password: 'wrong horse' })).toBe('wrong-password');
    expect(await attempt({ password: '' })).toBe('missing-password');
    const recent = await sample.join('bert@docs.example');
    sample.visitor.clock.advance(5 * 60_000 - 1);
    await deleteAccount(recent.ctx, {}, { ...sample.deps, deletion: sample.all });
    expect(await attempt({ password })).toBe('nothing refused');
  });

  test('one of two concurrent deletions succeeds, and a refused deletion changes nothing', async () => {
    const sample = await openSample(kind);
    const { ctx, userId } = await sample.join();
    await fill(sample, 'anna', userId);
    const before = await everything(sample);
    const lastAdmin = { ...deletion, requireNoDependants: () => Promise.reject(new AppError('permission-denied')) };
    const broken: AccountDeletion = {
      ...deletion,
      async deleted(...gone) {
        await deletion.deleted(...gone);
        throw new Error('disk full');
      },
    };
    for (const refusing of [lastAdmin, broken]) {
      await expect(deleteAccount(ctx, { password }, { ...sample.deps, deletion: refusing })).rejects.toThrow();
      expect(await everything(sample)).toEqual(before);
    }
    const codes = await Promise.all(
      [1, 2].map(() => refusal(deleteAccount(ctx, {}, { ...sample.deps, deletion: sample.all }))),
    );
    expect(codes.sort()).toEqual(['nothing refused', 'unauthenticated']);
    expect(await refusal(deleteAccount(ctx, {}, { ...sample.deps, deletion: sample.all }))).toBe('unauthenticated');
  });

  test('the operator, API keys and visitors cannot delete an account', async () => {
    const sample = await openSample(kind);
    const ownerId = await ensureLocalOwner(sample.visitor.db, sample.visitor.clock);
    const { userId } = await sample.join();
    const attempt = (actor: Parameters<IdentitySample['as']>[0]) =>
      refusal(deleteAccount(sample.as(actor), { password }, { ...sample.deps, deletion: sample.all }));
    expect(await attempt({ kind: 'user', userId: ownerId })).toBe('operator-not-deletable');
    expect(await attempt({ kind: 'operator', userId: ownerId })).toBe('operator-not-deletable');
    expect(await attempt({ kind: 'key', userId, keyId: 'k', clientKind: null })).toBe('permission-denied');
    expect(await attempt({ kind: 'anonymous' })).toBe('unauthenticated');
    expect(await attempt({ kind: 'user', userId })).toBe('nothing refused');
  });
});
