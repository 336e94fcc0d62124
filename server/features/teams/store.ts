import type { TeamRole } from '#contract/teams.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { NewRow, Row } from '#server/platform/db/schema.ts';

export type MembershipRow = Row<'memberships'>;

/** Returns the membership that lets this user act in the team. */
export async function findActiveMembership(
  queries: Queries,
  teamId: string,
  userId: string,
): Promise<MembershipRow | undefined> {
  return queries
    .selectFrom('memberships')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('userId', '=', userId)
    .where('state', '=', 'accepted')
    .where('endedAt', 'is', null)
    .executeTakeFirst();
}

/** Returns a member or pending invite of this team, but no ended one. */
export async function findMembership(
  queries: Queries,
  teamId: string,
  membershipId: string,
): Promise<MembershipRow | undefined> {
  return queries
    .selectFrom('memberships')
    .selectAll()
    .where('id', '=', membershipId)
    .where('teamId', '=', teamId)
    .where('endedAt', 'is', null)
    .executeTakeFirst();
}

export async function insertMembership(tx: Transaction, row: NewRow<'memberships'>): Promise<void> {
  await tx.insertInto('memberships').values(row).execute();
}

/** Updates an active membership or invite; returns false if it has ended meanwhile. */
export async function updateMembership(
  tx: Transaction,
  membershipId: string,
  change: Partial<NewRow<'memberships'>>,
): Promise<boolean> {
  const updated = await tx
    .updateTable('memberships')
    .set(change)
    .where('id', '=', membershipId)
    .where('endedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return updated !== undefined;
}

/** Ends a membership or invite: frees its seat and invalidates its link. */
export async function endMembership(
  tx: Transaction,
  membershipId: string,
  change: { endedAt: number; declinedAt?: number },
): Promise<boolean> {
  return updateMembership(tx, membershipId, { ...change, hasPaidSeat: 0, inviteTokenHash: null });
}

/** Counts a team's admins; lock the team before relying on the result. */
export async function countAdmins(tx: Transaction, teamId: string): Promise<number> {
  const { admins } = await tx
    .selectFrom('memberships')
    .select(({ fn }) => fn.countAll<number>().as('admins'))
    .where('teamId', '=', teamId)
    .where('role', '=', 'admin')
    .where('state', '=', 'accepted')
    .where('endedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return admins;
}

/** Returns the addresses of members with one of these roles, admins first, then longest-standing first. */
export async function listHolders(queries: Queries, teamId: string, roles: readonly TeamRole[]): Promise<string[]> {
  const rows = await queries
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.userId')
    .select(['users.email', 'memberships.role'])
    .where('memberships.teamId', '=', teamId)
    .where('memberships.role', 'in', [...roles])
    .where('memberships.state', '=', 'accepted')
    .where('memberships.endedAt', 'is', null)
    .orderBy('memberships.joinedAt')
    .orderBy('memberships.id')
    .execute();
  const admins = rows.filter(({ role }) => role === 'admin');
  const others = rows.filter(({ role }) => role !== 'admin');
  return [...admins, ...others].flatMap(({ email }) => (email === null ? [] : [email]));
}

/** Returns the number of a team's members and pending invites. */
export async function countMemberships(queries: Queries, teamId: string): Promise<number> {
  const { rows } = await queries
    .selectFrom('memberships')
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .where('teamId', '=', teamId)
    .where('endedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return rows;
}

/** Returns the ids of a user's teams, ordered by id. */
export async function listTeamIdsOf(queries: Queries, userId: string): Promise<string[]> {
  const rows = await queries
    .selectFrom('memberships')
    .select('teamId')
    .where('userId', '=', userId)
    .where('state', '=', 'accepted')
    .where('endedAt', 'is', null)
    .orderBy('teamId')
    .execute();
  return rows.map(({ teamId }) => teamId);
}

/** Returns the ids of teams without a paid plan that a user founded. */
export async function listFreeTeamIds(queries: Queries, founderId: string): Promise<string[]> {
  const rows = await queries
    .selectFrom('teams')
    .select('id')
    .where('createdBy', '=', founderId)
    .where('tier', '=', 'Free')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns the ids of these teams' members. */
export async function listMemberIds(
  queries: Queries,
  teamIds: string[],
): Promise<{ teamId: string; userId: string }[]> {
  if (teamIds.length === 0) return [];
  const rows = await queries
    .selectFrom('memberships')
    .select(['teamId', 'userId'])
    .where('teamId', 'in', teamIds)
    .where('state', '=', 'accepted')
    .where('endedAt', 'is', null)
    .orderBy('joinedAt')
    .orderBy('id')
    .execute();
  return rows.flatMap(({ teamId, userId }) => (userId === null ? [] : [{ teamId, userId }]));
}

export type MembershipView = Awaited<ReturnType<typeof listTeamMemberships>>[number];

function membershipViews(queries: Queries, which: 'current' | 'ended' = 'current') {
  return queries
    .selectFrom('memberships')
    .innerJoin('teams', 'teams.id', 'memberships.teamId')
    .leftJoin('users as person', 'person.id', 'memberships.userId')
    .leftJoin('users as inviter', 'inviter.id', 'memberships.invitedByUserId')
    .selectAll('memberships')
    .select([
      'teams.name as teamName',
      'person.email as personEmail',
      'person.displayName as personName',
      'inviter.displayName as inviterName',
      'inviter.email as inviterEmail',
    ])
    .where('memberships.endedAt', which === 'current' ? 'is' : 'is not', null);
}

/** Returns a team's members and pending invites. */
export async function listTeamMemberships(queries: Queries, teamId: string) {
  return membershipViews(queries).where('memberships.teamId', '=', teamId).execute();
}

/** Returns a team's declined invites. */
export async function listDeclinedInvites(queries: Queries, teamId: string): Promise<MembershipView[]> {
  return membershipViews(queries, 'ended')
    .where('memberships.teamId', '=', teamId)
    .where('memberships.declinedAt', 'is not', null)
    .execute();
}

/** Returns a user's memberships. */
export async function listMembershipsOf(queries: Queries, userId: string): Promise<MembershipView[]> {
  return membershipViews(queries)
    .where('memberships.userId', '=', userId)
    .where('memberships.state', '=', 'accepted')
    .execute();
}

/** Returns the unexpired pending invites of an address. */
export async function listInvitesFor(queries: Queries, email: string, now: number): Promise<MembershipView[]> {
  return membershipViews(queries)
    .where('memberships.email', '=', email)
    .where('memberships.state', '=', 'invited')
    .where('memberships.inviteExpiresAt', '>', now)
    .execute();
}

/** Returns the invite with this token, unless it has expired. */
export async function findInviteView(
  queries: Queries,
  tokenHash: string,
  now: number,
): Promise<MembershipView | undefined> {
  return membershipViews(queries)
    .where('memberships.inviteTokenHash', '=', tokenHash)
    .where('memberships.state', '=', 'invited')
    .where('memberships.inviteExpiresAt', '>', now)
    .executeTakeFirst();
}

/** Returns true if the user is a former member. */
export async function hasBeenMember(queries: Queries, teamId: string, userId: string): Promise<boolean> {
  const row = await queries
    .selectFrom('memberships')
    .select('id')
    .where('teamId', '=', teamId)
    .where('userId', '=', userId)
    .where('endedAt', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Inserts a member, replacing an expired invite of their address; returns false if the address belongs to another
 * member.
 */
export async function insertMembershipOfAddress(
  tx: Transaction,
  row: Omit<NewRow<'memberships'>, 'state'> & { email: string; acceptedAt: number },
): Promise<boolean> {
  await tx
    .updateTable('memberships')
    .set({ endedAt: row.acceptedAt, inviteTokenHash: null })
    .where('teamId', '=', row.teamId)
    .where('email', '=', row.email)
    .where('state', '=', 'invited')
    .where('endedAt', 'is', null)
    .execute();
  const inserted = await tx
    .insertInto('memberships')
    .values({ ...row, state: 'accepted' })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}
