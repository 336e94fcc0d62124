import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { ResourcesScreen } from '../features/library/resources-screen.tsx';
import { indexRequestsOptions } from '../lib/index-request-queries.ts';
import { PageTitle } from '../lib/page-title.tsx';
import { useWorkspaceId } from '../lib/workspace.ts';

// Loaded when first shown: the screen opens on the sources.
const RepositoriesPanel = lazy(() =>
  import('../features/hosting/repositories-panel.tsx').then((part) => ({ default: part.RepositoriesPanel })),
);
const PdfSetsPanel = lazy(() =>
  import('../features/pdf-sets/pdf-sets-panel.tsx').then((part) => ({ default: part.PdfSetsPanel })),
);
const ProjectsPanel = lazy(() =>
  import('../features/profile/projects-panel.tsx').then((part) => ({ default: part.ProjectsPanel })),
);
const RequestsPanel = lazy(() =>
  import('../features/index-requests/requests-panel.tsx').then((part) => ({ default: part.RequestsPanel })),
);

/** Composes the features: fills the panels `repositories`, `pdfSets`, `projects` and `requests` of the screen. */
export default function Resources() {
  const requests = useQuery(indexRequestsOptions(useWorkspaceId()));
  const waiting = requests.data?.filter(({ state }) => state === 'pending').length ?? 0;
  return (
    <>
      <PageTitle page="Resources" />
      <ResourcesScreen
        repositories={<RepositoriesPanel />}
        pdfSets={<PdfSetsPanel />}
        projects={<ProjectsPanel />}
        requests={{ panel: <RequestsPanel />, waiting }}
      />
    </>
  );
}
