import { ActionScreen } from '../features/accounts/action-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function Action() {
  return (
    <>
      <PageTitle page="Email action" />
      <ActionScreen />
    </>
  );
}
