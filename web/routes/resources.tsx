import { ResourcesScreen } from '../features/library/resources-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function Resources() {
  return (
    <>
      <PageTitle page="Resources" />
      <ResourcesScreen />
    </>
  );
}
