import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/platform/db/database.ts';
import { createSettableClock, type SettableClock } from '#test/services/settable-clock.ts';
import { silentLog } from './log.ts';
import { userRow } from './rows.ts';
import { actingInTeam, sampleTeam } from './sample-team.ts';

/** Test support: a team with a credit pool, and members who act in it with a key. */
export type Sample = Context & { clock: SettableClock };
export type Members = Record<string, { role?: 'admin' | 'writer' | 'reader'; hasSeat?: boolean; credits?: number }>;

export interface SamplePool {
  db: Database;
  teamId: string;
  clock: SettableClock;
  /** Returns a member's context in the team, with a key or in the browser. */
  agent(userId: string): Promise<Sample>;
  person(userId: string): Promise<Sample>;
  /** Returns a user's own context. */
  own(userId: string): Sample;
  setSeat(userId: string, hasSeat: boolean): Promise<void>;
}

/** Creates a team; its and its members' purchased credits are in the ledger as purchases would record them. */
export async function samplePool(
  db: Database,
  has: { credits?: number; allowance?: number; members: Members },
): Promise<SamplePool> {
  const clock = createSettableClock();
  const now = clock.now();
  const names = Object.keys(has.members);
  for (const id of names) {
    await db.query
      .insertInto('users')
      .values(userRow({ id, emailVerifiedAt: 0, createdAt: now, credits: has.members[id]?.credits ?? 0 }))
      .execute();
    await giveCredits(db, { userId: id, teamId: null }, has.members[id]?.credits ?? 0, now);
  }
  const members = Object.fromEntries(
    Object.entries(has.members).map(([id, member]) => [
      id,
      { role: member.role ?? ('reader' as const), hasPaidSeat: member.hasSeat === false ? 0 : 1 },
    ]),
  );
  const columns = {
    name: 'Acme',
    tier: 'Pro',
    monthlyAllowance: has.allowance ?? 0,
    subscriptionStartAt: now,
    allowanceStartAt: now,
  };
  const teamId = await sampleTeam(db, { ...columns, credits: has.credits ?? 0, createdAt: now, members });
  await giveCredits(db, { userId: names[0] ?? '', teamId }, has.credits ?? 0, now);
  const base = { db, clock, log: silentLog, requestId: randomUUID() };
  const own = (userId: string): Sample => ({
    ...base,
    actor: { kind: 'user', userId },
    workspace: `user:${userId}`,
  });
  return {
    ...{ db, teamId, clock, own },
    person: (userId) => actingInTeam(own(userId), userId, teamId),
    agent: async (userId) => ({
      ...(await actingInTeam(own(userId), userId, teamId)),
      actor: { kind: 'key', userId, keyId: `key-${userId}`, keyName: 'Laptop', clientKind: null },
    }),
    async setSeat(userId, hasSeat) {
      await db.query
        .updateTable('memberships')
        .set({ hasPaidSeat: Number(hasSeat) })
        .where('teamId', '=', teamId)
        .where('userId', '=', userId)
        .execute();
    },
  };
}

async function giveCredits(
  db: Database,
  owner: { userId: string; teamId: string | null },
  amount: number,
  timestamp: number,
): Promise<void> {
  if (amount === 0) return;
  await db.query
    .insertInto('creditTransactions')
    .values({ id: randomUUID(), ...owner, requestId: randomUUID(), amount, source: 'purchase', timestamp })
    .execute();
}

/**
 * Requires that the pool's and each member's balances match their ledgers, and that a call's team row matches the
 * account's payment.
 */
export async function expectLedgersToAgree({ db, teamId }: SamplePool): Promise<void> {
  const rows = await db.query.selectFrom('creditTransactions').selectAll().execute();
  const usage = await db.query.selectFrom('monthlyUsage').selectAll().execute();
  const sum = (owned: typeof rows, isAllowance: number) =>
    owned.filter((row) => row.isFromMonthlyAllowance === isAllowance).reduce((total, { amount }) => total + amount, 0);
  const usedBy = (workspace: string) =>
    usage.filter((row) => row.workspace === workspace).reduce((total, { creditsUsed }) => total + creditsUsed, 0);
  const team = await db.query.selectFrom('teams').selectAll().where('id', '=', teamId).executeTakeFirstOrThrow();
  const ofTeam = rows.filter((row) => row.teamId === teamId);
  expect(team.credits).toBe(sum(ofTeam, 0));
  expect(team.credits).toBeGreaterThanOrEqual(0);
  expect(usedBy(`team:${teamId}`)).toBe(0 - sum(ofTeam, 1));
  for (const { creditsUsed } of usage.filter((row) => row.workspace === `team:${teamId}`)) {
    expect(creditsUsed).toBeLessThanOrEqual(team.monthlyAllowance);
  }
  for (const user of await db.query.selectFrom('users').selectAll().execute()) {
    const own = rows.filter((row) => row.teamId === null && row.userId === user.id);
    expect(user.credits).toBe(sum(own, 0));
    expect(user.credits).toBeGreaterThanOrEqual(0);
    expect(usedBy(`user:${user.id}`)).toBe(0 - sum(own, 1));
  }
  for (const row of ofTeam.filter(({ userAccountAmount }) => userAccountAmount !== null)) {
    const paid = rows.filter(({ requestId }) => `${requestId}:team` === row.requestId);
    expect([row.amount, paid.every(({ userId, teamId: team }) => userId === row.userId && team === null)]).toEqual([
      0,
      true,
    ]);
    expect(row.userAccountAmount).toBe(paid.reduce((total, { amount }) => total + amount, 0));
  }
}
