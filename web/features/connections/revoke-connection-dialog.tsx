import { useState } from 'react';
import type { Connection } from '#contract/connections.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useRevokeConnection } from './queries.ts';

interface RevokeConnectionDialogProps {
  connection: Connection | undefined;
  onClose: () => void;
}

/** Open while there is a connection to ask about. */
export function RevokeConnectionDialog({ connection, onClose }: RevokeConnectionDialogProps) {
  const revoke = useRevokeConnection();
  const toast = useToast();
  // Kept while the dialog fades, when there is no connection to ask about any more.
  const [shown, setShown] = useState(connection);
  if (connection && connection !== shown) setShown(connection);

  const close = () => {
    revoke.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen={connection !== undefined}
      onClose={close}
      title={`Revoke the access of “${shown?.clientName ?? ''}”`}
      actionLabel="Revoke access"
      isBusy={revoke.isPending}
      error={revoke.error ? sentenceForPeople(revoke.error) : undefined}
      onConfirm={() =>
        connection &&
        revoke.mutate(connection.id, {
          onSuccess: () => {
            close();
            toast({ message: `“${connection.clientName}” no longer has access` });
          },
        })
      }
    >
      Its next call fails. To use it again, connect it in the browser.
    </ConfirmDialog>
  );
}
