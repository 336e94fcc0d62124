import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { auditEndpoints } from '#contract/audit.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { type Membership, type Team, type TeamRole, teamAdministration, teamEndpoints } from '#contract/teams.ts';
import { callApi } from '../../lib/api-client.ts';
import { untilShown } from '../../lib/query-client.ts';
import { membershipsOptions, teamMembersOptions, teamsOptions } from '../../lib/team-queries.ts';
import { resetWorkspace, selectedWorkspace, selectWorkspace } from '../../lib/workspace.ts';
import type { LogPart } from './log-words.ts';

/** Reloads the user's teams and invites; a team must be listed before it can be selected. */
async function readTeamsAgain(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: teamsOptions.queryKey }),
    client.invalidateQueries({ queryKey: membershipsOptions.queryKey }),
  ]);
}

function useEnterTeam(): (teamId: string) => Promise<void> {
  const client = useQueryClient();
  return async (teamId) => {
    await readTeamsAgain(client);
    selectWorkspace(teamId);
  };
}

/** Deselects a team that the user has left, and deletes its data from this browser's cache. */
function useQuitTeam(): (teamId: string) => Promise<void> {
  const client = useQueryClient();
  return async (teamId) => {
    if (selectedWorkspace() === teamId) resetWorkspace();
    await readTeamsAgain(client);
    client.removeQueries({ predicate: ({ queryKey }) => queryKey.includes(teamId) });
  };
}

export type NewTeam = InputOf<typeof teamAdministration.createTeam>;

/** Creates a team and selects it. */
export function useCreateTeam() {
  const enter = useEnterTeam();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: NewTeam) => callApi(teamAdministration.createTeam, input),
    onSuccess: async ({ teamId }, { shouldMigrateIndex }) => {
      if (shouldMigrateIndex) void client.invalidateQueries({ queryKey: ['modules'] });
      await enter(teamId);
    },
  });
}

/** Accepts or declines an invite; an accepted team is selected. */
export function useRespondToInvite() {
  const client = useQueryClient();
  const enter = useEnterTeam();
  return useMutation({
    mutationFn: ({ teamId, response }: { teamId: string; response: 'accept' | 'decline' }) =>
      callApi(teamAdministration.respondToInvite, { teamId, response }),
    onSuccess: ({ teamId }, { response }) => (response === 'accept' ? enter(teamId) : readTeamsAgain(client)),
    // The invite may have been withdrawn meanwhile.
    onError: () => readTeamsAgain(client),
  });
}

/** The invite behind an invite link's token. */
export function inviteOptions(token: string) {
  return queryOptions({
    queryKey: ['invite', token],
    queryFn: ({ signal }) => callApi(teamEndpoints.describeInvite, { token }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    // Optional: the page is complete without it.
    retry: false,
  });
}

/** Accepts an invite link and selects the team. */
export function useAcceptInvite() {
  const enter = useEnterTeam();
  return useMutation({
    mutationFn: (token: string) => callApi(teamAdministration.acceptInvite, { token }),
    onSuccess: ({ teamId }) => enter(teamId),
  });
}

/** Shows the new role immediately and reverts it if the server refuses. */
export function useSetMemberRole(teamId: string) {
  const client = useQueryClient();
  const { queryKey } = teamMembersOptions(teamId);
  return useMutation({
    mutationFn: ({ membershipId, role }: { membershipId: string; role: TeamRole }) =>
      callApi(teamAdministration.setMemberRole, { teamId, membershipId, role }),
    onMutate: async ({ membershipId, role }) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      client.setQueryData(queryKey, (members: Membership[] | undefined) =>
        members?.map((member) => (member.membershipId === membershipId ? { ...member, role } : member)),
      );
      return before;
    },
    onError: (_error, _input, before) => client.setQueryData(queryKey, before),
    onSettled: () => untilShown(Promise.all([client.invalidateQueries({ queryKey }), readTeamsAgain(client)])),
  });
}

export function useLeaveTeam(teamId: string) {
  const quit = useQuitTeam();
  return useMutation({
    mutationFn: (membershipId: string) => callApi(teamAdministration.leaveTeam, { teamId, membershipId }),
    onSuccess: () => quit(teamId),
  });
}

export function useDeleteTeam(teamId: string) {
  const quit = useQuitTeam();
  return useMutation({
    mutationFn: () => callApi(teamAdministration.deleteTeam, { teamId }),
    onSuccess: () => quit(teamId),
  });
}

/** Renames a team or changes its settings. Shows the change immediately and reverts it if the server refuses. */
export function useUpdateTeam(teamId: string) {
  const client = useQueryClient();
  const { queryKey } = teamsOptions;
  return useMutation({
    mutationFn: (changes: Partial<Pick<Team, 'name' | 'showsKeysOnce'>>) =>
      callApi(teamEndpoints.updateTeam, { teamId, ...changes }),
    onMutate: async (changes) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      client.setQueryData(queryKey, (teams: Team[] | undefined) =>
        teams?.map((team) => (team.teamId === teamId ? { ...team, ...changes } : team)),
      );
      return before;
    },
    onError: (_error, _changes, before) => client.setQueryData(queryKey, before),
    onSettled: () => readTeamsAgain(client),
  });
}

/** A team's audit log, page by page. There are no live updates for it, so it is reloaded whenever it is opened. */
export function auditOptions(teamId: string, part: LogPart) {
  return infiniteQueryOptions({
    queryKey: ['audit', teamId, part],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        auditEndpoints.listAudit,
        { teamId, cursor: pageParam, ...(part === 'all' ? {} : { action: part }) },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: 0,
  });
}
