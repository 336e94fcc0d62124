import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation, useMatches } from 'react-router';
import type { Team } from '#contract/teams.ts';
import { Redirect } from '../../lib/redirect.tsx';
import { useSession } from '../../lib/session.ts';
import { teamsOptions } from '../../lib/team-queries.ts';
import {
  individualWorkspace,
  requestTeam,
  selectedWorkspace,
  takeRequestedTeam,
  useWorkspace,
} from '../../lib/workspace.ts';
import { useToast } from '../../ui/toast.tsx';

const parameter = 'teamId';
const durationMs = 5_000;

interface TeamParameterProps {
  /** Id of the route that only signed-in users can open. */
  guardRouteId: string;
  children: ReactNode;
}

/**
 * Removes `teamId` from any page's address and selects that team if the user belongs to it. On a page that redirects to
 * the sign-in screen it stays, because the way back uses the original address.
 */
export function TeamParameter({ guardRouteId, children }: TeamParameterProps) {
  const { pathname, search, hash } = useLocation();
  const isGuarded = useMatches().some(({ id }) => id === guardRouteId);
  const session = useSession();
  const query = new URLSearchParams(search);
  const teamId = query.get(parameter);
  useKnownTeam(Boolean(session.data?.user));

  if (teamId === null || !session.data || (isGuarded && !session.data.user)) return children;
  query.delete(parameter);
  const rest = query.toString();
  return <Requested teamId={teamId} to={`${pathname}${rest === '' ? '' : `?${rest}`}${hash}`} />;
}

function Requested({ teamId, to }: { teamId: string; to: string }) {
  useEffect(() => requestTeam(teamId), [teamId]);
  return <Redirect to={to} />;
}

/** Selects the team requested by an address, and deselects a team that the user no longer belongs to. */
function useKnownTeam(isSignedIn: boolean): void {
  const [workspace, selectWorkspace] = useWorkspace();
  const client = useQueryClient();
  const toast = useToast();
  const teams = useQuery({ ...teamsOptions, enabled: isSignedIn }).data;
  const namesSeen = useRef(new Map<string, string>());
  const { key } = useLocation();

  useEffect(() => {
    if (!isSignedIn || !teams) return;
    for (const { teamId, name } of teams) namesSeen.current.set(teamId, name);
    const requested = takeRequestedTeam();
    const wanted = requested ?? workspace;
    if (wanted === individualWorkspace) return;
    const settle = (known: Team[], isCertain: boolean) => {
      if (known.some(({ teamId }) => teamId === wanted)) {
        if (requested !== null) selectWorkspace(wanted);
      } else if (!isCertain) {
        // Another tab may have joined the team after this tab loaded its list.
        void client.fetchQuery({ ...teamsOptions, staleTime: 0 }).then(
          (current) => settle(current, true),
          () => undefined,
        );
      } else if (requested !== null) {
        toast({ id: 'team', message: 'The link is for a team that you are not a member of', tone: 'bad', durationMs });
      } else if (selectedWorkspace() === wanted) {
        const name = namesSeen.current.get(wanted) ?? 'that team';
        selectWorkspace(individualWorkspace);
        client.removeQueries({ predicate: ({ queryKey }) => queryKey.includes(wanted) });
        toast({
          id: 'team',
          message: `You no longer belong to ${name}. This is your own workspace.`,
          tone: 'bad',
          durationMs,
        });
      }
    };
    settle(teams, false);
  }, [isSignedIn, teams, workspace, selectWorkspace, key, client, toast]);
}
