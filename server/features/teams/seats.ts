import type { Queries, Transaction } from '#server/platform/db/database.ts';

/** Returns how many members of a team have a paid seat. */
export async function countSeats(queries: Queries, teamId: string): Promise<number> {
  return (await listSeatHolders(queries, teamId)).length;
}

/**
 * Assigns paid seats to exactly these members of a locked team; the caller checks how many it pays for. Returns false,
 * without changes, if one of them is not an accepted member.
 */
export async function assignSeats(tx: Transaction, teamId: string, membershipIds: string[]): Promise<boolean> {
  if (!(await areMembers(tx, teamId, membershipIds))) return false;
  await tx.updateTable('memberships').set({ hasPaidSeat: 0 }).where('teamId', '=', teamId).execute();
  if (membershipIds.length > 0) {
    await tx.updateTable('memberships').set({ hasPaidSeat: 1 }).where('id', 'in', membershipIds).execute();
  }
  return true;
}

/** Returns true if all of these are accepted members of the team. */
export async function areMembers(queries: Queries, teamId: string, membershipIds: string[]): Promise<boolean> {
  const members = await queries
    .selectFrom('memberships')
    .select('id')
    .where('teamId', '=', teamId)
    .where('state', '=', 'accepted')
    .where('endedAt', 'is', null)
    .execute();
  const known = new Set(members.map(({ id }) => id));
  return membershipIds.every((id) => known.has(id));
}

/** Reduces the assigned seats to this number; the longest-standing members keep theirs. The team must be locked. */
export async function trimSeats(tx: Transaction, teamId: string, seats: number): Promise<void> {
  const tooMany = (await listSeatHolders(tx, teamId)).slice(seats);
  if (tooMany.length > 0)
    await tx.updateTable('memberships').set({ hasPaidSeat: 0 }).where('id', 'in', tooMany).execute();
}

/** Returns the memberships with a paid seat, longest-standing first. */
async function listSeatHolders(queries: Queries, teamId: string): Promise<string[]> {
  const rows = await queries
    .selectFrom('memberships')
    .select('id')
    .where('teamId', '=', teamId)
    .where('hasPaidSeat', '=', 1)
    .orderBy('acceptedAt')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}
