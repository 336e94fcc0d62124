import { TestPortalScreen } from '../features/billing/test-mode/test-portal-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function TestPortal() {
  return (
    <>
      <PageTitle page="Test billing portal" />
      <TestPortalScreen />
    </>
  );
}
