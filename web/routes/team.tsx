import { TeamScreen } from '../features/teams/team-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function Team() {
  return (
    <>
      <PageTitle page="Team" />
      <TeamScreen />
    </>
  );
}
