import { useQuery } from '@tanstack/react-query';
import type { Repository } from '#contract/repositories.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Notice } from '../../ui/notice.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Fact } from './fact.tsx';
import type { ListedSource } from './listed-sources.ts';
import { repositoriesOptions } from './queries.ts';

/** Enough to tell commits apart, as hosts show them. */
const shownRevisionCharacters = 10;

/** What is known of the repository behind a source; undefined for other sources and until it is known. */
export function useRepository({ kind, moduleId, visibility }: ListedSource): Repository | undefined {
  const repositories = useQuery({ ...repositoriesOptions(useWorkspaceId()), enabled: kind === 'git' });
  return repositories.data?.find((one) => one.moduleId === moduleId && one.visibility === visibility);
}

/** What was read of it, and when it was last looked at. */
export function RepositoryFacts({ repository }: { repository: Repository }) {
  const { ref, folder, revision, checkedAt } = repository;
  return (
    <>
      <Fact name={ref?.kind === 'tag' ? 'Tag' : 'Branch'}>{ref === null ? 'The default branch' : ref.name}</Fact>
      {folder !== null && <Fact name="Folder">{folder}</Fact>}
      {revision !== null && (
        <Fact name="Commit">
          <code title={revision} className="font-mono text-sm">
            {revision.slice(0, shownRevisionCharacters)}
          </code>
        </Fact>
      )}
      <Fact name="Last check">{checkedAt === null ? 'Not yet' : <RelativeTime at={checkedAt} />}</Fact>
    </>
  );
}

/** Told above everything else: what is served may be older than what the repository holds. */
export function RepositoryFault({ source }: { source: ListedSource }) {
  const error = useRepository(source)?.checkError;
  if (typeof error !== 'string') return null;
  return (
    <Notice tone="warn" title="Couldn't check the repository for changes">
      {error}
    </Notice>
  );
}
