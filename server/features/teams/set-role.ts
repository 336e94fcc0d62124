import type { TeamRole } from '#contract/teams.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { recordChange } from '#server/features/accounts/index.ts';
import { announceTeam } from './announce-team.ts';
import type { TeamDependencies } from './dependencies.ts';
import { changeTeam } from './enter-team.ts';
import { listVerifiedUserIds } from './invite-store.ts';
import { requireOtherAdmin } from './last-admin.ts';
import { hasRight } from './rights.ts';
import { findMembership, updateMembership } from './store.ts';
import { withdrawInvitesFrom } from './withdraw-invites.ts';

/** Changes what a member may do, or someone who is invited will. The last admin stays one (`last-admin`). */
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
