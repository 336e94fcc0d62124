import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { announceKey } from './announce-key.ts';
import { deleteTeamKeys, markTeamKeysRevoked } from './store.ts';

/** Revokes the keys of someone who is no longer in a team. */
export async function revokeTeamKeysOf(
  tx: Transaction,
  member: { teamId: string; userId: string },
  now: number,
): Promise<void> {
  const { teamId } = member;
  const revoked = await markTeamKeysRevoked(tx, member, now);
  for (const { id: entityId, name } of revoked) {
    const detail = { name, reason: 'member-gone' };
    await recordAudit(tx, now, { actorUserId: null, action: 'key.revoke', entityId, teamId, detail });
  }
  if (revoked.length > 0) announceKey(tx, member);
}

/** Deletes the keys of a team that is deleted: each is refused from its next call on. */
export async function removeTeamKeys(tx: Transaction, teamId: string): Promise<void> {
  for (const userId of await deleteTeamKeys(tx, teamId)) announceKey(tx, { userId, teamId });
}
