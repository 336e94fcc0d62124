import { lazy, type ReactNode, Suspense, useState } from 'react';
import { libraryEndpoints } from '#contract/library.ts';
import { useAction } from '../../kit/endpoint-query.ts';
import { useConfirm } from '../../kit/use-confirm.tsx';
import { useFaultToast } from '../../kit/use-fault-toast.ts';
import { countOf } from '../../ui/quantities.ts';
import { useToast } from '../../ui/toast.tsx';
import type { ListedSource } from './listed-sources.ts';
import { useCancelJob, useRefreshModule, useRetryJob } from './queries.ts';
import type { SourceActions } from './source-actions.tsx';
import { useSourceRights } from './source-rights.ts';

// Loaded lazily, when first opened.
const RenameSource = lazy(() => import('./rename-source.tsx').then((part) => ({ default: part.RenameSource })));

/** Returns a source's actions, and the dialogs for renaming and removing, which must be rendered once. */
export function useSourceActions(onRemoved?: () => void): {
  actions: SourceActions;
  dialogs: ReactNode;
} {
  const rights = useSourceRights();
  const refresh = useRefreshModule();
  const retry = useRetryJob();
  const cancel = useCancelJob();
  const toast = useToast();
  const onError = useFaultToast();
  const removing = useConfirm(
    {
      title: ({ displayName }: ListedSource) => `Remove ${displayName}?`,
      body: removalWords,
      actionLabel: 'Remove source',
      toast: ({ displayName }) => `${displayName} removed`,
      ...(onRemoved ? { onDone: onRemoved } : {}),
    },
    useAction(libraryEndpoints.removeModule, { invalidates: ['search', 'jobRuns', 'modules'] }),
    ({ moduleId, visibility }) => ({ moduleId, visibility }),
  );
  const [renaming, setRenaming] = useState<ListedSource>();
  const [wasRenaming, setWasRenaming] = useState(false);
  if (renaming && !wasRenaming) setWasRenaming(true);
  const [asked, setAsked] = useState<ListedSource>();
  const isPending = refresh.isPending || retry.isPending || cancel.isPending;
  return {
    actions: {
      ...rights,
      isBusy: ({ moduleId, visibility }) =>
        isPending && moduleId === asked?.moduleId && visibility === asked.visibility,
      onRefresh: (source) => {
        const { module, lastRun } = source;
        setAsked(source);
        const tell = {
          onSuccess: () => toast({ message: `Indexing ${source.displayName}` }),
          onError,
        };
        if (module) refresh.mutate(module, tell);
        else if (lastRun) retry.mutate(lastRun.id, tell);
      },
      onRetryFailed: ({ module, displayName }) =>
        module &&
        refresh.mutate(
          { ...module, onlyFailed: true },
          { onSuccess: () => toast({ message: `Retrying failed pages of ${displayName}` }), onError },
        ),
      onCancel: (source) => {
        setAsked(source);
        if (source.lastRun) cancel.mutate(source.lastRun.id, { onError });
      },
      onRename: setRenaming,
      onRemove: removing.ask,
    },
    dialogs: (
      <Suspense>
        {wasRenaming && <RenameSource source={renaming} onClose={() => setRenaming(undefined)} />}
        {removing.dialog}
      </Suspense>
    ),
  };
}

function removalWords({ module, url }: ListedSource): ReactNode {
  return (
    <>
      {module ? (
        <p>
          This deletes {countOf(module.pageCount, 'page')} and {countOf(module.snippetCount, 'passage')}, and agents can
          no longer search <code className="font-mono text-ink text-sm">{module.moduleId}</code>.
        </p>
      ) : (
        <p>Nothing is searchable yet. The current run will be cancelled.</p>
      )}
      <p>The original is not changed. To restore the source, index {url} again.</p>
    </>
  );
}
