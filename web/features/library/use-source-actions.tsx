import { lazy, type ReactNode, Suspense, useState } from 'react';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { useToast } from '../../ui/toast.tsx';
import type { ListedSource } from './listed-sources.ts';
import { useCancelJob, useRefreshModule, useRetryJob } from './queries.ts';
import type { SourceActions } from './source-actions.tsx';
import { useMayWrite } from './use-may-write.ts';

// Each dialog comes when it is first opened.
const RemoveSourceDialog = lazy(() =>
  import('./remove-source.tsx').then((part) => ({ default: part.RemoveSourceDialog })),
);
const RenameSource = lazy(() => import('./rename-source.tsx').then((part) => ({ default: part.RenameSource })));

/** What you can do with a source, and the dialogs in which it is renamed or removed, to be put on the screen once. */
export function useSourceActions(onRemoved?: () => void): { actions: SourceActions; dialogs: ReactNode } {
  const mayWrite = useMayWrite();
  const refresh = useRefreshModule();
  const retry = useRetryJob();
  const cancel = useCancelJob();
  const toast = useToast();
  const [removing, setRemoving] = useState<ListedSource>();
  const [renaming, setRenaming] = useState<ListedSource>();
  const onError = (error: unknown) => toast({ message: sentenceForPeople(error), tone: 'bad', durationMs: 5_000 });
  return {
    actions: {
      mayWrite,
      onRefresh: (source) => {
        const { module, lastRun } = source;
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
      onCancel: ({ lastRun }) => lastRun && cancel.mutate(lastRun.id, { onError }),
      onRename: setRenaming,
      onRemove: setRemoving,
    },
    dialogs: (
      <Suspense>
        {useWasOpened(renaming) && <RenameSource source={renaming} onClose={() => setRenaming(undefined)} />}
        {useWasOpened(removing) && (
          <RemoveSourceDialog source={removing} onClose={() => setRemoving(undefined)} onRemoved={onRemoved} />
        )}
      </Suspense>
    ),
  };
}

function useWasOpened(source: ListedSource | undefined): boolean {
  const [wasOpened, setWasOpened] = useState(false);
  if (source && !wasOpened) setWasOpened(true);
  return wasOpened;
}
