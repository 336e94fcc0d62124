import { useState } from 'react';
import type { Profile } from '#contract/profile.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { countOf } from '../../ui/quantities.ts';
import { useToast } from '../../ui/toast.tsx';
import { useRemoveProfile } from './queries.ts';

/** Open while there is a project to ask about. */
export function RemoveProjectDialog({ profile, onClose }: { profile: Profile | undefined; onClose: () => void }) {
  const remove = useRemoveProfile();
  const toast = useToast();
  // Kept while the dialog fades, when there is nothing to ask about any more.
  const [shown, setShown] = useState(profile);
  if (profile && profile !== shown) setShown(profile);
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen={profile !== undefined}
      onClose={close}
      title={`Remove ${shown?.name ?? ''}`}
      actionLabel="Remove project"
      isBusy={remove.isPending}
      error={remove.error ? sentenceForPeople(remove.error) : undefined}
      onConfirm={() =>
        profile &&
        remove.mutate(profile.profileId, {
          onSuccess: () => {
            close();
            toast({ message: `${profile.name} is removed` });
          },
        })
      }
    >
      {shown && (
        <p>
          The versions of its {countOf(shown.libraryCount, 'library', 'libraries')} are no longer preferred. Indexed
          documentation is kept.
        </p>
      )}
    </ConfirmDialog>
  );
}
