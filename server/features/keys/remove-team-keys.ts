import type { Transaction } from '#server/platform/db/database.ts';
import { announceKey } from './announce-key.ts';
import { deleteTeamKeys } from './store.ts';

/** Deletes the keys of a team that is deleted: each is refused from its next call on. */
export async function removeTeamKeys(tx: Transaction, teamId: string): Promise<void> {
  for (const userId of await deleteTeamKeys(tx, teamId)) announceKey(tx, { userId, teamId });
}
