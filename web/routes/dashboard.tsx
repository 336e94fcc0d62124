import { DashboardScreen } from '../features/dashboard/dashboard-screen.tsx';
import { PendingInvites } from '../features/teams/pending-invites.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function Dashboard() {
  return (
    <>
      <PageTitle page="Dashboard" />
      <PendingInvites />
      <DashboardScreen />
    </>
  );
}
