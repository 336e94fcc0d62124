import { SubscribeScreen } from '../features/billing/subscribe-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function Subscribe() {
  return (
    <>
      <PageTitle page="Subscribe" />
      <SubscribeScreen />
    </>
  );
}
