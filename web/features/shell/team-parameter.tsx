import { type ReactNode, useEffect } from 'react';
import { Navigate, useLocation, useMatches } from 'react-router';
import { useSession } from '../../lib/session.ts';
import { individualWorkspace, requestTeam, takeRequestedTeam, useWorkspace } from '../../lib/workspace.ts';

const parameter = 'teamId';

interface TeamParameterProps {
  /** Ids of the teams the signed-in person belongs to; undefined while they are not known. */
  teamIds: readonly string[] | undefined;
  /** Id of the route that only signed-in people pass. */
  guardRouteId: string;
  children: ReactNode;
}

/**
 * Takes `teamId` out of any page's address and selects that team if it is one of the person's. On a page that leads to
 * the sign-in screen it stays, since the way back holds the address as it was.
 */
export function TeamParameter({ teamIds, guardRouteId, children }: TeamParameterProps) {
  const { pathname, search, hash } = useLocation();
  const isGuarded = useMatches().some(({ id }) => id === guardRouteId);
  const session = useSession();
  const query = new URLSearchParams(search);
  const teamId = query.get(parameter);
  useRequestedTeam(session.data?.user ? teamIds : undefined);

  if (teamId === null || !session.data || (isGuarded && !session.data.user)) return children;
  query.delete(parameter);
  const rest = query.toString();
  return <Requested teamId={teamId} to={`${pathname}${rest === '' ? '' : `?${rest}`}${hash}`} />;
}

function Requested({ teamId, to }: { teamId: string; to: string }) {
  useEffect(() => requestTeam(teamId), [teamId]);
  return <Navigate to={to} replace />;
}

/** Selects the team that was asked for, and leaves a team one does not belong to any more. */
function useRequestedTeam(teamIds: readonly string[] | undefined): void {
  const [workspace, selectWorkspace] = useWorkspace();
  const { key } = useLocation();
  useEffect(() => {
    if (!teamIds) return;
    const requested = takeRequestedTeam();
    if (requested !== null && teamIds.includes(requested)) selectWorkspace(requested);
    else if (workspace !== individualWorkspace && !teamIds.includes(workspace)) selectWorkspace(individualWorkspace);
  }, [teamIds, workspace, selectWorkspace, key]);
}
