import { OutboxScreen } from '../features/outbox/outbox-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function Outbox() {
  return (
    <>
      <PageTitle page="Outbox" />
      <OutboxScreen />
    </>
  );
}
