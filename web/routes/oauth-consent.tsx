import { ConsentScreen } from '../features/connections/consent-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function OauthConsent() {
  return (
    <>
      <PageTitle page="Connect an application" />
      <ConsentScreen />
    </>
  );
}
