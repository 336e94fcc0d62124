import { AppError } from '#server/app-error.ts';
import { holdUser } from '#server/features/accounts/index.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { announceTeam } from './announce-team.ts';
import { deleteHeldTeam } from './delete-team.ts';
import type { TeamDependencies } from './dependencies.ts';
import { deleteEndedMembershipsOfAddress } from './invite-store.ts';
import { requireOtherAdmin } from './last-admin.ts';
import { endMembership, findActiveMembership, listMemberIds, listTeamIdsOf } from './store.ts';
import { holdTeam } from './team-store.ts';
import { withdrawInvitesFrom } from './withdraw-invites.ts';

/** Refuses to let an account go that is the last admin of a team with other people in it (`last-admin-of-team`). */
export async function requireNoTeamDependsOn(tx: Transaction, userId: string): Promise<void> {
  await holdUser(tx, userId);
  for (const teamId of await listTeamIdsOf(tx, userId)) {
    const team = await holdTeam(tx, teamId);
    const membership = await findActiveMembership(tx, teamId, userId);
    if (team === undefined || membership === undefined) continue;
    if ((await listMemberIds(tx, [teamId])).length === 1) continue;
    await requireOtherAdmin(tx, membership).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'last-admin') throw error;
      throw new AppError('last-admin-of-team', { values: { team: team.name } });
    });
  }
}

/**
 * Takes an account that is deleted out of its teams; a team without anyone else goes with it. What was kept of former
 * invites to its address goes too.
 */
export async function leaveAllTeams(
  tx: Transaction,
  userId: string,
  now: number,
  deps: Pick<TeamDependencies, 'memberLeft' | 'teamDeleted'>,
): Promise<void> {
  const user = await holdUser(tx, userId);
  for (const teamId of await listTeamIdsOf(tx, userId)) {
    const team = await holdTeam(tx, teamId);
    const membership = await findActiveMembership(tx, teamId, userId);
    if (team === undefined || membership === undefined) continue;
    if ((await listMemberIds(tx, [teamId])).length === 1) {
      await deleteHeldTeam(tx, team, { actorUserId: null, now }, deps);
      continue;
    }
    await endMembership(tx, membership.id, { endedAt: now });
    await withdrawInvitesFrom(tx, { teamId, userId }, { actorUserId: null, now });
    await deps.memberLeft(tx, { teamId, userId }, now);
    await recordAudit(tx, now, { actorUserId: null, action: 'member.leave', entityId: membership.id, teamId });
    await announceTeam(tx, teamId, []);
  }
  if (typeof user?.email === 'string') await deleteEndedMembershipsOfAddress(tx, user.email);
}
