import { SubscribeScreen } from '../features/billing/subscribe-screen.tsx';
import { PublicPageHead } from '../lib/public-page-head.tsx';

export default function Subscribe() {
  return (
    <>
      <PublicPageHead path="/subscribe" />
      <SubscribeScreen />
    </>
  );
}
