import { useState } from 'react';
import type { ApiKey } from '#contract/keys.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useRevokeKey } from './queries.ts';

/** Open while there is a key to ask about. */
export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: ApiKey | undefined; onClose: () => void }) {
  const revoke = useRevokeKey();
  const toast = useToast();
  // Kept while the dialog fades, when there is no key to ask about any more.
  const [shown, setShown] = useState(apiKey);
  if (apiKey && apiKey !== shown) setShown(apiKey);

  const close = () => {
    revoke.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen={apiKey !== undefined}
      onClose={close}
      title={`Revoke “${shown?.name ?? ''}”`}
      actionLabel="Revoke key"
      isBusy={revoke.isPending}
      error={revoke.error ? sentenceForPeople(revoke.error) : undefined}
      onConfirm={() =>
        apiKey &&
        revoke.mutate(apiKey.id, {
          onSuccess: ({ key }) => {
            close();
            toast({ message: `“${key.name}” is revoked` });
          },
        })
      }
    >
      Are you sure you want to revoke this API key? This action cannot be undone.
    </ConfirmDialog>
  );
}
