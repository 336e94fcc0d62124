import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { openDatabase } from '#server/platform/db/open-database.ts';
import { freshDatabase, freshDatabaseConfig, onEachDatabase } from '#test/services/database.ts';
import { startProgram } from '#test/services/programs.ts';
import { expectLedgersToAgree, type SamplePool, samplePool } from '#test/services/sample-pool.ts';
import { leaveSampleTeam } from '#test/services/sample-team.ts';
import { clearTeamLedger } from './anonymise-ledger.ts';
import { createCallMeter } from './call-meter.ts';
import { getCreditInfo, getMonthlyUsage } from './credit-info.ts';
import { getMemberUsage } from './usage.ts';

const exhausted = { code: 'credits-exhausted' };
const content = { hasContent: true, tokens: 100, wholePageTokens: 900, withheldTokens: 5 };
const meter = createCallMeter({ publicUrl: 'https://docs.example' });
const search = (query: string) => ({ tool: 'search' as const, args: { query }, clientName: 'agent' });
const windowMs = limits.retryWindowSeconds * 1_000;

onEachDatabase('team debits', (kind) => {
  const rowsOf = ({ db, teamId }: SamplePool) =>
    db.query.selectFrom('creditTransactions').selectAll().where('teamId', '=', teamId).execute();
  const usageOf = async (pool: SamplePool) => (await rowsOf(pool)).filter(({ source }) => source === 'usage');
  const messageOf = (work: Promise<unknown>) =>
    work.then(
      () => '',
      (error: Error) => error.message,
    );

  test('a member with a paid seat uses the allowance of the team, then its credits, never their own', async () => {
    const pool = await samplePool(await freshDatabase(kind), {
      ...{ credits: 1, allowance: 1 },
      members: { anna: { credits: 5 } },
    });
    const anna = await pool.agent('anna');
    for (const query of ['a', 'b']) await meter.settle(anna, search(query), content);
    await expect(meter.settle(anna, search('c'), content)).rejects.toMatchObject(exhausted);
    const rows = await usageOf(pool);
    expect(rows.toSorted((a, b) => b.isFromMonthlyAllowance - a.isFromMonthlyAllowance)).toMatchObject([
      { amount: -1, isFromMonthlyAllowance: 1, userAccountAmount: null, userId: 'anna' },
      { amount: -1, isFromMonthlyAllowance: 0, userAccountAmount: null, userId: 'anna' },
    ]);
    expect(JSON.parse(rows[0]?.metadata ?? '')).toMatchObject({
      ...{ user: 'anna', userEmail: 'anna@example.org', apiKeyName: 'Laptop' },
    });
    expect(await getCreditInfo(anna)).toMatchObject({ tier: 'Pro', totalCreditsAvailable: 0, monthlyCreditsUsed: 1 });
    expect(await getMonthlyUsage(anna)).toMatchObject({ userId: null, teamId: pool.teamId, creditsUsed: 1 });
    expect(await getCreditInfo(pool.own('anna'))).toMatchObject({ purchasedCredits: 5 });
    await expectLedgersToAgree(pool);
  });

  test('a member without a seat pays from their own account; the row of the team is 0 and states the amount', async () => {
    const pool = await samplePool(await freshDatabase(kind), {
      credits: 9,
      members: { anna: {}, bert: { hasSeat: false, credits: 1 } },
    });
    const bert = await pool.agent('bert');
    await meter.settle(bert, search('a'), content);
    expect(await usageOf(pool)).toMatchObject([
      { amount: 0, userAccountAmount: -1, isFromMonthlyAllowance: 0, details: 'Documentation search' },
    ]);
    const own = await pool.db.query
      .selectFrom('creditTransactions')
      .selectAll()
      .where('userId', '=', 'bert')
      .where('teamId', 'is', null)
      .where('source', '=', 'usage')
      .execute();
    expect(own).toMatchObject([{ amount: -1, userAccountAmount: null, details: 'Documentation search in Acme' }]);
    const receipts = await pool.db.query.selectFrom('callReceipts').selectAll().execute();
    expect(receipts).toMatchObject([{ teamId: pool.teamId, credits: 1, userId: 'bert' }]);
    await expect(meter.admit(bert, search('b'))).rejects.toMatchObject(exhausted);
    await expect(meter.settle(bert, search('b'), content)).rejects.toMatchObject(exhausted);
    expect(await getCreditInfo(bert)).toMatchObject({ purchasedCredits: 9 });
    await expectLedgersToAgree(pool);
  });

  test('a deleted team leaves no query text, even in the ledgers of its members', async () => {
    const pool = await samplePool(await freshDatabase(kind), {
      credits: 9,
      members: { anna: {}, bert: { hasSeat: false, credits: 3 } },
    });
    const inTeam = await pool.agent('bert');
    await meter.settle(inTeam, search('secret'), content);
    await meter.settle(pool.own('bert'), search('own'), content);
    await pool.db.transaction((tx) => clearTeamLedger(tx, pool.teamId));
    const rows = await pool.db.query
      .selectFrom('creditTransactions')
      .selectAll()
      .where('source', '=', 'usage')
      .execute();
    expect(JSON.stringify(rows)).not.toMatch(/secret|Acme/);
    expect(rows.map(({ amount, details }) => `${amount} ${details}`).sort()).toEqual([
      '-1 Call in a deleted team',
      '-1 Documentation search',
      '0 ',
    ]);
    await expectLedgersToAgree(pool);
  });

  test('the refusal says whose credits are used up and what an admin can do', async () => {
    const pool = await samplePool(await freshDatabase(kind), { allowance: 1, members: { anna: {}, bert: {} } });
    const [anna, bert] = [await pool.agent('anna'), await pool.agent('bert')];
    await meter.settle(anna, search('a'), content);
    const [start, query] = ['https://docs.example', `?teamId=${pool.teamId}`];
    expect(await messageOf(meter.admit(anna, search('b')))).toBe(
      `Not enough credits in the pool of Acme: the balance is 0. The monthly allowance renews on 1 February 2026. A team admin can add seats or buy credits at ${start}/upgrade-team${query}.`,
    );
    await pool.setSeat('bert', false);
    const own = `Not enough credits on your own account, which pays for your calls in Acme because you have no paid seat there: the balance is 0. The Free plan has no monthly allowance. A team admin can assign you a seat at ${start}/team-manage-seats${query}, or you can get credits at ${start}/subscribe.`;
    expect(await messageOf(meter.admit(bert, search('b')))).toBe(own);
    expect(await messageOf(meter.settle(bert, search('b'), content))).toBe(own);
  });

  test('a retry is never charged twice, even if the seat was assigned or removed in between', async () => {
    const pool = await samplePool(await freshDatabase(kind), {
      credits: 5,
      members: { anna: { credits: 5 }, bert: { hasSeat: false, credits: 5 } },
    });
    const [anna, bert] = [await pool.agent('anna'), await pool.agent('bert')];
    await meter.settle(anna, search('a'), content);
    await meter.settle(bert, search('a'), content);
    await pool.setSeat('anna', false);
    await pool.setSeat('bert', true);
    await meter.settle(anna, search('a'), content);
    await meter.settle(bert, search('a'), content);
    expect((await usageOf(pool)).map(({ amount, userAccountAmount }) => [amount, userAccountAmount])).toHaveLength(2);
    expect(await getCreditInfo(anna)).toMatchObject({ purchasedCredits: 4 });
    expect(await getCreditInfo(pool.own('anna'))).toMatchObject({ purchasedCredits: 5 });
    expect(await getCreditInfo(pool.own('bert'))).toMatchObject({ purchasedCredits: 4 });
    await expectLedgersToAgree(pool);
  });

  test('a call whose seat is lost before settlement is charged to the member, not the pool', async () => {
    const pool = await samplePool(await freshDatabase(kind), { credits: 5, members: { anna: { credits: 1 } } });
    const anna = await pool.agent('anna');
    await meter.admit(anna, search('a'));
    await pool.setSeat('anna', false);
    await meter.settle(anna, search('a'), content);
    expect(await getCreditInfo(anna)).toMatchObject({ purchasedCredits: 5 });
    expect(await getCreditInfo(pool.own('anna'))).toMatchObject({ purchasedCredits: 0 });
    await expectLedgersToAgree(pool);
  });

  test('a call of a member removed meanwhile is refused, and nothing is written', async () => {
    const pool = await samplePool(await freshDatabase(kind), { credits: 5, members: { anna: { credits: 5 } } });
    const anna = await pool.agent('anna');
    await meter.admit(anna, search('a'));
    await leaveSampleTeam(pool.db, pool.teamId, 'anna');
    for (const work of [() => meter.settle(anna, search('a'), content), () => meter.admit(anna, search('b'))]) {
      await expect(work()).rejects.toMatchObject({ code: 'team-not-found' });
    }
    expect(await pool.db.query.selectFrom('callReceipts').selectAll().execute()).toEqual([]);
    await expectLedgersToAgree(pool);
  });

  test('the same query in the team and in the own workspace is two calls', async () => {
    const pool = await samplePool(await freshDatabase(kind), { credits: 5, members: { anna: { credits: 5 } } });
    await meter.settle(await pool.person('anna'), search('a'), content);
    await meter.settle(pool.own('anna'), search('a'), content);
    expect(await getCreditInfo(await pool.person('anna'))).toMatchObject({ purchasedCredits: 4 });
    expect(await getCreditInfo(pool.own('anna'))).toMatchObject({ purchasedCredits: 4 });
  });

  test('two members asking the same at the same moment in the browser are both charged', async () => {
    const pool = await samplePool(await freshDatabase(kind), { credits: 5, members: { anna: {}, bert: {} } });
    for (const name of ['anna', 'bert']) await meter.settle(await pool.person(name), search('a'), content);
    expect(await getCreditInfo(await pool.person('anna'))).toMatchObject({ purchasedCredits: 3 });
  });

  test('the operator is recorded in the ledger of the team and not charged, with or without a seat', async () => {
    const pool = await samplePool(await freshDatabase(kind), { credits: 5, members: { anna: {} } });
    await pool.db.query.updateTable('users').set({ isOperator: 1 }).execute();
    const anna = await pool.agent('anna');
    await meter.settle(anna, search('a'), content);
    await pool.setSeat('anna', false);
    await meter.settle(anna, search('b'), content);
    expect((await usageOf(pool)).map(({ amount }) => amount)).toEqual([0, 0]);
    await expectLedgersToAgree(pool);
  });

  test('since the cycle began, members see the usage of their own calls, admins that of everyone', async () => {
    const pool = await samplePool(await freshDatabase(kind), {
      ...{ credits: 9, allowance: 2 },
      members: { anna: { role: 'admin' }, bert: { hasSeat: false, credits: 2 } },
    });
    const [anna, bert] = [await pool.agent('anna'), await pool.agent('bert')];
    await meter.settle(anna, search('before'), content);
    pool.clock.set(Date.UTC(2026, 1, 3));
    for (const query of ['a', 'b', 'c']) await meter.settle(anna, search(query), content);
    await meter.settle(bert, search('a'), content);
    const input = { teamId: pool.teamId };
    const ofAnna = { userId: 'anna', user: 'anna', creditsUsed: 3, accountCreditsUsed: 0 };
    const ofBert = { userId: 'bert', userEmail: 'bert@example.org', creditsUsed: 0, accountCreditsUsed: 1 };
    const seen = await getMemberUsage(pool.own('anna'), input);
    expect(seen).toMatchObject({ since: Date.UTC(2026, 1, 1), members: [ofAnna, ofBert] });
    expect((await getMemberUsage(pool.own('bert'), input)).members).toMatchObject([ofBert]);
    for (const [who, teamId] of [
      [pool.own('bert'), 'missing'],
      [pool.own('stranger'), pool.teamId],
    ] as const) {
      expect(await messageOf(getMemberUsage(who, { teamId }))).toBe('Team not found. Choose one of your teams.');
    }
    await expect(getMemberUsage(anna, input)).rejects.toMatchObject({ code: 'permission-denied' });
  });

  test('the pool never falls below 0 and the ledgers match for any callers and concurrent seat changes', {
    timeout: 60_000,
  }, async () => {
    const step = fc.record({
      who: fc.constantFrom('anna', 'bert', 'carl'),
      query: fc.constantFrom('a', 'b', 'c', 'd'),
      seat: fc.constantFrom(undefined, undefined, true, false),
      afterMs: fc.constantFrom(0, 0, 1_000, windowMs),
      isAlone: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 5 }),
        fc.nat({ max: 4 }),
        fc.array(step, { maxLength: 14 }),
        async (credits, allowance, steps) => {
          const pool = await samplePool(await freshDatabase(kind), {
            ...{ credits, allowance },
            members: { anna: { credits: 2 }, bert: { hasSeat: false, credits: 3 }, carl: {} },
          });
          let pending: Promise<unknown>[] = [];
          for (const { who, query, seat, afterMs, isAlone } of steps) {
            if (afterMs > 0) await Promise.all(pending.splice(0));
            pool.clock.advance(afterMs);
            const agent = await pool.agent(who);
            const settled = meter.settle(agent, search(query), content).catch((error: unknown) => {
              expect(error).toMatchObject(exhausted);
            });
            pending = [...pending, settled, ...(seat === undefined ? [] : [pool.setSeat(who, seat)])];
            if (isAlone) await Promise.all(pending.splice(0));
          }
          await Promise.all(pending);
          await expectLedgersToAgree(pool);
          const rows = await usageOf(pool);
          for (const calls of Map.groupBy(rows, ({ userId, metadata }) => userId + metadata).values()) {
            const times = calls
              .filter(({ timestamp }, at) => calls.findIndex((row) => row.timestamp === timestamp) === at)
              .map(({ timestamp }) => timestamp)
              .toSorted((a, b) => a - b);
            for (const [at, time] of times.entries()) {
              if (at > 0) expect(time - (times[at - 1] ?? 0)).toBeGreaterThanOrEqual(windowMs);
            }
          }
        },
      ),
      { numRuns: 15 },
    );
  });

  test('a plan change during calls never spends more than the plan holds, and the ledgers match', async () => {
    const pool = await samplePool(await freshDatabase(kind), {
      ...{ credits: 3, allowance: 5 },
      members: { anna: {}, bert: {} },
    });
    const agents = [await pool.agent('anna'), await pool.agent('bert')];
    const setAllowance = (monthlyAllowance: number) =>
      pool.db.query.updateTable('teams').set({ monthlyAllowance }).where('id', '=', pool.teamId).execute();
    const settles = Array.from({ length: 20 }, (_, at) =>
      meter.settle(agents[at % 2] ?? pool.own('anna'), search(`${at}`), content).then(
        () => 'paid',
        (error: { code: string }) => error.code,
      ),
    );
    await setAllowance(2);
    await setAllowance(8);
    const outcomes = await Promise.all(settles);
    const paid = outcomes.filter((outcome) => outcome === 'paid').length;
    expect(outcomes.filter((outcome) => outcome === 'credits-exhausted')).toHaveLength(20 - paid);
    expect(paid).toBeGreaterThanOrEqual(5);
    expect(paid).toBeLessThanOrEqual(11);
    expect(await getCreditInfo(await pool.person('anna'))).toMatchObject({ totalCreditsAvailable: 11 - paid });
    await expectLedgersToAgree(pool);
  });

  test('four members in four processes with 500 calls each on a pool of 1,000 are granted exactly 1,000', {
    timeout: 120_000,
  }, async () => {
    const config = await freshDatabaseConfig(kind);
    const db = await openDatabase(config);
    const names = ['anna', 'bert', 'carl', 'dora'];
    const members = Object.fromEntries(names.map((name) => [name, { credits: 50 }]));
    const pool = await samplePool(db, { credits: 400, allowance: 600, members });
    await db.query
      .updateTable('teams')
      .set({ subscriptionStartAt: Date.now(), allowanceStartAt: Date.now() })
      .execute();
    const programs = await Promise.all(
      names.map((userId) =>
        startProgram('ports/programs/spend-credits.ts', {
          ...{ config, userId, teamId: pool.teamId, atOnce: 4 },
          queries: Array.from({ length: 500 }, (_, number) => `${number}`),
        }),
      ),
    );
    const outcomes = (await Promise.all(programs.map((program) => program.rest()))).flat() as {
      paid: number;
      refused: number;
    }[];
    const total = (name: 'paid' | 'refused') => outcomes.reduce((sum, outcome) => sum + outcome[name], 0);
    expect([total('paid'), total('refused')]).toEqual([1_000, 1_000]);
    pool.clock.set(Date.now());
    expect(await getCreditInfo(await pool.agent('anna'))).toMatchObject({ totalCreditsAvailable: 0 });
    expect(await getCreditInfo(pool.own('anna'))).toMatchObject({ purchasedCredits: 50 });
    await expectLedgersToAgree(pool);
    await db.close();
  });
});
