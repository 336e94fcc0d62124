import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { freshDatabase, onEachDatabase } from '#test/services/database.ts';
import { silentLog } from '#test/services/log.ts';
import { userRow } from '#test/services/rows.ts';
import { createSettableClock } from '#test/services/settable-clock.ts';
import { getInsights, listAgentCalls } from './insights.ts';

const dayMs = 24 * 60 * 60 * 1000;

onEachDatabase('calls of agents', (kind) => {
  test('are visible to their user only, and add up by library, by day and by queries without results', async () => {
    const db = await freshDatabase(kind);
    const today = 400 * dayMs;
    const now = today + dayMs / 2;
    const clock = createSettableClock(now);
    const as = (userId: string): Context => ({
      ...{ db, clock, log: silentLog, requestId: randomUUID(), workspace: `user:${userId}` as const },
      actor: { kind: 'user', userId },
    });
    for (const id of ['anna', 'bert']) {
      await db.query.insertInto('users').values(userRow({ id })).execute();
      const session = { id: `s-${id}`, identity: `i-${id}`, userId: id, keyId: null, clientName: 'claude-code' };
      await db.query
        .insertInto('agentSessions')
        .values({ ...session, handle: '', createdAt: 0, lastSeenAt: now, teamId: null })
        .execute();
    }
    const source = { kind: 'site', url: 'https://docs.example/guide/', seeds: [], maxPages: 10 };
    const module = { id: 'm', workspace: 'public' as const, slug: 'docs.example', displayName: 'Guide' };
    await db.query
      .insertInto('modules')
      .values({ ...module, kind: 'site', source: JSON.stringify(source), createdAt: 0, createdByUserId: 'anna' })
      .execute();
    const damaged = { ...module, id: 'd', slug: 'damaged', kind: 'site' as const, source: '{}' };
    await db.query
      .insertInto('modules')
      .values({ ...damaged, createdAt: 0, createdByUserId: 'anna' })
      .execute();
    const call = (userId: string, at: number, query: string | null, pages: string[], latencyMs = 10) =>
      db.query
        .insertInto('agentCalls')
        .values({
          ...{ id: randomUUID(), sessionId: `s-${userId}`, at, tool: query === null ? 'read' : 'search', query },
          ...{
            url: query === null ? (pages[0] ?? null) : null,
            pageUrls: JSON.stringify(pages),
            tokens: 300,
            latencyMs,
          },
        })
        .execute();
    await call('anna', now - 40 * dayMs, 'long ago', ['https://docs.example/guide/a']);
    await call('anna', now - dayMs, 'first', ['https://docs.example/guide/a', 'https://docs.example/guide/b'], 30);
    await call('anna', now - 3_000, 'Second', ['https://docs.example/guide/a', 'https://other.example/x'], 10);
    await call('anna', now - 2_000, 'missing thing', []);
    await call('anna', now - 1_000, 'Missing thing ', []);
    await call('anna', now, null, ['https://other.example/x']);
    await call('bert', now, 'secret of bert', []);

    const calls = await listAgentCalls(as('anna'), { limit: 2 });
    expect(calls.map(({ tool, url, query, client }) => [tool, url ?? query, client])).toEqual([
      ['read', 'https://other.example/x', 'claude-code'],
      ['search', 'Missing thing ', 'claude-code'],
    ]);
    const insights = await getInsights(as('anna'), { days: 30 });
    expect(insights.libraries).toEqual([
      { name: 'Guide', moduleId: 'docs.example', answers: 2 },
      { name: 'other.example', moduleId: null, answers: 2 },
    ]);
    expect(insights.latency).toEqual([
      { at: today - dayMs, searches: 1, medianMs: 30, p95Ms: 30 },
      { at: today, searches: 3, medianMs: 10, p95Ms: 10 },
    ]);
    expect(insights).toMatchObject({ unansweredCount: 2, unanswered: [{ query: 'Missing thing ', count: 2 }] });
    expect(JSON.stringify(insights)).not.toContain('bert');
    expect((await getInsights(as('bert'), { days: 1 })).unanswered).toMatchObject([{ query: 'secret of bert' }]);
  });

  test('of thousands of calls are read in parts, between which others are served', async () => {
    const db = await freshDatabase(kind);
    const clock = createSettableClock(400.5 * dayMs);
    await db.query
      .insertInto('users')
      .values(userRow({ id: 'anna' }))
      .execute();
    const session = { id: 's', identity: 'i', userId: 'anna', keyId: null, clientName: 'c', handle: '', teamId: null };
    await db.query
      .insertInto('agentSessions')
      .values({ ...session, createdAt: 0, lastSeenAt: clock.now() })
      .execute();
    const call = { sessionId: 's', tool: 'search' as const, query: 'q', pageUrls: '[]', latencyMs: 10 };
    const calls = Array.from({ length: 1_600 }, (_, at) => ({ ...call, id: `c${at}`, at: clock.now() - at }));
    await db.query.insertInto('agentCalls').values(calls).execute();
    let turns = 0;
    let next = setImmediate(function count() {
      turns += 1;
      next = setImmediate(count);
    });
    const ctx: Context = {
      ...{ db, clock, log: silentLog, requestId: randomUUID(), workspace: 'user:anna' as const },
      actor: { kind: 'user', userId: 'anna' },
    };
    const { unanswered, unansweredCount } = await getInsights(ctx, { days: 1 });
    clearImmediate(next);
    expect({ unanswered, unansweredCount }).toMatchObject({ unanswered: [{ count: 1_600 }], unansweredCount: 1_600 });
    expect(turns).toBeGreaterThan(2);
  });
});
