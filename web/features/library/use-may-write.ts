import type { JobRun } from '#contract/library.ts';
import { useSession } from '../../lib/session.ts';
import { useSelectedTeam } from '../../lib/team-queries.ts';

/** Returns true if the person may add and remove sources where they work; as long as it is not known, yes: the server decides. */
export function useMayWrite(): boolean {
  return useSelectedTeam()?.isWriter ?? true;
}

/** Returns true for the sources that the person may change. Public ones are the operator's. */
export type MayChange = (source: Pick<JobRun, 'visibility'>) => boolean;

export function useMayChange(): MayChange {
  const mayWrite = useMayWrite();
  const isOperator = useSession().data?.user?.isOperator ?? true;
  return ({ visibility }) => (visibility === 'public' ? isOperator : mayWrite);
}
