import { ResetRequestScreen } from '../features/accounts/reset-request-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function ResetRequest() {
  return (
    <>
      <PageTitle page="Reset password" />
      <ResetRequestScreen />
    </>
  );
}
