import * as limits from '#contract/limits.ts';
import type { InviteOutcome } from '#contract/teams.ts';
import { AppError, rateLimited } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { isOver } from '#server/platform/db/has-come.ts';
import { announceTeam } from './announce-team.ts';
import type { TeamDependencies } from './dependencies.ts';
import { changeTeam, enterTeamAs } from './enter-team.ts';
import {
  type Invitee,
  invitePeople,
  newInviteLink,
  readGuests,
  requireMayInvite,
  sendInvites,
} from './invite-people.ts';
import { listInvitesFrom, listVerifiedUserIds, renewInvite } from './invite-store.ts';
import { endMembership, findMembership, type MembershipRow } from './store.ts';

/**
 * Invites people into a team; returns the outcome for each address. Members stay unchanged and are reported. Requires a
 * verified address of the inviter; throws if the hourly limit of emails is exceeded.
 */
export async function inviteMembers(
  ctx: Context,
  input: { teamId: string; teamMembers: Invitee[] },
  deps: TeamDependencies,
): Promise<InviteOutcome[]> {
  await enterTeamAs(ctx, input.teamId, 'members.invite');
  const { people, invalid } = readGuests(input.teamMembers);
  const { invitedBy } = await requireMayInvite(
    ctx,
    people.map(({ email }) => email),
    input.teamId,
  );
  const { outcomes, mails } = await changeTeam(ctx, input.teamId, 'members.invite', (held) =>
    invitePeople(held.tx, { team: held.team, userId: held.membership.userId, invitedBy, now: held.now }, people),
  );
  sendInvites(mails, deps);
  return [...outcomes, ...invalid];
}

/**
 * Sends an invite again with a new link, which replaces the former one. At most once a minute (`rate-limited`), counted
 * from the invite's last email.
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

/** Ends an invite and its link. Requires the lock on the team's row. */
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
 * Withdraws the invites sent by a user who may no longer invite: otherwise they could return with an invite to another
 * of their addresses.
 */
export async function withdrawInvitesFrom(
  tx: Transaction,
  sender: { teamId: string; userId: string | null },
  by: { actorUserId: string | null; now: number },
): Promise<void> {
  for (const invite of await listInvitesFrom(tx, sender)) await withdrawInvite(tx, invite, by);
}
