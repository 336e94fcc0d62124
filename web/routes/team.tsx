import { TeamPlan } from '../features/billing/billing-section.tsx';
import { SignOnSection } from '../features/sign-on/sign-on-section.tsx';
import { TeamScreen } from '../features/teams/team-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function Team() {
  return (
    <>
      <PageTitle page="Team" />
      <TeamScreen plan={<TeamPlan />} signOn={(teamId) => <SignOnSection teamId={teamId} />} />
    </>
  );
}
