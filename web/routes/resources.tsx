import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { RepositoriesPanel } from '../features/hosting/repositories-panel.tsx';
import { ResourcesScreen } from '../features/library/resources-screen.tsx';
import { PdfSetsPanel } from '../features/pdf-sets/pdf-sets-panel.tsx';
import { ProjectsPanel } from '../features/profile/projects-panel.tsx';
import { indexRequestsOptions } from '../lib/index-request-queries.ts';
import { PageTitle } from '../lib/page-title.tsx';
import { useWorkspaceId } from '../lib/workspace.ts';
import { Loading } from '../ui/skeleton.tsx';

// Loaded lazily: few users open the requests.
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
        requests={{
          panel: (
            <Suspense fallback={<Loading label="Loading…">{null}</Loading>}>
              <RequestsPanel />
            </Suspense>
          ),
          waiting,
        }}
      />
    </>
  );
}
