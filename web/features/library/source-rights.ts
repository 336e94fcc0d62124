import type { JobRun } from '#contract/library.ts';
import { useSession } from '../../lib/session.ts';
import { useMayWrite } from '../../lib/team-queries.ts';

type OneOf = (source: Pick<JobRun, 'visibility' | 'kind'>) => boolean;

/** The sources that the user may change, and those they may refresh. */
export interface SourceRights {
  mayChange: OneOf;
  mayRefresh: OneOf;
}

/** Only the operator may change public sources and read folders of the server's machine. */
export function useSourceRights(): SourceRights {
  const mayWrite = useMayWrite();
  const isOperator = useSession().data?.user?.isOperator === true;
  const mayChange: OneOf = ({ visibility }) => (visibility === 'public' ? isOperator : mayWrite);
  return { mayChange, mayRefresh: (source) => mayChange(source) && (source.kind !== 'folder' || isOperator) };
}
