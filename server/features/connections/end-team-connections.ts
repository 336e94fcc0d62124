import type { Transaction } from '#server/platform/db/database.ts';
import { endConnection } from './end-connection.ts';
import { listConnectionIds, listConnectionIdsInTeam } from './store.ts';

/** Ends the connections that someone who is no longer in a team had let in there. */
export async function endTeamConnectionsOf(
  tx: Transaction,
  member: { teamId: string; userId: string },
  now: number,
): Promise<void> {
  for (const id of await listConnectionIdsInTeam(tx, member.teamId, member.userId)) {
    await endConnection(tx, now, id, 'member-gone');
  }
}

/** Ends the connections into a team that is deleted. */
export async function endTeamConnections(tx: Transaction, teamId: string, now: number): Promise<void> {
  for (const id of await listConnectionIdsInTeam(tx, teamId)) await endConnection(tx, now, id, 'team-deleted');
}

/** Ends every connection of a person, because the person who allowed them may not have been that person. */
export async function endAllConnections(tx: Transaction, userId: string, now: number): Promise<void> {
  for (const id of await listConnectionIds(tx, userId)) await endConnection(tx, now, id, 'access-ended');
}
