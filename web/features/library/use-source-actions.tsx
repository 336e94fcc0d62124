import { type ReactNode, useState } from 'react';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { countOf } from '../../ui/quantities.ts';
import { useToast } from '../../ui/toast.tsx';
import type { ListedSource } from './listed-sources.ts';
import { useCancelJob, useRefreshModule, useRemoveModule, useRetryJob } from './queries.ts';
import { RenameSource } from './rename-source.tsx';
import type { SourceActions } from './source-actions.tsx';
import { useMayWrite } from './use-may-write.ts';

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
      <>
        <RenameSource source={renaming} onClose={() => setRenaming(undefined)} />
        <RemoveSourceDialog source={removing} onClose={() => setRemoving(undefined)} onRemoved={() => onRemoved?.()} />
      </>
    ),
  };
}

interface RemoveSourceDialogProps {
  /** Open while there is one to ask about. */
  source: ListedSource | undefined;
  onClose: () => void;
  onRemoved: () => void;
}

function RemoveSourceDialog({ source, onClose, onRemoved }: RemoveSourceDialogProps) {
  const remove = useRemoveModule();
  const toast = useToast();
  // Kept while the dialog fades, when there is nothing to ask about any more.
  const [shown, setShown] = useState(source);
  if (source && source !== shown) setShown(source);

  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen={source !== undefined}
      onClose={close}
      title={`Remove ${shown?.displayName ?? ''}`}
      actionLabel="Remove source"
      isBusy={remove.isPending}
      error={remove.error ? sentenceForPeople(remove.error) : undefined}
      onConfirm={() =>
        source &&
        remove.mutate(source, {
          onSuccess: () => {
            close();
            onRemoved();
            toast({ message: `${source.displayName} is removed` });
          },
        })
      }
    >
      {shown?.module ? (
        <p>
          This deletes {countOf(shown.module.pageCount, 'page')} and {countOf(shown.module.snippetCount, 'snippet')},
          and agents can no longer search <code className="font-mono text-ink text-sm">{shown.module.moduleId}</code>.
        </p>
      ) : (
        <p>Nothing is searchable yet. The current run will be canceled.</p>
      )}
      {shown && <p>The original is not changed. To restore the source, index {shown.url} again.</p>}
    </ConfirmDialog>
  );
}
