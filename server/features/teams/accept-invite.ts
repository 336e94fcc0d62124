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
import { inviterNamed } from './present.ts';
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

/**
 * Returns the invite that a link's token belongs to. All invalid tokens cause the same error, and too many of them a
 * wait.
 */
export async function describeInvite(ctx: Context, input: { token: string }, browser: Browser) {
  return withToken(ctx, browser, async () => {
    const view = await findInviteView(ctx.db.query, hashToken(input.token), ctx.clock.now());
    if (view === undefined || view.email === null) return undefined;
    const { teamName, email, role, inviteExpiresAt } = view;
    return {
      teamName,
      email,
      role,
      invitedBy: inviterNamed(view.inviterName, view.inviterEmail),
      expiresAt: inviteExpiresAt ?? 0,
    };
  });
}

/**
 * Makes the caller a member with the token of a link that was emailed to their address. This also proves the address,
 * and ends all other sessions, keys and connections of an account that had not verified it. A token is valid once: its
 * user gets `already-member` afterwards, others the error for unknown tokens. A token for another account's address is
 * refused and stays valid.
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
 * Accepts or declines the pending invite for the caller's address, which must be verified. A team without an invite for
 * the address is reported like a missing one (`invite-not-pending`).
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

/** Accepts the invite if it is still valid once the team is locked. */
async function join(tx: Transaction, invite: MembershipRow, userId: string, now: number): Promise<boolean> {
  const { teamId, role } = invite;
  if ((await holdTeam(tx, teamId)) === undefined) return false;
  if ((await findActiveMembership(tx, teamId, userId)) !== undefined) throw new AppError('already-member');
  await requireRoomForTeam(tx, userId);
  if (!(await claimInvite(tx, invite, userId, now))) return false;
  const entry = { actorUserId: userId, entityId: invite.id, teamId, detail: { role } };
  await recordAudit(tx, now, { ...entry, action: 'invite.accept' });
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

/** Performs the action of a token; `work` returns undefined for an invalid token, and only those are counted. */
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
 * Makes a user a member if the team vouches for their address, with the role of their pending invite or else the given
 * one. Returns whether they are a member now: former members return only by invite, and full teams and users in too
 * many teams are refused.
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
