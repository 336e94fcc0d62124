import { useQuery } from '@tanstack/react-query';
import { teamMembersOptions } from '../../lib/team-queries.ts';
import { isOnlyAdmin } from './roles.ts';

/** Returns true if this membership is the one that keeps the team from being without an admin. */
export function useIsOnlyAdmin(teamId: string, membershipId: string): boolean {
  const members = useQuery(teamMembersOptions(teamId)).data ?? [];
  const member = members.find((known) => known.membershipId === membershipId);
  return member !== undefined && isOnlyAdmin(member, members);
}
