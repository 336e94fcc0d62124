import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { announceTeam } from './announce-team.ts';
import { listInvitesFrom, listVerifiedUserIds } from './invite-store.ts';
import { endMembership, type MembershipRow } from './store.ts';

/** Ends an invite and its link. Under the team's row, as all of these. */
export async function withdrawInvite(
  tx: Transaction,
  { id, teamId, email }: MembershipRow,
  { actorUserId, now }: { actorUserId: string | null; now: number },
): Promise<void> {
  await endMembership(tx, id, { endedAt: now });
  await recordAudit(tx, now, { actorUserId, action: 'invite.withdraw', entityId: id, teamId });
  await announceTeam(tx, teamId, await listVerifiedUserIds(tx, [email ?? '']));
}

/**
 * Withdraws the invites that someone sent who may invite no longer: with one to a second address, they could
 * return.
 */
export async function withdrawInvitesFrom(
  tx: Transaction,
  sender: { teamId: string; userId: string | null },
  by: { actorUserId: string | null; now: number },
): Promise<void> {
  for (const invite of await listInvitesFrom(tx, sender)) await withdrawInvite(tx, invite, by);
}
