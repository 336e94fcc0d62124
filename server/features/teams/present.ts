import { tierOf } from '#contract/plans.ts';
import { type Membership, type Team, teamRoles } from '#contract/teams.ts';
import { unmistakable } from '#server/features/accounts/index.ts';
import type { MembershipView } from './store.ts';
import type { TeamRow } from './team-store.ts';

/** Returns a team as shown to its members. */
export function presentTeam(row: TeamRow, memberIds: string[], discountKind: Team['discountKind']): Team {
  return {
    teamId: row.id,
    name: row.name,
    createdAt: row.createdAt,
    createdBy: row.createdBy,
    memberIds,
    tier: tierOf(row.tier),
    credits: row.credits,
    monthlyAllowance: row.monthlyAllowance,
    numberOfPaidSeats: row.numberOfPaidSeats,
    subscriptionId: row.subscriptionId,
    subscriptionStatus: row.subscriptionStatus,
    discountCode: row.discountCode,
    discountAmount: row.discountAmount,
    discountKind: row.discountAmount === null ? null : discountKind,
    subscriptionStartDate: row.subscriptionStartAt,
    subscriptionEndDate: row.subscriptionEndAt,
    showsKeysOnce: row.showsKeysOnce === 1,
  };
}

/** Returns a membership as shown to the caller; `accountCredits` is set if the caller may see it. */
export function presentMembership(view: MembershipView, accountCredits: number | null): Membership {
  const isInvite = view.state === 'invited';
  return {
    membershipId: view.id,
    teamId: view.teamId,
    userId: view.userId,
    role: view.role,
    state: view.state,
    joinedAt: view.joinedAt,
    acceptedAt: view.acceptedAt,
    declinedAt: view.declinedAt,
    inviteInfo: isInvite
      ? {
          teamName: view.teamName,
          invitedBy: inviterNamed(view.inviterName, view.inviterEmail),
          expiresAt: view.inviteExpiresAt ?? 0,
        }
      : null,
    email: view.personEmail ?? view.email,
    displayName: view.personName ?? '',
    hasPaidSeat: view.hasPaidSeat === 1,
    accountCredits,
    lastInviteSentAt: view.lastInviteSentAt,
  };
}

/** Returns a name with its address, since names are freely chosen; null if both are missing. */
export function inviterNamed(name: string | null, email: string | null): string | null {
  const address = email && unmistakable(email);
  return name && address ? `${name} (${address})` : name || address || null;
}

/** Orders members before invites: admins, writers, readers, each by name; then invites by address. */
export function inMemberOrder(a: Membership, b: Membership): number {
  if (a.state !== b.state) return a.state === 'accepted' ? -1 : 1;
  if (a.state === 'invited') return byText(a.email ?? '', b.email ?? '');
  const byRole = teamRoles.indexOf(a.role) - teamRoles.indexOf(b.role);
  return byRole || byText(a.displayName || (a.email ?? ''), b.displayName || (b.email ?? ''));
}

/** Compares texts for lists shown to users, independent of the server's locale. */
export function byText(a: string, b: string): number {
  return a.localeCompare(b, 'en', { sensitivity: 'base', numeric: true }) || (a < b ? -1 : Number(a > b));
}
