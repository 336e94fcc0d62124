import { useSelectedTeam } from '../../lib/team-queries.ts';

/** Returns true if the person may add and remove sources where they work; as long as it is not known, yes: the server decides. */
export function useMayWrite(): boolean {
  return useSelectedTeam()?.isWriter ?? true;
}
