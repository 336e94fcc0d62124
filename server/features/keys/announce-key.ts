import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { Transaction } from '#server/platform/db/database.ts';

/** Notifies a key's owner, whose streams with it may have to end, and the team that lists the key. */
export function announceKey(tx: Transaction, { userId, teamId }: { userId: string; teamId: string | null }): void {
  announceChange(tx, { collection: 'apiKeys', audience: `user:${userId}` });
  if (teamId !== null) announceChange(tx, { collection: 'apiKeys', audience: `team:${teamId}` });
}
