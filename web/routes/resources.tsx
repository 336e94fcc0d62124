import { RepositoriesPanel } from '../features/hosting/repositories-panel.tsx';
import { ResourcesScreen } from '../features/library/resources-screen.tsx';
import { PdfSetsPanel } from '../features/pdf-sets/pdf-sets-panel.tsx';
import { PageTitle } from '../lib/page-title.tsx';

/** Where the features meet: `repositories` and `pdfSets` of the screen take the panels of theirs. */
export default function Resources() {
  return (
    <>
      <PageTitle page="Resources" />
      <ResourcesScreen repositories={<RepositoriesPanel />} pdfSets={<PdfSetsPanel />} />
    </>
  );
}
