import { useNavigate } from 'react-router';
import { useConfirm } from '../../kit/use-confirm.tsx';
import { useSelectedTeam } from '../../lib/team-queries.ts';
import { useLeaveTeam } from './queries.ts';

/** Asks for confirmation before the user leaves the team. `ask` takes the user's membership id. */
export function useLeaving(teamId: string) {
  const name = useSelectedTeam()?.team.name ?? 'the team';
  const navigate = useNavigate();
  return useConfirm(
    {
      title: () => `Leave ${name}?`,
      body: () => (
        <p>
          You lose access to its documentation immediately, and your team keys are revoked. To come back, you need an
          invite from an admin.
        </p>
      ),
      actionLabel: 'Leave the team',
      toast: () => `You left ${name}`,
      onDone: () => void navigate('/dashboard'),
    },
    useLeaveTeam(teamId),
    (membershipId: string) => membershipId,
  );
}
