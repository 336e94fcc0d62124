import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import { announceTeam } from './announce-team.ts';
import type { TeamDependencies } from './dependencies.ts';
import { changeTeam, type HeldTeam } from './enter-team.ts';
import { requireOtherAdmin } from './last-admin.ts';
import { endMembership, findMembership, type MembershipRow } from './store.ts';
import { withdrawInvite, withdrawInvitesFrom } from './withdraw-invites.ts';

type Removals = Pick<TeamDependencies, 'memberLeft'>;

/** Removes a member with what they had in the team and the invites they sent, or withdraws an invite. The last admin stays (`last-admin`). */
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
