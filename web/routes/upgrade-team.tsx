import { UpgradeTeamScreen } from '../features/billing/upgrade-team-screen.tsx';
import { AdminsOnly } from '../features/teams/ask-an-admin.tsx';
import { TeamNeeded } from '../features/teams/team-needed.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function UpgradeTeam() {
  return (
    <>
      <PageTitle page="Team plan" />
      <TeamNeeded title="Team plan">
        {(selected) => (
          <UpgradeTeamScreen
            key={selected.team.teamId}
            selected={selected}
            askAnAdmin={<AdminsOnly teamId={selected.team.teamId}>Admins manage the plan and seats.</AdminsOnly>}
          />
        )}
      </TeamNeeded>
    </>
  );
}
