import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Team } from '#contract/teams.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useDeleteTeam } from './queries.ts';

interface DeleteTeamDialogProps {
  team: Team;
  isOpen: boolean;
  onClose: () => void;
}

/** Deletes a team once its name was typed. */
export function DeleteTeamDialog({ team, isOpen, onClose }: DeleteTeamDialogProps) {
  const deletion = useDeleteTeam(team.teamId);
  const [typed, setTyped] = useState('');
  const [isWrong, setIsWrong] = useState(false);
  const navigate = useNavigate();
  const toast = useToast();
  const close = () => {
    deletion.reset();
    setTyped('');
    setIsWrong(false);
    onClose();
  };
  const confirm = () => {
    if (typed.trim() !== team.name) return setIsWrong(true);
    deletion.mutateAsync().then(
      () => {
        toast({ message: `${team.name} deleted` });
        void navigate('/dashboard');
      },
      // Told in the dialog.
      () => undefined,
    );
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title={`Delete ${team.name}?`}
      actionLabel="Delete team"
      isBusy={deletion.isPending}
      error={deletion.error ? sentenceForPeople(deletion.error) : undefined}
      onConfirm={confirm}
    >
      <ul className="flex list-disc flex-col gap-1 pl-5 text-sm">
        <li>All members lose access immediately, and the team's keys stop working.</li>
        <li>The team's private sources are deleted. Public sources are kept.</li>
        <li>Its subscription ends and its credits are lost.</li>
      </ul>
      <p className="text-sm">This cannot be undone.</p>
      <TextField
        label={`Type “${team.name}” to confirm`}
        autoComplete="off"
        value={typed}
        onValueChange={(value) => {
          setTyped(value);
          setIsWrong(false);
        }}
        error={isWrong ? 'This is not the name of the team.' : undefined}
        className="mt-2"
      />
    </ConfirmDialog>
  );
}
