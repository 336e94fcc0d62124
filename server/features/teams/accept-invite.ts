import { randomUUID } from 'node:crypto';
import * as limits from '#contract/limits.ts';
import type { TeamRole } from '#contract/teams.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import {
  type Attempt,
  confirmSession,
  hashToken,
  holdUser,
  requirePerson,
  requireUserId,
  requireWithinRate,
  takeBack,
  verifyByProof,
} from '#server/features/accounts/index.ts';
import type { Browser } from '#server/features/call.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Row } from '#server/platform/db/schema.ts';
import { announceTeam } from './announce-team.ts';
import { requireRoomForTeam } from './change-teams.ts';
import type { TeamDependencies } from './dependencies.ts';
import { claimInvite, findInviteOfAddress, findMembershipByToken } from './invite-store.ts';
import { inviterOf } from './present.ts';
import {
  countMemberships,
  endMembership,
  findActiveMembership,
  findInviteView,
  hasBeenMember,
  insertMembershipOfAddress,
  listTeamIdsOf,
  type MembershipRow,
} from './store.ts';
import { holdTeam } from './team-store.ts';

/** What the token of a link invites to. Every token that is not good gets one answer; too many of them, and one waits. */
export async function describeInvite(ctx: Context, input: { token: string }, browser: Browser) {
  return withToken(ctx, browser, async () => {
    const view = await findInviteView(ctx.db.query, hashToken(input.token), ctx.clock.now());
    if (view === undefined || view.email === null) return undefined;
    const { teamName, email, role, inviteExpiresAt } = view;
    return { teamName, email, role, invitedBy: inviterOf(view), expiresAt: inviteExpiresAt ?? 0 };
  });
}

/**
 * Makes the acting person a member by the token of the link that was mailed to their address; that proves the address
 * too, and ends every other session, key and connection of an account that had not verified it. A token is good once; the person who used it gets `already-member`, to everyone else it is
 * one that never was. For another account's address it is refused and stays good.
 */
export async function acceptInvite(
  ctx: Context,
  input: { token: string },
  browser: Browser,
  deps: Pick<TeamDependencies, 'endOtherAccess'>,
): Promise<string> {
  const userId = requirePerson(ctx);
  const now = ctx.clock.now();
  return withToken(ctx, browser, () =>
    ctx.db.transaction(async (tx) => {
      const user = await requireHeldUser(tx, ctx, userId);
      const invite = await findMembershipByToken(tx, hashToken(input.token));
      if (invite?.state === 'accepted' && invite.userId === userId) throw new AppError('already-member');
      if (invite?.state !== 'invited' || (invite.inviteExpiresAt ?? 0) <= now || invite.email === null)
        return undefined;
      if (user.email !== invite.email) {
        throw new AppError('invite-for-other-address', { values: { email: invite.email } });
      }
      const sessionId = ctx.actor.kind === 'user' ? ctx.actor.sessionId : undefined;
      if (await verifyByProof(tx, { id: userId, email: invite.email }, now, { by: 'invite' })) {
        await deps.endOtherAccess(tx, userId, now, sessionId);
      }
      return (await join(tx, invite, userId, now)) ? invite.teamId : undefined;
    }),
  );
}

/**
 * Accepts or declines the invite to a team that waits for the acting person's address, which must be verified. A team
 * that invited no one of that address looks like one that does not exist (`invite-not-pending`).
 */
export async function respondToInvite(
  ctx: Context,
  input: { teamId: string; response: 'accept' | 'decline' },
): Promise<void> {
  const userId = requirePerson(ctx);
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const { email, emailVerifiedAt } = await requireHeldUser(tx, ctx, userId);
    if (email === null || emailVerifiedAt === null) throw new AppError('email-not-verified');
    const invite = await findInviteOfAddress(tx, { teamId: input.teamId, email, now });
    if (invite === undefined) throw new AppError('invite-not-pending');
    const isDone =
      input.response === 'accept' ? await join(tx, invite, userId, now) : await decline(tx, invite, userId, now);
    if (!isDone) throw new AppError('invite-not-pending');
  });
}

/** Takes the invite if it can still be had once the team is held. */
async function join(tx: Transaction, invite: MembershipRow, userId: string, now: number): Promise<boolean> {
  const { teamId, role } = invite;
  if ((await holdTeam(tx, teamId)) === undefined) return false;
  if ((await findActiveMembership(tx, teamId, userId)) !== undefined) throw new AppError('already-member');
  await requireRoomForTeam(tx, userId);
  if (!(await claimInvite(tx, invite, userId, now))) return false;
  const entry = { actorUserId: userId, action: 'invite.accept', entityId: invite.id, teamId, detail: { role } };
  await recordAudit(tx, now, entry);
  await announceTeam(tx, teamId, [userId]);
  return true;
}

async function decline(tx: Transaction, invite: MembershipRow, userId: string, now: number): Promise<boolean> {
  const { teamId } = invite;
  if ((await holdTeam(tx, teamId)) === undefined) return false;
  if (!(await endMembership(tx, invite.id, { endedAt: now, declinedAt: now }))) return false;
  await recordAudit(tx, now, { actorUserId: userId, action: 'invite.decline', entityId: invite.id, teamId });
  await announceTeam(tx, teamId, [userId]);
  return true;
}

async function requireHeldUser(tx: Transaction, ctx: Context, userId: string): Promise<Row<'users'>> {
  await confirmSession(tx, ctx);
  const user = await holdUser(tx, userId);
  if (user === undefined) throw new AppError('unauthenticated');
  return user;
}

/** Does what a token allows; `work` answers undefined for one that is not good, and only those are counted. */
async function withToken<T>(ctx: Context, browser: Browser, work: () => Promise<T | undefined>): Promise<T> {
  const attempts: Attempt[] = [['invite-token-address', browser.address]];
  if (ctx.actor.kind !== 'anonymous') attempts.push(['invite-token-account', requireUserId(ctx)]);
  await requireWithinRate(ctx, attempts);
  let isGuess = false;
  try {
    const result = await work();
    isGuess = result === undefined;
    if (result === undefined) throw new AppError('invite-not-found');
    return result;
  } finally {
    if (!isGuess) await takeBack(ctx, attempts);
  }
}

/**
 * Makes someone a member whose address the team vouches for, with the role of the invite that waits for them or else
 * this one. Says whether they are a member now: who was removed or left comes back by an invite alone, and a full team or
 * a person of too many teams gets no more.
 */
export async function admitMember(
  tx: Transaction,
  { teamId, userId, email, role }: { teamId: string; userId: string; email: string; role: TeamRole },
  now: number,
): Promise<boolean> {
  if ((await holdTeam(tx, teamId)) === undefined) return false;
  if ((await findActiveMembership(tx, teamId, userId)) !== undefined) return true;
  if ((await listTeamIdsOf(tx, userId)).length >= limits.teamsPerPersonMax) return false;
  const invite = await findInviteOfAddress(tx, { teamId, email, now });
  if (invite !== undefined) {
    if (!(await claimInvite(tx, invite, userId, now))) return false;
  } else {
    if (await hasBeenMember(tx, teamId, userId)) return false;
    if ((await countMemberships(tx, teamId)) >= limits.teamMembersMax) return false;
    const row = { id: randomUUID(), teamId, userId, email, role, joinedAt: now, acceptedAt: now };
    if (!(await insertMembershipOfAddress(tx, row))) return false;
  }
  const detail = { role: invite?.role ?? role, by: 'sign-on' };
  await recordAudit(tx, now, { actorUserId: userId, action: 'member.join', entityId: userId, teamId, detail });
  await announceTeam(tx, teamId, [userId]);
  return true;
}
