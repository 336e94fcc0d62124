import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import { freshDatabase, onEachDatabase } from '#test/services/database.ts';
import { silentLog } from '#test/services/log.ts';
import { userRow } from '#test/services/rows.ts';
import { createSettableClock } from '#test/services/settable-clock.ts';
import { createCallMeter } from './call-meter.ts';
import { getMonthlyUsage } from './credit-info.ts';
import { exportTransactions, listTransactions } from './list-transactions.ts';
import { getUsage } from './usage.ts';

const exported = async (ctx: Context, type: 'all' | 'purchase') => text(await exportTransactions(ctx, { type }));

const dayMs = 86_400_000;
const start = Date.UTC(2026, 0, 10, 12);

onEachDatabase('credit history', (kind) => {
  const meter = createCallMeter({ publicUrl: 'http://x' });
  const content = { hasContent: true, tokens: 100, wholePageTokens: 900, withheldTokens: 5 };

  async function people() {
    const db = await freshDatabase(kind);
    const clock = createSettableClock(start);
    const shared = { db, clock, log: silentLog, requestId: randomUUID() };
    const person = async (id: string) => {
      await db.query
        .insertInto('users')
        .values(userRow({ id, credits: 50 }))
        .execute();
      const as = (actor: Context['actor']): Context => ({ ...shared, actor, workspace: `user:${id}` });
      return {
        agent: as({ kind: 'key', userId: id, keyId: `k-${id}`, clientKind: null }),
        self: as({ kind: 'user', userId: id }),
      };
    };
    const [anna, bert] = [await person('anna'), await person('bert')];
    const call = (ctx: Context, tool: 'search' | 'read', word: string) =>
      meter.settle(ctx, { tool, args: tool === 'search' ? { query: word } : { url: word }, clientName: 'c' }, content);
    return { db, clock, anna, bert, call };
  }

  test('transactions are the latest first, filtered, limited and only those of the user', async () => {
    const { db, clock, anna, bert, call } = await people();
    for (const word of ['one', 'two', 'three']) {
      await call(anna.agent, 'search', word);
      clock.advance(dayMs);
    }
    await call(bert.agent, 'read', 'https://bert.example/secret');
    await db.query
      .insertInto('creditTransactions')
      .values([
        { id: 'p', userId: 'anna', requestId: 'p', amount: 1000, source: 'purchase', timestamp: start - dayMs },
        {
          id: 't',
          userId: 'anna',
          teamId: 'team',
          requestId: 't',
          amount: 0,
          userAccountAmount: -1,
          source: 'usage',
          timestamp: start,
        },
      ])
      .execute();
    const list = (input: Partial<Parameters<typeof listTransactions>[1]> = {}) =>
      listTransactions(anna.self, { type: 'all', limit: 100, ...input });
    const words = (await list()).map(({ metadata, source }) => metadata.args?.query ?? source);
    expect(words).toEqual(['three', 'two', 'one', 'purchase']);
    expect(await list({ type: 'purchase' })).toMatchObject([{ amount: 1000, isFromMonthlyAllowance: false }]);
    expect(await list({ type: 'subscription' })).toEqual([]);
    expect(await list({ from: start, to: start + dayMs })).toHaveLength(2);
    expect(await list({ from: start + 1, to: start + dayMs - 1 })).toEqual([]);
    expect(await list({ limit: 1 })).toMatchObject([{ amount: -1, metadata: { args: { query: 'three' } } }]);
    await expect(listTransactions(anna.agent, { type: 'all', limit: 1 })).rejects.toMatchObject({
      code: 'permission-denied',
    });
    const visitor: Context = { ...anna.self, actor: { kind: 'anonymous' }, workspace: null };
    await expect(listTransactions(visitor, { type: 'all', limit: 1 })).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    expect(await getMonthlyUsage(anna.self)).toBeNull();
  });

  test('the export has a header and one line per transaction, escaped against spreadsheet formulas', async () => {
    const { anna, call } = await people();
    await call(anna.agent, 'search', 'say "hi", then');
    const lines = (await exported(anna.self, 'all')).split('\r\n');
    expect(lines[0]).toBe('id,timestamp,source,amount,from_monthly_allowance,details,api_key,arguments');
    expect(lines[1]).toMatch(/,2026-01-10T12:00:00.000Z,usage,-1,false,Documentation search,,"\{""query"":""say /);
    expect(lines).toHaveLength(3);
    expect(await exported(anna.self, 'purchase')).toBe(`${lines[0]}\r\n`);
  });

  test('the export reads its rows while it is sent', async () => {
    const { db, anna } = await people();
    const rows = Array.from({ length: 600 }, (_, at) => ({
      ...{ id: `t${at}`, userId: 'anna', requestId: `r${at}`, amount: -1, source: 'usage' as const },
      timestamp: start - at,
    }));
    await db.query.insertInto('creditTransactions').values(rows).execute();
    const pieces = (await exportTransactions(anna.self, { type: 'all' }))[Symbol.asyncIterator]();
    const first = [await pieces.next(), await pieces.next()];
    expect(first.map(({ done }) => done)).toEqual([false, false]);
    await db.query.deleteFrom('creditTransactions').execute();
    expect(String((await pieces.next()).value)).toBe('');
    expect((await pieces.next()).done).toBe(true);
  });

  test('usage lists every day in order, with tokens sent, whole pages and duplicates', async () => {
    const { clock, anna, bert, call } = await people();
    await call(anna.agent, 'search', 'one');
    await call(anna.agent, 'read', 'two');
    await call(bert.agent, 'read', 'three');
    clock.advance(2 * dayMs);
    await call(anna.agent, 'search', 'four');
    await call(anna.agent, 'search', 'four');
    const nothing = { hasContent: false, tokens: 0, wholePageTokens: 0, withheldTokens: 0 };
    await meter.settle(anna.agent, { tool: 'search', args: { query: 'none' }, clientName: 'c' }, nothing);
    const days = await getUsage(anna.self, { days: 4 });
    const at = (place: number) => Math.floor(start / dayMs) * dayMs + (place - 1) * dayMs;
    const sums = (calls: number) => ({
      tokensSent: 100 * calls,
      wholePageTokens: 900 * calls,
      withheldTokens: 5 * calls,
    });
    expect(days).toEqual([
      { at: at(0), searches: 0, answeredSearches: 0, reads: 0, credits: 0, ...sums(0) },
      { at: at(1), searches: 1, answeredSearches: 1, reads: 1, credits: 2, ...sums(2) },
      { at: at(2), searches: 0, answeredSearches: 0, reads: 0, credits: 0, ...sums(0) },
      { at: at(3), searches: 3, answeredSearches: 1, reads: 0, credits: 1, ...sums(2), wholePageTokens: 900 },
    ]);
    expect(await getUsage(anna.self, { days: limits.usageDaysMax })).toHaveLength(limits.usageDaysMax);
    await expect(getUsage(anna.agent, { days: 1 })).rejects.toMatchObject({ code: 'permission-denied' });
  });
});
