import * as limits from '#contract/limits.ts';
import { AppError, rateLimited } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import { isOver } from '#server/platform/db/has-come.ts';
import { announceTeam } from './announce-team.ts';
import type { TeamDependencies } from './dependencies.ts';
import { changeTeam, enterTeamAs } from './enter-team.ts';
import { newInviteLink, requireMayInvite, sendInvites } from './invite-people.ts';
import { listVerifiedUserIds, renewInvite } from './invite-store.ts';
import { findMembership, type MembershipRow } from './store.ts';

/**
 * Sends an invite again with a new link; the former one ends. At most once a minute (`rate-limited`), counted from the
 * last mail of this invite.
 */
export async function resendInvite(
  ctx: Context,
  input: { teamId: string; membershipId: string },
  deps: TeamDependencies,
): Promise<void> {
  await enterTeamAs(ctx, input.teamId, 'members.invite');
  const found = requirePending(await findMembership(ctx.db.query, input.teamId, input.membershipId));
  requireWaited(found, ctx.clock.now());
  const { invitedBy } = await requireMayInvite(ctx, [found.email], input.teamId);
  const mail = await changeTeam(ctx, input.teamId, 'members.invite', async ({ tx, team, membership, now }) => {
    const invite = requirePending(await findMembership(tx, team.id, input.membershipId));
    requireWaited(invite, now);
    const { token, change } = newInviteLink(now);
    const actorUserId = membership.userId;
    if (!(await renewInvite(tx, invite.id, { ...change, invitedByUserId: actorUserId }, now))) {
      throw new AppError('membership-not-found');
    }
    await recordAudit(tx, now, { actorUserId, action: 'invite.resend', entityId: invite.id, teamId: team.id });
    await announceTeam(tx, team.id, await listVerifiedUserIds(tx, [invite.email]));
    return { to: invite.email, token, teamName: team.name, invitedBy };
  });
  sendInvites([mail], deps);
}

function requirePending(row: MembershipRow | undefined): MembershipRow & { email: string } {
  if (row === undefined) throw new AppError('membership-not-found');
  const { email } = row;
  if (row.state !== 'invited' || email === null) throw new AppError('invite-accepted');
  return { ...row, email };
}

function requireWaited({ lastInviteSentAt }: MembershipRow, now: number): void {
  const waitMs = limits.inviteResendSeconds * 1000;
  const until = (lastInviteSentAt ?? 0) + waitMs;
  const seconds = Math.ceil((until - now) / 1000);
  if (!isOver(until, now, waitMs)) throw rateLimited(seconds);
}
