import { CreateTeamScreen } from '../features/teams/create-team-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function CreateTeam() {
  return (
    <>
      <PageTitle page="Create team" />
      <CreateTeamScreen />
    </>
  );
}
