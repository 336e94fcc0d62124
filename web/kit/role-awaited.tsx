import { useQuery } from '@tanstack/react-query';
import { membershipsOptions, teamsOptions } from '../lib/team-queries.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { RetryNotice } from './retry-notice.tsx';

/** Placeholder for content that requires a team role, until the user's role is known. */
export function RoleAwaited() {
  const queries = [useQuery(teamsOptions), useQuery(membershipsOptions)];
  const failed = queries.find(({ isError, data }) => isError && data === undefined);
  if (failed === undefined) return <Skeleton className="h-28 w-full" />;
  return <RetryNotice query={failed} title="Couldn't load your role in this team" />;
}
