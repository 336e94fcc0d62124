import { useState } from 'react';
import type { HostedRepository } from '#contract/hosting.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useRemoveRepository } from './queries.ts';

interface RemoveRepositoryDialogProps {
  workspace: string;
  repository: HostedRepository | undefined;
  onClose: () => void;
}

/** Open while there is a repository to ask about. */
export function RemoveRepositoryDialog({ workspace, repository, onClose }: RemoveRepositoryDialogProps) {
  const remove = useRemoveRepository(workspace);
  const toast = useToast();
  // Kept while the dialog fades, when there is no repository to ask about any more.
  const [shown, setShown] = useState(repository);
  if (repository && repository !== shown) setShown(repository);
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen={repository !== undefined}
      onClose={close}
      title={`Remove ${shown?.fullName ?? ''}`}
      actionLabel="Remove repository"
      isBusy={remove.isPending}
      error={remove.error ? sentenceForPeople(remove.error) : undefined}
      onConfirm={() =>
        repository &&
        remove.mutate(repository.id, {
          onSuccess: () => {
            close();
            toast({ message: `${repository.fullName} was removed` });
          },
        })
      }
    >
      Agents no longer find its pages. At GitHub, only the webhook is removed.
    </ConfirmDialog>
  );
}
