import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { Transaction } from '#server/platform/db/database.ts';

/** Tells the person a key belongs to, whose streams with it may end now, and the team that lists it. */
export function announceKey(tx: Transaction, { userId, teamId }: { userId: string; teamId: string | null }): void {
  announceChange(tx, { collection: 'apiKeys', audience: `user:${userId}` });
  if (teamId !== null) announceChange(tx, { collection: 'apiKeys', audience: `team:${teamId}` });
}
