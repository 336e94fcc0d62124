import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { RepositoriesPanel } from '../features/hosting/repositories-panel.tsx';
import { ResourcesScreen } from '../features/library/resources-screen.tsx';
import { PdfSetsPanel } from '../features/pdf-sets/pdf-sets-panel.tsx';
import { indexRequestsOptions } from '../lib/index-request-queries.ts';
import { PageTitle } from '../lib/page-title.tsx';
import { useWorkspaceId } from '../lib/workspace.ts';
import { Loading } from '../ui/skeleton.tsx';

// Loaded lazily: few users open the projects and the requests.
const ProjectsPanel = lazy(() =>
  import('../features/profile/projects-panel.tsx').then((part) => ({ default: part.ProjectsPanel })),
);
const RequestsPanel = lazy(() =>
  import('../features/index-requests/requests-panel.tsx').then((part) => ({ default: part.RequestsPanel })),
);

const loading = <Loading label="Loading…">{null}</Loading>;

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
        projects={
          <Suspense fallback={loading}>
            <ProjectsPanel />
          </Suspense>
        }
        requests={{
          panel: (
            <Suspense fallback={loading}>
              <RequestsPanel />
            </Suspense>
          ),
          waiting,
        }}
      />
    </>
  );
}
