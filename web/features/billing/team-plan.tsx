import { useSelectedTeam } from '../../lib/team-queries.ts';
import { Notice } from '../../ui/notice.tsx';
import { TeamBilling } from './billing-section.tsx';

/** Plan, seats and payments of the selected team, for its page. Members learn the plan; the rest is for admins. */
export function TeamPlan() {
  const selected = useSelectedTeam();
  if (!selected) return null;
  const { team, isAdmin } = selected;
  if (isAdmin) return <TeamBilling teamId={team.teamId} />;
  return (
    <Notice tone="info" title={`The team is on ${team.tier}`}>
      Admins manage its plan, seats and payments.
    </Notice>
  );
}
