import { useNavigate } from 'react-router';
import type { Membership } from '#contract/teams.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { useSelectedTeam } from '../../lib/team-queries.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useLeaveTeam } from './queries.ts';

interface LeaveTeamDialogProps {
  /** One's own; the dialog is open while there is one. */
  membership: Pick<Membership, 'membershipId'> | undefined;
  teamId: string;
  onClose: () => void;
}

export function LeaveTeamDialog({ membership, teamId, onClose }: LeaveTeamDialogProps) {
  const leave = useLeaveTeam(teamId);
  const name = useSelectedTeam()?.team.name ?? 'the team';
  const navigate = useNavigate();
  const toast = useToast();
  const close = () => {
    leave.reset();
    onClose();
  };
  const confirm = (membershipId: string) =>
    leave.mutateAsync(membershipId).then(
      () => {
        toast({ message: `You left ${name}` });
        void navigate('/dashboard');
      },
      // Told in the dialog.
      () => undefined,
    );
  return (
    <ConfirmDialog
      isOpen={membership !== undefined}
      onClose={close}
      title={`Leave ${name}?`}
      actionLabel="Leave the team"
      isBusy={leave.isPending}
      error={leave.error ? sentenceForPeople(leave.error) : undefined}
      onConfirm={() => membership && void confirm(membership.membershipId)}
    >
      <p>
        You lose access to its documentation immediately, and your team keys are revoked. To come back, you need an
        invite from an admin.
      </p>
    </ConfirmDialog>
  );
}
