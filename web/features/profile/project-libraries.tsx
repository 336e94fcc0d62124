import { useQuery } from '@tanstack/react-query';
import * as limits from '#contract/limits.ts';
import { type PinnedLibrary, type Profile, profileEndpoints } from '#contract/profile.ts';
import { useAddressFilters, useFilterWords } from '../../kit/address-filters.ts';
import { useAction } from '../../kit/endpoint-query.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { useFaultToast } from '../../kit/use-fault-toast.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { countOf, formatCount } from '../../ui/quantities.ts';
import { Segments } from '../../ui/segments.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { useToast } from '../../ui/toast.tsx';
import { LibraryRows } from './library-rows.tsx';
import { librariesOptions, useIndexLibraries } from './queries.ts';

const choices = [
  { value: 'direct', label: 'Direct' },
  { value: 'missing', label: 'Missing' },
  { value: 'all', label: 'All' },
] as const;

/** A project's pinned libraries, which of them are indexed, and actions to index the rest. */
export function ProjectLibraries({ profile, mayWrite }: { profile: Profile; mayWrite: boolean }) {
  const workspace = useWorkspaceId();
  const [params, change] = useAddressFilters();
  const shown = choices.find(({ value }) => value === params.get('libraries'))?.value ?? 'direct';
  const words = params.get('library') ?? '';
  const [typed, setTyped] = useFilterWords(words, (library) => change({ library }));
  const { profileId } = profile;
  const limit = limits.pinnedLibrariesListed;
  const query = useQuery(librariesOptions(workspace, { profileId, shown, words, limit }));
  return (
    <section aria-label={`Libraries of ${profile.name}`} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Segments
          label="Libraries shown"
          value={shown}
          options={choices}
          onChange={(libraries) => change({ libraries: libraries === 'direct' ? '' : libraries })}
        />
        <TextField
          label="Find a library"
          isLabelHidden
          type="search"
          placeholder="Find a library"
          value={typed}
          maxLength={200}
          onValueChange={setTyped}
          className="w-56 max-w-full flex-1 sm:flex-none"
        />
        {mayWrite && <MissingActions profile={profile} />}
      </div>
      {query.data ? (
        <Found {...query.data} mayWrite={mayWrite} onClear={() => change({ libraries: '', library: '' })} />
      ) : query.isError ? (
        <RetryNotice query={query} title="Couldn't load the libraries" />
      ) : (
        <Loading label="Loading libraries…" className="flex flex-col gap-3">
          <Skeleton className="h-4 w-72 max-w-full" />
          <Skeleton className="h-4 w-60 max-w-full" />
          <Skeleton className="h-4 w-64 max-w-full" />
        </Loading>
      )}
    </section>
  );
}

interface FoundProps {
  profile: Profile;
  libraries: PinnedLibrary[];
  total: number;
  mayWrite: boolean;
  onClear: () => void;
}

function Found({ profile, libraries, total, mayWrite, onClear }: FoundProps) {
  if (total === 0) {
    return (
      <div className="flex flex-wrap items-center justify-between gap-3 rounded-lg border border-line px-4 py-5 text-soft">
        {profile.libraryCount === 0 ? 'Its lockfiles pin no libraries.' : 'No library matches these filters.'}
        {profile.libraryCount > 0 && (
          <Button size="sm" onClick={onClear}>
            Clear filters
          </Button>
        )}
      </div>
    );
  }
  return (
    <>
      <LibraryRows profile={profile} libraries={libraries} mayWrite={mayWrite} />
      <p role="status" className="tabular text-faint text-sm">
        {libraries.length < total
          ? `${formatCount(libraries.length)} of ${countOf(total, 'library', 'libraries')}; find others by name.`
          : countOf(total, 'library', 'libraries')}
      </p>
    </>
  );
}

/** For all direct libraries that are not indexed: looks them up in their registries and indexes them. */
function MissingActions({ profile }: { profile: Profile }) {
  const workspace = useWorkspaceId();
  const toast = useToast();
  const onError = useFaultToast();
  const { profileId } = profile;
  const limit = limits.librariesIndexedAtOnceMax;
  const missing = useQuery({
    ...librariesOptions(workspace, { profileId, shown: 'missing', words: '', limit }),
    enabled: profile.indexedCount < profile.directCount,
  });
  const lookUp = useAction(profileEndpoints.lookUpLibraries, { invalidates: ['profiles'] });
  const index = useIndexLibraries();
  const waiting = (missing.data?.libraries ?? []).filter(({ job }) => job === null || job.status === 'FAILED');
  const libraries = waiting.map(({ ecosystem, name, version }) => ({ ecosystem, name, version }));
  if (libraries.length === 0) return null;
  const total = missing.data?.total ?? 0;
  const label = total > limit ? `Index the first ${libraries.length} missing` : `Index all ${libraries.length} missing`;
  return (
    <div className="flex flex-wrap gap-2 sm:ml-auto">
      <Button
        isBusy={lookUp.isPending}
        onClick={() =>
          lookUp.mutate(
            { profileId, libraries },
            {
              onError,
              onSuccess: ({ libraries: asked }) => {
                const found = asked.filter(({ offers }) => (offers?.length ?? 0) > 0).length;
                toast({
                  message: `Documentation found for ${found} of ${countOf(asked.length, 'library', 'libraries')}`,
                });
              },
            },
          )
        }
      >
        Find documentation
      </Button>
      <Button
        isBusy={index.isPending}
        onClick={() =>
          index.mutate(
            { profileId, libraries },
            {
              onError,
              onSuccess: (outcomes) => {
                const begun = outcomes.filter(({ job }) => job !== null).length;
                toast({ message: `Indexing ${begun} of ${countOf(outcomes.length, 'library', 'libraries')}` });
              },
            },
          )
        }
      >
        {label}
      </Button>
    </div>
  );
}
