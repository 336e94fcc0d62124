import { ManageSeatsScreen } from '../features/billing/manage-seats-screen.tsx';
import { AdminsOnly } from '../features/teams/ask-an-admin.tsx';
import { TeamNeeded } from '../features/teams/team-needed.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function TeamManageSeats() {
  return (
    <>
      <PageTitle page="Team seats" />
      <TeamNeeded title="Team seats">
        {(selected) => (
          <ManageSeatsScreen
            key={selected.team.teamId}
            selected={selected}
            askAnAdmin={<AdminsOnly teamId={selected.team.teamId}>Admins assign seats.</AdminsOnly>}
          />
        )}
      </TeamNeeded>
    </>
  );
}
