import { ActivityScreen } from '../features/activity/activity-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function Activity() {
  return (
    <>
      <PageTitle page="Activity" />
      <ActivityScreen />
    </>
  );
}
