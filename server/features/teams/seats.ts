import type { Queries, Transaction } from '#server/platform/db/database.ts';

/** How many members of a team have a paid seat. */
export async function countSeats(queries: Queries, teamId: string): Promise<number> {
  return (await listSeatHolders(queries, teamId)).length;
}

/**
 * Gives exactly these members a paid seat, in a team that is held; how many it pays for is the caller's to know. False,
 * and nothing done, when one of them is no member who has accepted.
 */
export async function assignSeats(tx: Transaction, teamId: string, membershipIds: string[]): Promise<boolean> {
  if (!(await areMembers(tx, teamId, membershipIds))) return false;
  await tx.updateTable('memberships').set({ hasPaidSeat: 0 }).where('teamId', '=', teamId).execute();
  if (membershipIds.length > 0) {
    await tx.updateTable('memberships').set({ hasPaidSeat: 1 }).where('id', 'in', membershipIds).execute();
  }
  return true;
}

/** Returns true if all of these are members of the team who have accepted. */
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

/** Leaves so many members their seats: those who have been in the team longest. The team must be held. */
export async function trimSeats(tx: Transaction, teamId: string, seats: number): Promise<void> {
  const tooMany = (await listSeatHolders(tx, teamId)).slice(seats);
  if (tooMany.length > 0)
    await tx.updateTable('memberships').set({ hasPaidSeat: 0 }).where('id', 'in', tooMany).execute();
}

/** Memberships with a paid seat, those who have been in the team longest first. */
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
