import { useState } from 'react';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { countOf } from '../../ui/quantities.ts';
import { useToast } from '../../ui/toast.tsx';
import type { ListedSource } from './listed-sources.ts';
import { useRemoveModule } from './queries.ts';

interface RemoveSourceDialogProps {
  /** Open while there is one to ask about. */
  source: ListedSource | undefined;
  onClose: () => void;
  onRemoved: (() => void) | undefined;
}

/** Asks before a source is removed. */
export function RemoveSourceDialog({ source, onClose, onRemoved }: RemoveSourceDialogProps) {
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
            onRemoved?.();
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
        <p>Nothing is searchable yet. The current run will be cancelled.</p>
      )}
      {shown && <p>The original is not changed. To restore the source, index {shown.url} again.</p>}
    </ConfirmDialog>
  );
}
