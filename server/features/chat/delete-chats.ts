import type { Transaction } from '#server/platform/db/database.ts';
import { deleteChatsOfTeam, deleteChatsOfUser } from './store.ts';

/** Deletes all conversations of a person, with their account. */
export async function deleteChatsOf(tx: Transaction, userId: string): Promise<void> {
  await deleteChatsOfUser(tx, userId);
}

/** Deletes all conversations in a team, with the team. */
export async function deleteTeamChats(tx: Transaction, teamId: string): Promise<void> {
  await deleteChatsOfTeam(tx, teamId);
}

/** Deletes the conversations of a member who has left a team: they quote what is the team's. */
export async function deleteTeamChatsOf(
  tx: Transaction,
  { teamId, userId }: { teamId: string; userId: string },
): Promise<void> {
  await deleteChatsOfTeam(tx, teamId, userId);
}
