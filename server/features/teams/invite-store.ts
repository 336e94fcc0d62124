import * as limits from '#contract/limits.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import { hasCome } from '#server/platform/db/has-come.ts';
import type { MembershipRow } from './store.ts';

/** What a token was made for, accepted or not; ended ones have lost theirs. */
export async function findMembershipByToken(queries: Queries, tokenHash: string): Promise<MembershipRow | undefined> {
  return queries.selectFrom('memberships').selectAll().where('inviteTokenHash', '=', tokenHash).executeTakeFirst();
}

/** The invite of an address to a team that has not expired. */
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

/** The invites to a team that someone was the last to send. */
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

/** Makes an invite the membership of a person; false when it was accepted, withdrawn, sent again or has expired. */
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

/** Puts a new link in place of an invite's former one, unless that was sent a moment ago; says whether it did. */
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

/** Members and invites of a team that belong to these addresses, by the address of the invite or of the account. */
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

/** The accounts that have proved that one of these addresses is theirs. */
export async function listVerifiedUserIds(queries: Queries, emails: string[]): Promise<string[]> {
  const rows = await queries
    .selectFrom('users')
    .select('id')
    .where('email', 'in', emails)
    .where('emailVerifiedAt', 'is not', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** Forgets what has ended of an address: invites that were declined or withdrawn, and memberships. */
export async function deleteEndedMembershipsOfAddress(tx: Transaction, email: string): Promise<void> {
  await tx.deleteFrom('memberships').where('email', '=', email).where('endedAt', 'is not', null).execute();
}
