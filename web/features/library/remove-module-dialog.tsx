import { useState } from 'react';
import type { LibraryModule } from '#contract/library.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { countOf } from '../../ui/quantities.ts';
import { useToast } from '../../ui/toast.tsx';
import { useRemoveModule } from './queries.ts';

/** Open while there is a module to ask about. */
export function RemoveModuleDialog({ module, onClose }: { module: LibraryModule | undefined; onClose: () => void }) {
  const remove = useRemoveModule();
  const toast = useToast();
  // Kept while the dialog fades, when there is no module to ask about any more.
  const [shown, setShown] = useState(module);
  if (module && module !== shown) setShown(module);

  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen={module !== undefined}
      onClose={close}
      title={`Remove ${shown?.displayName ?? ''}`}
      actionLabel="Remove module"
      isBusy={remove.isPending}
      error={remove.error ? sentenceForPeople(remove.error) : undefined}
      onConfirm={() =>
        module &&
        remove.mutate(module, {
          onSuccess: () => {
            close();
            toast({ message: `${module.displayName} is removed` });
          },
        })
      }
    >
      {shown && (
        <>
          <p>
            Its {countOf(shown.pageCount, 'page')} and {countOf(shown.snippetCount, 'snippet')} are deleted, and agents
            no longer find anything in <code className="font-mono text-ink text-sm">{shown.moduleId}</code>.
          </p>
          <p>The original stays as it is. To have the module back, index {shown.url} again.</p>
        </>
      )}
    </ConfirmDialog>
  );
}
