import { useQuery } from '@tanstack/react-query';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { privateIndexOptions } from './queries.ts';

/** One line about what only this workspace finds. Nothing while it is empty. */
export function PrivateIndexLine() {
  const index = useQuery(privateIndexOptions(useWorkspaceId()));
  if (index.isError) {
    return (
      <p role="alert" className="flex flex-wrap items-center gap-2 text-danger text-sm">
        Failed to load private index
        <Button size="sm" isBusy={index.isFetching} onClick={() => void index.refetch()}>
          Try again
        </Button>
      </p>
    );
  }
  if (index.data === undefined || index.data.modules.length === 0) return null;
  const { modules, totalDocs, updatedAt } = index.data;
  return (
    <p className="tabular text-faint text-sm">
      Private index: {countOf(modules.length, 'module')}, {countOf(totalDocs, 'page')}
      {updatedAt !== null && (
        <>
          , updated <RelativeTime at={updatedAt} />
        </>
      )}
    </p>
  );
}
