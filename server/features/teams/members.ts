import type { TeamRole } from '#contract/teams.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { holdUser, recordChange } from '#server/features/accounts/index.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { announceTeam } from './announce-team.ts';
import { deleteHeldTeam } from './change-teams.ts';
import type { TeamDependencies } from './dependencies.ts';
import { changeTeam, type HeldTeam } from './enter-team.ts';
import { withdrawInvite, withdrawInvitesFrom } from './invite-members.ts';
import { deleteEndedMembershipsOfAddress, listVerifiedUserIds } from './invite-store.ts';
import { hasRight } from './rights.ts';
import {
  countAdmins,
  endMembership,
  findActiveMembership,
  findMembership,
  listMemberIds,
  listTeamIdsOf,
  type MembershipRow,
  updateMembership,
} from './store.ts';
import { holdTeam } from './team-store.ts';

/** Changes the role of a member or an invite. Throws `last-admin` for the last admin. */
export async function setRole(
  ctx: Context,
  input: { teamId: string; membershipId: string; role: TeamRole },
  { writingEnded }: Pick<TeamDependencies, 'writingEnded'>,
): Promise<void> {
  await changeTeam(ctx, input.teamId, 'roles.set', async ({ tx, team, membership, now }) => {
    const target = await findMembership(tx, team.id, input.membershipId);
    if (target === undefined) throw new AppError('membership-not-found');
    if (target.role === input.role) return;
    await requireOtherAdmin(tx, target);
    await updateMembership(tx, target.id, { role: input.role });
    const { userId } = target;
    if (userId !== null && !hasRight(input.role, 'members.invite')) {
      await withdrawInvitesFrom(tx, { teamId: team.id, userId }, { actorUserId: membership.userId, now });
    }
    if (userId !== null && !hasRight(input.role, 'sources.write')) {
      await writingEnded(tx, { teamId: team.id, userId }, now);
    }
    await recordChange(tx, now, {
      actorUserId: membership.userId,
      action: 'member.set-role',
      entityId: target.id,
      teamId: team.id,
      detail: { from: target.role, to: input.role },
    });
    const invited = userId === null ? await listVerifiedUserIds(tx, [target.email ?? '']) : [];
    await announceTeam(tx, team.id, [userId, ...invited]);
  });
}

type Removals = Pick<TeamDependencies, 'memberLeft'>;

/**
 * Removes a member with their access in the team and the invites they sent, or withdraws an invite. Throws `last-admin`
 * for the last admin.
 */
export async function removeMember(
  ctx: Context,
  input: { teamId: string; membershipId: string },
  deps: Removals,
): Promise<void> {
  await changeTeam(ctx, input.teamId, 'members.remove', async (held) => {
    const target = await findMembership(held.tx, held.team.id, input.membershipId);
    if (target === undefined) throw new AppError('membership-not-found');
    const by = { actorUserId: held.membership.userId, now: held.now };
    if (target.state === 'invited') await withdrawInvite(held.tx, target, by);
    else await endMember(held, target, 'member.remove', deps);
  });
}

/** Ends the caller's own membership; throws `last-admin` for the last admin. */
export async function leaveTeam(
  ctx: Context,
  input: { teamId: string; membershipId: string },
  deps: Removals,
): Promise<void> {
  await changeTeam(ctx, input.teamId, 'team.leave', async (held) => {
    if (held.membership.id !== input.membershipId) throw new AppError('membership-not-found');
    await endMember(held, held.membership, 'member.leave', deps);
  });
}

async function endMember(
  { tx, team, membership, now }: HeldTeam,
  target: MembershipRow,
  action: 'member.remove' | 'member.leave',
  { memberLeft }: Removals,
): Promise<void> {
  await requireOtherAdmin(tx, target);
  await endMembership(tx, target.id, { endedAt: now });
  const { userId } = target;
  await withdrawInvitesFrom(tx, { teamId: team.id, userId }, { actorUserId: membership.userId, now });
  if (userId !== null) await memberLeft(tx, { teamId: team.id, userId }, now);
  await recordAudit(tx, now, { actorUserId: membership.userId, action, entityId: target.id, teamId: team.id });
  await announceTeam(tx, team.id, [userId]);
}

/** Throws `last-admin-of-team` if the account is the last admin of a team with other members. */
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
 * Removes a deleted account from its teams; a team without other members is deleted. Ended invites to its address are
 * deleted too.
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

/** Throws if the membership is that of the last admin. The team must be locked. */
async function requireOtherAdmin(tx: Transaction, membership: MembershipRow): Promise<void> {
  if (membership.role !== 'admin' || membership.state !== 'accepted') return;
  if ((await countAdmins(tx, membership.teamId)) <= 1) throw new AppError('last-admin');
}
