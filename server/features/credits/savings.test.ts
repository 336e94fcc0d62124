import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import { freshDatabase, onEachDatabase } from '#test/services/database.ts';
import { silentLog } from '#test/services/log.ts';
import { userRow } from '#test/services/rows.ts';
import { createSettableClock } from '#test/services/settable-clock.ts';
import { anonymiseLedger } from './anonymise-ledger.ts';
import { createCallMeter } from './call-meter.ts';
import { checkLedger } from './index.ts';
import { getSavings } from './usage.ts';

onEachDatabase('saved tokens', (kind) => {
  test('add up in total, by key and by conversation, for their user only', async () => {
    const db = await freshDatabase(kind);
    const clock = createSettableClock();
    const meter = createCallMeter({ publicUrl: 'http://x' });
    const as = (userId: string, keyId?: string): Context => ({
      ...{ db, clock, log: silentLog, requestId: randomUUID(), workspace: `user:${userId}` as const },
      actor: keyId === undefined ? { kind: 'user', userId } : { kind: 'key', userId, keyId, clientKind: null },
    });
    for (const id of ['anna', 'bert'])
      await db.query
        .insertInto('users')
        .values(userRow({ id, credits: 50 }))
        .execute();
    let calls = 0;
    const call = (ctx: Context, tool: 'search' | 'read', sessionId: string | undefined, found = true) => {
      clock.advance(1_000);
      calls += 1;
      return meter.settle(
        ctx,
        { tool, args: { query: `${calls}` }, clientName: 'c' },
        {
          hasContent: found,
          tokens: found ? 500 : 20,
          wholePageTokens: found ? 4_000 : 0,
          withheldTokens: 7,
          sessionId,
        },
      );
    };
    await call(as('anna', 'k1'), 'search', 's1');
    await call(as('anna', 'k1'), 'read', 's1');
    await call(as('anna', 'k2'), 'search', 's2');
    await call(as('anna', 'k2'), 'search', 's3', false);
    await call(as('anna'), 'search', undefined);
    await call(as('bert', 'k9'), 'search', 's9');
    const { total, keys, sessions } = await getSavings(as('anna'), { days: 30 });
    const one = limits.baselineTokens;
    expect(total).toEqual({
      ...{ searches: 4, answeredSearches: 3, reads: 1, tokensSent: 2_020, wholePageTokens: 16_000, withheldTokens: 35 },
      savedTokens: 3 * one - 2_020,
    });
    expect(keys.map(({ id, savedTokens }) => [id, savedTokens])).toEqual([
      [null, one - 500],
      ['k2', one - 520],
      ['k1', one - 1_000],
    ]);
    expect(sessions.map(({ id, savedTokens }) => [id, savedTokens])).toEqual([
      ['s3', 0],
      ['s2', one - 500],
      ['s1', one - 1_000],
    ]);
    expect((await getSavings(as('bert'), { days: 30 })).total.searches).toBe(1);
    calls -= 1;
    await call(as('bert', 'k9'), 'search', 's9');
    const retried = await getSavings(as('bert'), { days: 30 });
    expect(retried.sessions).toMatchObject([
      { searches: 2, answeredSearches: 1, tokensSent: 1_000, wholePageTokens: 4_000, savedTokens: one - 1_000 },
    ]);
    expect(await checkLedger(as('anna'))).not.toContainEqual(
      expect.objectContaining({ detail: expect.stringMatching(/days/) }),
    );
    // Calls of one day with several keys become one row.
    await db.transaction((tx) => anonymiseLedger(tx, 'anna'));
    const left = await db.query
      .selectFrom('callDays')
      .selectAll()
      .where('userId', 'like', 'deleted-%')
      .orderBy('tool')
      .execute();
    expect(left.map(({ keyId, tool, calls }) => [keyId, tool, calls])).toEqual([
      ['', 'read', 1],
      ['', 'search', 4],
    ]);
    expect((await getSavings(as('anna'), { days: 30 })).total.searches).toBe(0);
    clock.advance(40 * 86_400_000);
    expect((await getSavings(as('bert'), { days: 30 })).keys).toEqual([]);
  });
});
