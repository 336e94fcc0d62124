import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import { announceTeam } from './announce-team.ts';
import type { TeamDependencies } from './dependencies.ts';
import { changeTeam, type HeldTeam } from './enter-team.ts';
import { listVerifiedUserIds } from './invite-store.ts';
import { requireOtherAdmin } from './last-admin.ts';
import { endMembership, findMembership, type MembershipRow } from './store.ts';

type Removals = Pick<TeamDependencies, 'memberLeft'>;

/** Removes a member with what they had in the team, or withdraws an invite. The last admin stays (`last-admin`). */
export async function removeMember(
  ctx: Context,
  input: { teamId: string; membershipId: string },
  deps: Removals,
): Promise<void> {
  await changeTeam(ctx, input.teamId, 'members.remove', async (held) => {
    const target = await findMembership(held.tx, held.team.id, input.membershipId);
    if (target === undefined) throw new AppError('membership-not-found');
    if (target.state === 'invited') await withdrawInvite(held, target);
    else await endMember(held, target, 'member.remove', deps);
  });
}

/** Ends the acting person's own membership; the last admin cannot go (`last-admin`). */
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

async function withdrawInvite({ tx, team, membership, now }: HeldTeam, invite: MembershipRow): Promise<void> {
  await endMembership(tx, invite.id, { endedAt: now });
  const actorUserId = membership.userId;
  await recordAudit(tx, now, { actorUserId, action: 'invite.withdraw', entityId: invite.id, teamId: team.id });
  await announceTeam(tx, team.id, await listVerifiedUserIds(tx, [invite.email ?? '']));
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
  if (userId !== null) await memberLeft(tx, { teamId: team.id, userId }, now);
  await recordAudit(tx, now, { actorUserId: membership.userId, action, entityId: target.id, teamId: team.id });
  await announceTeam(tx, team.id, [userId]);
}
