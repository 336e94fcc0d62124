import { AcceptScreen } from '../features/teams/accept-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function Accept() {
  return (
    <>
      <PageTitle page="Team invitation" />
      <AcceptScreen />
    </>
  );
}
