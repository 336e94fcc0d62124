import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Membership, Team, TeamRole } from '#contract/teams.ts';
import { callLater } from './call-later.ts';
import { useSession } from './session.ts';
import { individualWorkspace, useWorkspaceId } from './workspace.ts';

const contract = async () => (await import('#contract/teams.ts')).teamEndpoints;

/** The teams of the signed-in person, by name. */
export const teamsOptions = queryOptions({
  queryKey: ['teams'],
  queryFn: async ({ signal }) => (await callLater(async () => (await contract()).listTeams, {}, signal)).teams,
});

/** The person's own memberships, then the invites that wait for them. */
export const membershipsOptions = queryOptions({
  queryKey: ['memberships'],
  queryFn: async ({ signal }) =>
    (await callLater(async () => (await contract()).listMemberships, {}, signal)).memberships,
});

/** Members and pending invites of one team. */
export function teamMembersOptions(teamId: string) {
  return queryOptions({
    queryKey: ['teamMembers', teamId],
    queryFn: async ({ signal }) =>
      (await callLater(async () => (await contract()).listTeamMembers, { teamId }, signal)).members,
  });
}

/** The team one works in, and what one is there. */
export interface SelectedTeam {
  team: Team;
  role: TeamRole;
  /** May do everything in the team: members, seats, billing, settings. */
  isAdmin: boolean;
  /** May add and remove sources. */
  isWriter: boolean;
  membershipId: string;
}

/** The team one works in: null in a workspace of one's own, undefined as long as it is not known. */
export function useSelectedTeam(): SelectedTeam | null | undefined {
  const workspace = useWorkspaceId();
  const isSignedIn = Boolean(useSession().data?.user);
  const isInTeam = isSignedIn && workspace !== individualWorkspace;
  const team = useQuery({ ...teamsOptions, enabled: isInTeam }).data?.find(({ teamId }) => teamId === workspace);
  const own = useQuery({ ...membershipsOptions, enabled: isInTeam }).data?.find(
    ({ teamId, state }) => teamId === workspace && state === 'accepted',
  );
  if (workspace === individualWorkspace) return null;
  if (!team || !own) return undefined;
  const { role, membershipId } = own;
  return { team, role, membershipId, isAdmin: role === 'admin', isWriter: role !== 'reader' };
}

/** Returns true if the person may change what the workspace has; false until their role in it is known. */
export function useMayWrite(): boolean {
  const team = useSelectedTeam();
  return team === null || team?.isWriter === true;
}

/** Invites that wait for the signed-in person, newest first. */
export function pendingInvites(memberships: Membership[] | undefined): Membership[] {
  const invites = memberships?.filter(({ state }) => state === 'invited') ?? [];
  return invites.toSorted((a, b) => (b.lastInviteSentAt ?? b.joinedAt) - (a.lastInviteSentAt ?? a.joinedAt));
}
