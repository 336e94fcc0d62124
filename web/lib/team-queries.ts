import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Membership, Team, TeamRole } from '#contract/teams.ts';
import { callLater } from './call-later.ts';
import { useSession } from './session.ts';
import { individualWorkspace, useWorkspaceId } from './workspace.ts';

const contract = async () => (await import('#contract/teams.ts')).teamEndpoints;

/** The signed-in user's teams, by name. */
export const teamsOptions = queryOptions({
  queryKey: ['teams'],
  queryFn: async ({ signal }) => (await callLater(async () => (await contract()).listTeams, {}, signal)).teams,
});

/** The user's own memberships, followed by their pending invites. */
export const membershipsOptions = queryOptions({
  queryKey: ['memberships'],
  queryFn: async ({ signal }) =>
    (await callLater(async () => (await contract()).listMemberships, {}, signal)).memberships,
});

/** A team's members and pending invites. */
export function teamMembersOptions(teamId: string) {
  return queryOptions({
    queryKey: ['teamMembers', teamId],
    queryFn: async ({ signal }) =>
      (await callLater(async () => (await contract()).listTeamMembers, { teamId }, signal)).members,
  });
}

/** The selected team and the user's role in it. */
export interface SelectedTeam {
  team: Team;
  role: TeamRole;
  /** True if the user may manage everything in the team: members, seats, billing, settings. */
  isAdmin: boolean;
  /** True if the user may add and remove sources. */
  isWriter: boolean;
  membershipId: string;
}

/** Returns the selected team: null in the user's own workspace, undefined until it is known. */
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

/** Returns true if the user may change the workspace's sources; false until their role is known. */
export function useMayWrite(): boolean {
  const team = useSelectedTeam();
  return team === null || team?.isWriter === true;
}

/** Returns the signed-in user's pending invites, newest first. */
export function pendingInvites(memberships: Membership[] | undefined): Membership[] {
  const invites = memberships?.filter(({ state }) => state === 'invited') ?? [];
  return invites.toSorted((a, b) => (b.lastInviteSentAt ?? b.joinedAt) - (a.lastInviteSentAt ?? a.joinedAt));
}
