import { useInfiniteQuery } from '@tanstack/react-query';
import { Lock, RefreshCw } from 'lucide-react';
import { useDeferredValue, useEffect, useState } from 'react';
import type { AvailableRepository, HostingMethod } from '#contract/hosting.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { countOf } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { PartForm } from './part-form.tsx';
import { availableOptions } from './queries.ts';

interface AddRepositoryProps {
  workspace: string;
  method: HostingMethod;
  onClose: () => void;
}

/** Selects a repository, then the part of it to index. */
export function AddRepository({ workspace, method, onClose }: AddRepositoryProps) {
  const [chosen, setChosen] = useState<AvailableRepository>();
  return (
    <section
      aria-labelledby="add-repository"
      className="flex flex-col gap-4 rounded-xl border border-line bg-surface p-4 shadow-sm sm:p-5"
    >
      <div className="flex items-center justify-between gap-3">
        <h2
          key={chosen?.repositoryId}
          id="add-repository"
          tabIndex={-1}
          // The selected button was removed along with the focus, so focus the heading.
          ref={chosen === undefined ? undefined : focus}
          className="heading-part rounded-xs"
        >
          {chosen === undefined ? 'Add a repository' : chosen.fullName}
        </h2>
        <Button look="quiet" size="sm" onClick={onClose}>
          Cancel
        </Button>
      </div>
      {chosen === undefined ? (
        <Picker workspace={workspace} method={method} onChoose={setChosen} />
      ) : (
        <PartForm workspace={workspace} repository={chosen} onBack={() => setChosen(undefined)} onAdded={onClose} />
      )}
    </section>
  );
}

const focus = (element: HTMLElement | null) => element?.focus();

interface PickerProps {
  workspace: string;
  method: HostingMethod;
  onChoose: (repository: AvailableRepository) => void;
}

function Picker({ workspace, method, onChoose }: PickerProps) {
  const [text, setText] = useState('');
  const query = useDeferredValue(text.trim());
  const available = useInfiniteQuery(availableOptions(workspace, query));
  const pages = available.data?.pages;
  const found = pages?.flatMap(({ repositories }) => repositories);
  const last = pages?.at(-1);
  const [pagesWanted, setPagesWanted] = useState(1);
  const { hasNextPage, isFetching, isError, fetchNextPage } = available;
  const isMoreWanted = pages !== undefined && pages.length < pagesWanted && hasNextPage;
  // Reloading the list after a change cancels the fetch of its next page, so this repeats it.
  useEffect(() => {
    if (isMoreWanted && !isFetching && !isError) void fetchNextPage();
  }, [isMoreWanted, isFetching, isError, fetchNextPage]);
  return (
    <>
      <TextField
        label="Search your repositories"
        isLabelHidden
        type="search"
        placeholder="Search your repositories"
        autoComplete="off"
        // Users open this list to search.
        autoFocus
        value={text}
        onValueChange={(typed) => {
          setText(typed);
          setPagesWanted(1);
        }}
      />
      {available.isError && <RetryNotice query={available} title="Couldn't load your GitHub repositories" isSmall />}
      {found === undefined && !available.isError && <PickerSkeleton />}
      {found?.length === 0 && <NothingFound query={query} method={method} onClear={() => setText('')} />}
      {found !== undefined && found.length > 0 && (
        <ul aria-label="Repositories" className="-mx-2 max-h-96 overflow-y-auto">
          {found.map((repository) => (
            <li key={repository.repositoryId}>
              <Choice repository={repository} onChoose={() => onChoose(repository)} />
            </li>
          ))}
        </ul>
      )}
      {last !== undefined && found !== undefined && found.length > 0 && (
        <div className="flex flex-wrap items-center justify-between gap-3 text-faint text-xs">
          <p role="status">
            {found.length < last.total ? `${found.length} of ` : ''}
            {countOf(last.total, 'repository', 'repositories')}
            {last.isCut && ', most recently pushed only'}
          </p>
          {hasNextPage && (
            <Button size="sm" isBusy={isMoreWanted} onClick={() => setPagesWanted((pages?.length ?? 0) + 1)}>
              Show more
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function Choice({ repository, onChoose }: { repository: AvailableRepository; onChoose: () => void }) {
  const { fullName, description, isPrivate, isArchived, isAdded, pushedAt } = repository;
  return (
    <button
      type="button"
      onClick={onChoose}
      className="flex w-full items-center gap-3 rounded-md px-2 py-2 text-left hover:bg-hover"
    >
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="wrap-anywhere font-medium text-ink text-sm">{fullName}</span>
          {isPrivate && <Badge icon={<Lock aria-hidden className="size-3" />}>Private</Badge>}
          {isArchived && <Badge>Archived</Badge>}
          {isAdded && <Badge tone="good">Added</Badge>}
        </span>
        {description !== null && description !== '' && (
          <span className="mt-0.5 block truncate text-faint text-xs">{description}</span>
        )}
      </span>
      {pushedAt !== null && (
        <span className="hidden text-faint text-xs sm:block">
          <RelativeTime at={pushedAt} isQuiet />
        </span>
      )}
    </button>
  );
}

function NothingFound({ query, method, onClear }: { query: string; method: HostingMethod; onClear: () => void }) {
  if (query !== '') {
    return (
      <div className="flex flex-wrap items-center justify-between gap-3 py-2">
        <p className="text-soft">No repository matches “{query}”.</p>
        <Button size="sm" onClick={onClear}>
          Clear search
        </Button>
      </div>
    );
  }
  return (
    <p className="flex items-center gap-2 py-2 text-soft">
      <RefreshCw aria-hidden className="size-4 shrink-0 text-faint" />
      {method === 'app'
        ? "The GitHub App can't read any of your repositories. Choose repositories on GitHub, then search again."
        : 'Your account has no repositories yet.'}
    </p>
  );
}

function PickerSkeleton() {
  return (
    <Loading label="Loading your repositories…" className="flex flex-col gap-4 py-2">
      {['w-56', 'w-44', 'w-64'].map((width) => (
        <span key={width} className="flex flex-col gap-1.5">
          <Skeleton className={`h-4 ${width}`} />
          <Skeleton className="h-3 w-72 max-w-full" />
        </span>
      ))}
    </Loading>
  );
}
