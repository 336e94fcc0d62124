import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/platform/db/database.ts';
import { openDatabase } from '#server/platform/db/open-database.ts';
import { freshDatabase, freshDatabaseConfig, onEachDatabase } from '#test/services/database.ts';
import { silentLog } from '#test/services/log.ts';
import { startProgram } from '#test/services/programs.ts';
import { userRow } from '#test/services/rows.ts';
import { createSettableClock, type SettableClock } from '#test/services/settable-clock.ts';
import { grantInitialCredits } from './adjust-credits.ts';
import { createCallMeter } from './call-meter.ts';
import { getCreditInfo, getMonthlyUsage } from './credit-info.ts';
import { debit } from './debit.ts';
import { checkLedger } from './index.ts';

type Sample = Context & { clock: SettableClock };
const exhausted = { code: 'credits-exhausted' };
const content = { hasContent: true, tokens: 100, wholePageTokens: 900, withheldTokens: 5 };
const nothing = { hasContent: false, tokens: 20, wholePageTokens: 0, withheldTokens: 0 };
const dayMs = 86_400_000;
const ascending = (a: number, b: number) => a - b;

onEachDatabase('debits', (kind) => {
  const meter = createCallMeter({ publicUrl: 'https://docs.example' });
  const search = (query: string, clientName = 'agent') => ({ tool: 'search' as const, args: { query }, clientName });

  async function account(
    db: Database,
    has: { credits?: number; allowance?: number; isOperator?: number } = {},
  ): Promise<Sample> {
    const id = `u${randomUUID().slice(0, 8)}`;
    const clock = createSettableClock();
    await db.query
      .insertInto('users')
      .values(userRow({ id, tier: 'Basic', isOperator: has.isOperator ?? 0, createdAt: clock.now() }))
      .execute();
    if (has.credits !== undefined) await giveCredits(db, id, has.credits, clock.now());
    await db.query
      .updateTable('users')
      .set({ monthlyAllowance: has.allowance ?? 0, subscriptionStartAt: clock.now(), allowanceStartAt: clock.now() })
      .where('id', '=', id)
      .execute();
    return {
      actor: { kind: 'key', userId: id, keyId: `key-${id}`, keyName: 'Laptop', clientKind: null },
      workspace: `user:${id}`,
      ...{ db, clock, log: silentLog, requestId: randomUUID() },
    };
  }
  const userOf = (ctx: Context) => (ctx.actor.kind === 'anonymous' ? '' : ctx.actor.userId);
  const ledgerOf = (ctx: Context) =>
    ctx.db.query.selectFrom('creditTransactions').selectAll().where('userId', '=', userOf(ctx)).execute();
  const usageRows = async (ctx: Context) => (await ledgerOf(ctx)).filter(({ source }) => source === 'usage');
  const receiptsOf = (ctx: Context) =>
    ctx.db.query.selectFrom('callReceipts').selectAll().where('userId', '=', userOf(ctx)).execute();

  /** Expects balance and used allowance to match the ledger. */
  async function expectLedgerToAgree(ctx: Context): Promise<void> {
    const rows = await ledgerOf(ctx);
    const sum = (isAllowance: number) =>
      rows.filter((row) => row.isFromMonthlyAllowance === isAllowance).reduce((total, { amount }) => total + amount, 0);
    const info = await getCreditInfo(ctx);
    expect(info.purchasedCredits).toBe(sum(0));
    expect(info.purchasedCredits).toBeGreaterThanOrEqual(0);
    const used = await ctx.db.query
      .selectFrom('monthlyUsage')
      .selectAll()
      .where('workspace', '=', `user:${userOf(ctx)}`)
      .execute();
    expect(used.reduce((total, { creditsUsed }) => total + creditsUsed, 0)).toBe(0 - sum(1));
    for (const { creditsUsed } of used) expect(creditsUsed).toBeLessThanOrEqual(info.monthlyAllowance);
  }

  test('a call uses the monthly allowance first, then the balance, and is then refused', async () => {
    const ctx = await account(await freshDatabase(kind), { credits: 1, allowance: 1 });
    for (const query of ['a', 'b']) await meter.settle(ctx, search(query), content);
    await expect(meter.settle(ctx, search('c'), content)).rejects.toMatchObject(exhausted);
    const rows = (await usageRows(ctx)).map(({ amount, isFromMonthlyAllowance }) => [amount, isFromMonthlyAllowance]);
    expect(rows.toSorted(([, a], [, b]) => Number(a) - Number(b))).toEqual([
      [-1, 0],
      [-1, 1],
    ]);
    expect(await getCreditInfo(ctx)).toMatchObject({ totalCreditsAvailable: 0, monthlyCreditsUsed: 1 });
    expect(await receiptsOf(ctx)).toHaveLength(2);
    await expectLedgerToAgree(ctx);
  });

  test('the ledger row names the caller, the call and the key', async () => {
    const ctx = await account(await freshDatabase(kind), { credits: 1 });
    await meter.settle(ctx, search('create_task'), content);
    const [row] = await usageRows(ctx);
    expect(row).toMatchObject({ details: 'Documentation search', timestamp: ctx.clock.now(), teamId: null });
    expect(JSON.parse(row?.metadata ?? '')).toEqual({
      args: { query: 'create_task' },
      tokens: content.tokens,
      apiKeyName: 'Laptop',
      userEmail: `${userOf(ctx)}@example.org`,
      user: userOf(ctx),
    });
  });

  test('an API key pasted into a query is masked in the ledger', async () => {
    const ctx = await account(await freshDatabase(kind), { credits: 1 });
    const key = `lec_${'0123456789abcdefghi'.repeat(2)}`;
    await meter.settle(ctx, search(`why is ${key} refused`), content);
    const [row] = await usageRows(ctx);
    expect(row?.metadata).toContain('why is lec_0123…fghi refused');
    expect(row?.metadata).not.toContain(key);
  });

  test('a call without results is free and still recorded', async () => {
    const ctx = await account(await freshDatabase(kind), { credits: 5 });
    await meter.settle(ctx, search('zyx'), nothing);
    expect(await usageRows(ctx)).toEqual([]);
    expect(await receiptsOf(ctx)).toMatchObject([{ tokens: 20, credits: 0, tool: 'search' }]);
    expect((await getCreditInfo(ctx)).totalCreditsAvailable).toBe(5);
  });

  test('free calls leave a limited number of receipts a day, and all are counted', async () => {
    const ctx = await account(await freshDatabase(kind), { credits: 5 });
    await meter.settle(ctx, search('zyx'), nothing);
    await ctx.db.query.updateTable('rateCounts').set({ count: limits.freeReceiptsPerDayMax }).execute();
    await meter.settle(ctx, search('zyy'), nothing);
    await meter.settle(ctx, search('x'), content);
    expect((await receiptsOf(ctx)).map(({ credits }) => credits).sort(ascending)).toEqual([0, 1]);
    const days = await ctx.db.query.selectFrom('callDays').select(['calls', 'credits']).execute();
    expect(days).toMatchObject([{ calls: 3, credits: 1 }]);
    expect(await checkLedger(ctx)).toEqual([]);
    ctx.clock.advance(dayMs);
    await meter.settle(ctx, search('zyz'), nothing);
    expect(await receiptsOf(ctx)).toHaveLength(3);
  });

  test('the refusal states the balance, the renewal date and where to get more', async () => {
    const db = await freshDatabase(kind);
    const ctx = await account(db, { allowance: 1 });
    await meter.settle(ctx, search('a'), content);
    const refusal = await meter.admit(ctx, search('b')).catch((error: unknown) => error);
    expect((refusal as Error).message).toBe(
      'Not enough credits: the balance is 0. The monthly allowance renews on 1 February 2026. Get more at https://docs.example/subscribe.',
    );
    const free = await account(db);
    await expect(meter.admit(free, search('b'))).rejects.toThrow(/plan has no monthly allowance\. Get more at/);
  });

  test('only a paid month brings a new allowance; purchased credits stay', async () => {
    const ctx = await account(await freshDatabase(kind), { allowance: 1, credits: 1 });
    await meter.settle(ctx, search('a'), content);
    ctx.clock.set(Date.UTC(2026, 1, 1));
    expect(await getMonthlyUsage(ctx)).toMatchObject({ month: 1, creditsUsed: 1 });
    expect(await getCreditInfo(ctx)).toMatchObject({ monthlyCreditsRemaining: 0 });
    const paid = { allowanceStartAt: ctx.clock.now() };
    await ctx.db.query.updateTable('users').set(paid).where('id', '=', userOf(ctx)).execute();
    expect(await getMonthlyUsage(ctx)).toBeNull();
    await meter.settle(ctx, search('b'), content);
    expect(await getMonthlyUsage(ctx)).toMatchObject({ year: 2026, month: 2, day: 1, creditsUsed: 1, teamId: null });
    expect(await getCreditInfo(ctx)).toMatchObject({ purchasedCredits: 1, monthlyCreditsRemaining: 0 });
  });

  test('an identical call within the window is a free retry with the first outcome, even without credits', async () => {
    const ctx = await account(await freshDatabase(kind), { credits: 1 });
    await meter.settle(ctx, search('a'), content);
    ctx.clock.advance(limits.retryWindowSeconds * 1_000 - 1);
    await meter.admit(ctx, search('a'));
    await meter.settle(ctx, search('a'), content);
    expect(await usageRows(ctx)).toHaveLength(1);
    expect((await receiptsOf(ctx)).map(({ credits }) => credits).toSorted(ascending)).toEqual([0, 1]);
    ctx.clock.advance(1);
    await expect(meter.admit(ctx, search('a'))).rejects.toMatchObject(exhausted);
  });

  test('a connected application is charged to its user, under its name, separately for each connection', async () => {
    const db = await freshDatabase(kind);
    const ctx = await account(db, { credits: 5 });
    for (const connectionId of ['c1', 'c2', 'c1']) {
      const actor = { kind: 'connection' as const, userId: userOf(ctx), connectionId, clientName: 'Editor' };
      await meter.settle({ ...ctx, actor }, search('one'), content);
    }
    const rows = await usageRows(ctx);
    expect(rows.map(({ amount, metadata }) => [amount, JSON.parse(metadata)])).toEqual(
      Array.from({ length: 2 }, () => [-1, expect.objectContaining({ apiKeyName: 'Editor' })]),
    );
    const keyIds = (await receiptsOf(ctx)).map(({ keyId }) => keyId ?? '');
    expect(keyIds.toSorted((a, b) => a.localeCompare(b))).toEqual(['c1', 'c1', 'c2']);
  });

  test('another query, tool, client or key makes a different call', async () => {
    const ctx = await account(await freshDatabase(kind), { credits: 10 });
    const other: Context = { ...ctx, actor: { kind: 'key', userId: userOf(ctx), keyId: 'other', clientKind: null } };
    await meter.settle(ctx, search('a'), content);
    await meter.settle(ctx, search('b'), content);
    await meter.settle(ctx, search('a', 'another'), content);
    await meter.settle(ctx, { tool: 'read', args: { query: 'a' }, clientName: 'agent' }, content);
    await meter.settle(other, search('a'), content);
    expect((await getCreditInfo(ctx)).totalCreditsAvailable).toBe(5);
  });

  test('an idempotency key of the caller is valid for a day, for the same arguments only', async () => {
    const ctx = { ...(await account(await freshDatabase(kind), { credits: 10 })), idempotencyKey: 'k1' };
    await meter.settle(ctx, search('a'), content);
    ctx.clock.advance(dayMs - 1);
    await meter.settle(ctx, search('a'), content);
    expect((await getCreditInfo(ctx)).totalCreditsAvailable).toBe(9);
    await meter.settle(ctx, search('b'), content);
    expect((await getCreditInfo(ctx)).totalCreditsAvailable).toBe(8);
  });

  test('operators are recorded but not charged; visitors are neither', async () => {
    const ctx = await account(await freshDatabase(kind), { isOperator: 1 });
    expect(await meter.admit(ctx, search('a'))).toEqual({ isCharged: false });
    await meter.settle(ctx, search('a'), content);
    expect(await usageRows(ctx)).toMatchObject([{ amount: 0, source: 'usage' }]);
    expect(await getCreditInfo(ctx)).toMatchObject({ isUnlimited: true, purchasedCredits: 0 });
    const visitor: Context = { ...ctx, actor: { kind: 'anonymous' }, workspace: null };
    expect(await meter.admit(visitor, search('a'))).toEqual({ isCharged: false });
    await meter.settle(visitor, search('a'), content);
    expect(await receiptsOf(ctx)).toHaveLength(1);
  });

  test('a deleted account is not charged, gets nothing and leaves no receipt', async () => {
    const ctx = await account(await freshDatabase(kind), { credits: 5 });
    await ctx.db.query.deleteFrom('users').where('id', '=', userOf(ctx)).execute();
    await expect(meter.admit(ctx, search('a'))).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(meter.settle(ctx, search('a'), content)).rejects.toMatchObject(exhausted);
    await expect(meter.settle(ctx, search('a'), nothing)).rejects.toMatchObject(exhausted);
    expect(await receiptsOf(ctx)).toEqual([]);
    await expect(getCreditInfo(ctx)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('a new account gets its credits once, however often and concurrently they are granted', async () => {
    const db = await freshDatabase(kind);
    const ctx = await account(db);
    const give = () => db.transaction((tx) => grantInitialCredits(tx, userOf(ctx), ctx.clock.now()));
    await Promise.all([give(), give(), give()]);
    await give();
    expect((await getCreditInfo(ctx)).purchasedCredits).toBe(limits.initialCredits);
    expect(await ledgerOf(ctx)).toMatchObject([{ source: 'initial', amount: limits.initialCredits }]);
    await expect(db.transaction((tx) => grantInitialCredits(tx, 'nobody', 0))).rejects.toThrow('account not found');
  });

  test('balance and allowance match the ledger after any calls, in any order, concurrent or not', async () => {
    const db = await freshDatabase(kind);
    const step = fc.record({
      query: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      hasContent: fc.boolean(),
      afterMs: fc.constantFrom(0, 0, 1_000, limits.retryWindowSeconds * 1_000, 20 * dayMs),
      isAlone: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 6 }),
        fc.nat({ max: 4 }),
        fc.array(step, { maxLength: 14 }),
        async (credits, allowance, steps) => {
          const ctx = await account(db, { credits, allowance });
          let pending: Promise<unknown>[] = [];
          for (const { query, hasContent, afterMs, isAlone } of steps) {
            if (afterMs > 0) await Promise.all(pending.splice(0));
            ctx.clock.advance(afterMs);
            const settled = meter.settle(ctx, search(query), hasContent ? content : nothing).catch((error: unknown) => {
              expect(error).toMatchObject(exhausted);
            });
            pending = [...pending, settled];
            if (isAlone) await Promise.all(pending.splice(0));
          }
          await Promise.all(pending);
          await expectLedgerToAgree(ctx);
          const charges = await usageRows(ctx);
          const perCall = Map.groupBy(charges, ({ fingerprint }) => fingerprint);
          for (const rows of perCall.values()) {
            const times = rows.map(({ timestamp }) => timestamp).toSorted(ascending);
            for (const [place, time] of times.entries()) {
              if (place > 0)
                expect(time - (times[place - 1] ?? 0)).toBeGreaterThanOrEqual(limits.retryWindowSeconds * 1_000);
            }
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  test('a debit from both allowance and balance writes two rows under one request, or none', async () => {
    const db = await freshDatabase(kind);
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 9 }),
        fc.nat({ max: 9 }),
        fc.array(fc.integer({ min: 1, max: 7 }), { maxLength: 6 }),
        async (credits, allowance, amounts) => {
          const ctx = await account(db, { credits, allowance });
          let left = credits + allowance;
          for (const [place, amount] of amounts.entries()) {
            const identity = { fingerprint: `${userOf(ctx)}-${place}`, windowMs: 1_000 };
            const charge = { amount, identity, details: 'Chat answer', metadata: {} };
            const pay = () => db.transaction((tx) => debit(tx, ctx, userOf(ctx), charge));
            const [first, again] = [await pay(), await pay()];
            expect(first.isPaid).toBe(amount <= left);
            if (!first.isPaid) continue;
            left -= amount;
            expect(first.fromAllowance + first.fromBalance).toBe(amount);
            expect(again).toEqual({ ...first, isRetry: true });
            const rows = (await usageRows(ctx)).filter(({ requestId }) => requestId === first.requestId);
            expect(rows.map((row) => row.amount).toSorted(ascending)).toEqual(
              [-first.fromAllowance, -first.fromBalance].filter((part) => part < 0).toSorted(ascending),
            );
          }
          expect((await getCreditInfo(ctx)).totalCreditsAvailable).toBe(left);
          await expectLedgerToAgree(ctx);
        },
      ),
      { numRuns: 20 },
    );
  });

  test('four processes with 500 calls each on 1,000 credits are granted exactly 1,000', {
    timeout: 120_000,
  }, async () => {
    const config = await freshDatabaseConfig(kind);
    const db = await openDatabase(config);
    const ctx = await account(db, { credits: 400, allowance: 600 });
    await db.query
      .updateTable('users')
      .set({ subscriptionStartAt: Date.now(), allowanceStartAt: Date.now() })
      .where('id', '=', userOf(ctx))
      .execute();
    const programs = await Promise.all(
      [0, 1, 2, 3].map((part) =>
        startProgram('ports/programs/spend-credits.ts', {
          ...{ config, userId: userOf(ctx), atOnce: 4 },
          queries: Array.from({ length: 500 }, (_, number) => `${part}-${number}`),
        }),
      ),
    );
    const outcomes = (await Promise.all(programs.map((program) => program.rest()))).flat() as {
      paid: number;
      refused: number;
    }[];
    const total = (name: 'paid' | 'refused') => outcomes.reduce((sum, outcome) => sum + outcome[name], 0);
    expect([total('paid'), total('refused')]).toEqual([1_000, 1_000]);
    ctx.clock.set(Date.now());
    expect(await getCreditInfo(ctx)).toMatchObject({ totalCreditsAvailable: 0, monthlyCreditsUsed: 600 });
    await expectLedgerToAgree(ctx);
    await db.close();
  });

  test('one call sent by several processes concurrently is charged once', { timeout: 60_000 }, async () => {
    const config = await freshDatabaseConfig(kind);
    const db = await openDatabase(config);
    const ctx = await account(db, { credits: 10 });
    const queries = Array.from({ length: 20 }, () => 'same');
    const programs = await Promise.all(
      [0, 1, 2].map(() =>
        startProgram('ports/programs/spend-credits.ts', { config, userId: userOf(ctx), atOnce: 5, queries }),
      ),
    );
    await Promise.all(programs.map((program) => program.rest()));
    expect((await getCreditInfo(ctx)).totalCreditsAvailable).toBe(9);
    await expectLedgerToAgree(ctx);
    await db.close();
  });
});

/** Adds a ledger row and raises the balance, as a purchase does. */
async function giveCredits(db: Database, userId: string, amount: number, now: number): Promise<void> {
  await db.query
    .insertInto('creditTransactions')
    .values({ id: randomUUID(), userId, requestId: randomUUID(), amount, source: 'purchase', timestamp: now })
    .execute();
  await db.query.updateTable('users').set({ credits: amount }).where('id', '=', userId).execute();
}
