import type { InviteOutcome } from '#contract/teams.ts';
import type { Context } from '#server/context.ts';
import type { TeamDependencies } from './dependencies.ts';
import { changeTeam, enterTeamAs } from './enter-team.ts';
import { type Invitee, invitePeople, readGuests, requireMayInvite, sendInvites } from './invite-people.ts';

/**
 * Invites people into a team; answers what became of each address. Inviting a member changes nothing and says so. Needs
 * a verified address of the inviter; refuses more mails than may be sent within an hour.
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
