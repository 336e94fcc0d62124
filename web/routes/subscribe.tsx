import { PlansScreen } from '../features/plans/plans-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function Subscribe() {
  return (
    <>
      <PageTitle page="Subscribe" />
      <PlansScreen />
    </>
  );
}
