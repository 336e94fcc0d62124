import { randomUUID } from 'node:crypto';
import type { TeamRole } from '#contract/teams.ts';
import type { Context } from '#server/context.ts';
import { enterTeam } from '#server/features/teams/index.ts';
import type { Database } from '#server/platform/db/database.ts';
import type { NewRow } from '#server/platform/db/schema.ts';
import { userRow } from './rows.ts';

export interface SampleTeam extends Partial<NewRow<'teams'>> {
  /** Roles by user id. Creates an account with a verified address for each user without one. */
  members: Record<string, TeamRole | ({ role: TeamRole } & Partial<NewRow<'memberships'>>)>;
}

/** Test support: a team with members, as rows; returns its id. */
export async function sampleTeam(db: Database, { members, ...columns }: SampleTeam): Promise<string> {
  const id = columns.id ?? `team-${randomUUID().slice(0, 8)}`;
  const [founder = 'nobody'] = Object.keys(members);
  await db.query
    .insertInto('teams')
    .values({ name: id, createdAt: 0, createdBy: founder, ...columns, id })
    .execute();
  for (const [userId, member] of Object.entries(members)) {
    await db.query
      .insertInto('users')
      .values(userRow({ id: userId, emailVerifiedAt: 0 }))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
    const { email } = await db.query
      .selectFrom('users')
      .select('email')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
    await db.query
      .insertInto('memberships')
      .values({
        ...{ id: `${id}-${userId}-${randomUUID().slice(0, 8)}`, teamId: id, userId, email },
        ...{ state: 'accepted', joinedAt: 0, acceptedAt: 0 },
        ...(typeof member === 'string' ? { role: member } : member),
      })
      .execute();
  }
  return id;
}

/** Test support: a member leaves, or is removed. */
export async function leaveSampleTeam(db: Database, teamId: string, userId: string, now = 1): Promise<void> {
  await db.query
    .updateTable('memberships')
    .set({ endedAt: now, hasPaidSeat: 0 })
    .where('teamId', '=', teamId)
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .execute();
}

/** Test support: returns this user's context, acting in the team. */
export async function actingInTeam<C extends Context>(ctx: C, userId: string, teamId: string): Promise<C> {
  const own: C = { ...ctx, actor: { kind: 'user', userId }, workspace: `user:${userId}`, membership: undefined };
  return { ...own, ...(await enterTeam(own, teamId)) };
}
