import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { Transaction } from '#server/platform/db/database.ts';

/** Tells a team, and these people wherever they act, that their teams and memberships must be read again. */
export function announceTeam(tx: Transaction, teamId: string, userIds: (string | null)[]): void {
  for (const collection of ['memberships', 'teams'] as const) {
    announceChange(tx, { collection, audience: `team:${teamId}` });
    for (const userId of userIds) {
      if (userId !== null) announceChange(tx, { collection, audience: `user:${userId}` });
    }
  }
}
