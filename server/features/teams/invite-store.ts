import * as limits from '#contract/limits.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import { hasCome } from '#server/platform/db/has-come.ts';
import type { MembershipRow } from './store.ts';

/** Returns the membership of a token, accepted or not; ended ones no longer have a token. */
export async function findMembershipByToken(queries: Queries, tokenHash: string): Promise<MembershipRow | undefined> {
  return queries.selectFrom('memberships').selectAll().where('inviteTokenHash', '=', tokenHash).executeTakeFirst();
}

/** Returns the unexpired invite of an address to a team. */
export async function findInviteOfAddress(
  queries: Queries,
  invite: { teamId: string; email: string; now: number },
): Promise<MembershipRow | undefined> {
  return queries
    .selectFrom('memberships')
    .selectAll()
    .where('teamId', '=', invite.teamId)
    .where('email', '=', invite.email)
    .where('state', '=', 'invited')
    .where('endedAt', 'is', null)
    .where('inviteExpiresAt', '>', invite.now)
    .executeTakeFirst();
}

/** Returns the invites to a team that this user was the last to send. */
export async function listInvitesFrom(
  queries: Queries,
  { teamId, userId }: { teamId: string; userId: string | null },
): Promise<MembershipRow[]> {
  return queries
    .selectFrom('memberships')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('invitedByUserId', '=', userId)
    .where('state', '=', 'invited')
    .where('endedAt', 'is', null)
    .execute();
}

/** Turns an invite into a user's membership; returns false if it was accepted, withdrawn, sent again or has expired. */
export async function claimInvite(
  tx: Transaction,
  invite: Pick<MembershipRow, 'id' | 'inviteTokenHash'>,
  userId: string,
  now: number,
): Promise<boolean> {
  const claimed = await tx
    .updateTable('memberships')
    .set({ state: 'accepted', userId, acceptedAt: now })
    .where('id', '=', invite.id)
    .where('inviteTokenHash', '=', invite.inviteTokenHash)
    .where('state', '=', 'invited')
    .where('endedAt', 'is', null)
    .where('inviteExpiresAt', '>', now)
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Replaces an invite's link, unless it was sent a moment ago; returns whether it was replaced. */
export async function renewInvite(
  tx: Transaction,
  membershipId: string,
  change: Pick<MembershipRow, 'inviteTokenHash' | 'inviteExpiresAt' | 'lastInviteSentAt' | 'invitedByUserId'>,
  now: number,
): Promise<boolean> {
  const waitMs = limits.inviteResendSeconds * 1000;
  const renewed = await tx
    .updateTable('memberships')
    .set(change)
    .where('id', '=', membershipId)
    .where('state', '=', 'invited')
    .where('endedAt', 'is', null)
    .where(hasCome('lastInviteSentAt', now - waitMs, waitMs))
    .returning('id')
    .executeTakeFirst();
  return renewed !== undefined;
}

/** Returns the members and invites of a team with these addresses, by the address of the invite or the account. */
export async function listMembershipsOfAddresses(
  tx: Transaction,
  teamId: string,
  emails: string[],
): Promise<(MembershipRow & { personEmail: string | null })[]> {
  return tx
    .selectFrom('memberships')
    .leftJoin('users', 'users.id', 'memberships.userId')
    .selectAll('memberships')
    .select('users.email as personEmail')
    .where('memberships.teamId', '=', teamId)
    .where('memberships.endedAt', 'is', null)
    .where((where) => where.or([where('memberships.email', 'in', emails), where('users.email', 'in', emails)]))
    .execute();
}

/** Returns the accounts that have verified one of these addresses. */
export async function listVerifiedUserIds(queries: Queries, emails: string[]): Promise<string[]> {
  const rows = await queries
    .selectFrom('users')
    .select('id')
    .where('email', 'in', emails)
    .where('emailVerifiedAt', 'is not', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes the ended entries of an address: declined or withdrawn invites, and memberships. */
export async function deleteEndedMembershipsOfAddress(tx: Transaction, email: string): Promise<void> {
  await tx.deleteFrom('memberships').where('email', '=', email).where('endedAt', 'is not', null).execute();
}
