import { PrivacyScreen } from '../features/pages/privacy-screen.tsx';
import { PublicPageHead } from '../lib/public-page-head.tsx';

export default function Privacy() {
  return (
    <>
      <PublicPageHead path="/privacy" />
      <PrivacyScreen />
    </>
  );
}
