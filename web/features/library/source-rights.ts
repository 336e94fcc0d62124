import type { JobRun } from '#contract/library.ts';
import { useSession } from '../../lib/session.ts';
import { useMayWrite } from '../../lib/team-queries.ts';

type OneOf = (source: Pick<JobRun, 'visibility' | 'kind'>) => boolean;

/** Which sources the person may change, and which they may have read again. */
export interface SourceRights {
  mayChange: OneOf;
  mayRefresh: OneOf;
}

/** Public sources are the operator's, and so is reading a folder of the server's machine. */
export function useSourceRights(): SourceRights {
  const mayWrite = useMayWrite();
  const isOperator = useSession().data?.user?.isOperator === true;
  const mayChange: OneOf = ({ visibility }) => (visibility === 'public' ? isOperator : mayWrite);
  return { mayChange, mayRefresh: (source) => mayChange(source) && (source.kind !== 'folder' || isOperator) };
}
