import { DashboardScreen } from '../features/dashboard/dashboard-screen.tsx';
import { overviewQueries } from '../features/dashboard/queries.ts';
import { PendingInvites } from '../features/teams/invite-entry.tsx';
import { readFirstView } from '../lib/first-view.ts';
import { PageTitle } from '../lib/page-title.tsx';

export const clientLoader = () => readFirstView(overviewQueries);
export const shouldRevalidate = () => false;

export default function Dashboard() {
  return (
    <>
      <PageTitle page="Dashboard" />
      <PendingInvites />
      <DashboardScreen />
    </>
  );
}
