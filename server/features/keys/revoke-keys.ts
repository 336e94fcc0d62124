import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { announceKey } from './announce-key.ts';
import { markKeysRevoked } from './store.ts';

/** Revokes every key that a person made, in teams too, because the person who made them may not have been that person. */
export async function revokeAllKeys(tx: Transaction, userId: string, now: number): Promise<void> {
  for (const { id: entityId, name, teamId } of await markKeysRevoked(tx, userId, now)) {
    const ofTeam = teamId === null ? {} : { teamId };
    const detail = { name, reason: 'access-ended' };
    await recordAudit(tx, now, { actorUserId: null, action: 'key.revoke', entityId, ...ofTeam, detail });
    announceKey(tx, { userId, teamId });
  }
}
