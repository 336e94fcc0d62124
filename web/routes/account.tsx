import { AccountScreen } from '../features/accounts/account-screen.tsx';
import { AccountBilling } from '../features/billing/billing-section.tsx';
import { ConnectedApplications } from '../features/connections/connected-applications.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function Account() {
  return (
    <>
      <PageTitle page="Account" />
      <AccountScreen billing={<AccountBilling />} connectedApplications={<ConnectedApplications />} />
    </>
  );
}
