import { useState } from 'react';
import type { Membership } from '#contract/teams.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useRemoveMember } from './queries.ts';
import { nameOf } from './roles.ts';

interface RemoveMemberDialogProps {
  /** Open while there is one. */
  member: Membership | undefined;
  teamId: string;
  onClose: () => void;
}

export function RemoveMemberDialog({ member, teamId, onClose }: RemoveMemberDialogProps) {
  const remove = useRemoveMember(teamId);
  const toast = useToast();
  // What was named stays on it while it closes.
  const [named, setNamed] = useState(member);
  if (member && member !== named) setNamed(member);
  const close = () => {
    remove.reset();
    onClose();
  };
  const name = named ? nameOf(named) : '';
  return (
    <ConfirmDialog
      isOpen={member !== undefined}
      onClose={close}
      title={`Remove ${name} from the team?`}
      actionLabel="Remove"
      isBusy={remove.isPending}
      error={remove.error ? sentenceForPeople(remove.error) : undefined}
      onConfirm={() =>
        member &&
        remove.mutate(member.membershipId, {
          onSuccess: () => {
            toast({ message: `${name} is no longer in the team` });
            close();
          },
        })
      }
    >
      <p>
        {name} loses access to the team's documentation immediately, and their team keys are revoked. Sources they added
        are kept.
      </p>
    </ConfirmDialog>
  );
}
