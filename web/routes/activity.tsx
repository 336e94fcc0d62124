import { ActivityScreen } from '../features/activity/activity-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';
import { useSelectedTeam } from '../lib/team-queries.ts';

export default function Activity() {
  const team = useSelectedTeam()?.team;
  return (
    <>
      <PageTitle page={team === undefined ? 'Activity' : `${team.name} Activity`} />
      <ActivityScreen team={team} />
    </>
  );
}
