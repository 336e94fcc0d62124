import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { ResourcesScreen } from '../features/library/resources-screen.tsx';
import { indexRequestsOptions } from '../lib/index-request-queries.ts';
import { useLoadSoon } from '../lib/load-soon.ts';
import { PageTitle } from '../lib/page-title.tsx';
import { useWorkspaceId } from '../lib/workspace.ts';

// Loaded after the sources, which the screen opens on.
const loadRepositories = () => import('../features/hosting/repositories-panel.tsx');
const loadPdfSets = () => import('../features/pdf-sets/pdf-sets-panel.tsx');
const loadProjects = () => import('../features/profile/projects-panel.tsx');
const loadRequests = () => import('../features/index-requests/requests-panel.tsx');
const panels = [loadRepositories, loadPdfSets, loadProjects, loadRequests];
const RepositoriesPanel = lazy(() => loadRepositories().then((part) => ({ default: part.RepositoriesPanel })));
const PdfSetsPanel = lazy(() => loadPdfSets().then((part) => ({ default: part.PdfSetsPanel })));
const ProjectsPanel = lazy(() => loadProjects().then((part) => ({ default: part.ProjectsPanel })));
const RequestsPanel = lazy(() => loadRequests().then((part) => ({ default: part.RequestsPanel })));

/** Composes the features: fills the panels `repositories`, `pdfSets`, `projects` and `requests` of the screen. */
export default function Resources() {
  useLoadSoon(panels);
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
