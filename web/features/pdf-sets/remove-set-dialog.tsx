import { useState } from 'react';
import type { PdfSet } from '#contract/pdf-sets.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { countOf, formatBytes } from '../../ui/quantities.ts';
import { useToast } from '../../ui/toast.tsx';
import { useRemovePdfSet } from './queries.ts';
import { uploads } from './uploads.ts';

/** Open while there is a set to ask about. */
export function RemoveSetDialog({ set, onClose }: { set: PdfSet | undefined; onClose: () => void }) {
  const remove = useRemovePdfSet();
  const toast = useToast();
  // Kept while the dialog fades, when there is nothing to ask about any more.
  const [shown, setShown] = useState(set);
  if (set && set !== shown) setShown(set);
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen={set !== undefined}
      onClose={close}
      title={`Remove ${shown?.displayName ?? ''}`}
      actionLabel="Remove PDF set"
      isBusy={remove.isPending}
      error={remove.error ? sentenceForPeople(remove.error) : undefined}
      onConfirm={() =>
        set &&
        remove.mutate(set.setId, {
          onSuccess: () => {
            for (const { id, setId } of uploads.list()) if (setId === set.setId) void uploads.remove(id);
            close();
            toast({ message: `${set.displayName} is removed` });
          },
        })
      }
    >
      {shown && (
        <p>
          This deletes {countOf(shown.totalFiles, 'file')} ({formatBytes(shown.totalSizeBytes)}) for good, and agents no
          longer find anything in them. Keep copies of what you still need.
        </p>
      )}
    </ConfirmDialog>
  );
}
