import { lazy, type ReactNode, Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { RoleAwaited } from '../../kit/role-awaited.tsx';
import { useLoadSoon } from '../../lib/load-soon.ts';
import { useSelectedTeam } from '../../lib/team-queries.ts';
import { Loading } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { SourcesTab } from './sources-tab.tsx';

const loadCredentials = () => import('./credentials-tab.tsx');
const loadRuns = () => import('./runs-tab.tsx');
const laterTabs = [loadCredentials, loadRuns];
const CredentialsTab = lazy(() => loadCredentials().then((part) => ({ default: part.CredentialsTab })));
const RunsTab = lazy(() => loadRuns().then((part) => ({ default: part.RunsTab })));

const tabNames = ['sources', 'repositories', 'pdf-sets', 'projects', 'requests', 'runs', 'credentials'] as const;
type TabName = (typeof tabNames)[number];

const loading = <Loading label="Loading…">{null}</Loading>;

interface ResourcesScreenProps {
  /** Repositories of connected hosts; a separate feature, passed in by the route. */
  repositories: ReactNode;
  /** Uploaded files; also passed in by the route. */
  pdfSets: ReactNode;
  /** Libraries pinned by lockfiles; also passed in by the route. */
  projects: ReactNode;
  /** Agents' requests and the number of pending ones; also passed in by the route. */
  requests: { panel: ReactNode; waiting: number };
}

/** All sources that agents can search and read, and the ways to add more. */
export function ResourcesScreen({ repositories, pdfSets, projects, requests }: ResourcesScreenProps) {
  useLoadSoon(laterTabs);
  const [params, setParams] = useSearchParams();
  const team = useSelectedTeam();
  const panels: Partial<Record<TabName, { label: string; count?: number; panel: ReactNode }>> = {
    sources: { label: 'Sources', panel: <SourcesTab /> },
    repositories: { label: 'Repositories', panel: repositories },
    'pdf-sets': { label: 'PDF sets', panel: pdfSets },
    projects: { label: 'Projects', panel: projects },
    requests: { label: 'Requests', count: requests.waiting, panel: requests.panel },
    runs: { label: 'Job runs', panel: <RunsTab /> },
    // A team's readers may not list credentials.
    ...(team?.isWriter === false
      ? {}
      : { credentials: { label: 'Credentials', panel: team === undefined ? <RoleAwaited /> : <CredentialsTab /> } }),
  };
  const tabs = tabNames.flatMap((name) => {
    const tab = panels[name];
    if (tab === undefined) return [];
    return [{ name, ...tab, panel: <Suspense fallback={loading}>{tab.panel}</Suspense> }];
  });
  const shown = tabs.find(({ name }) => name === params.get('tab'))?.name ?? 'sources';
  const show = (name: TabName) =>
    setParams(name === 'sources' ? {} : { tab: name }, { replace: true, preventScrollReset: true });
  return (
    <div className="page flex flex-col gap-6 py-10">
      <div>
        <h1 className="heading-page">Resources</h1>
        <p className="mt-1 max-w-prose text-soft">The documentation your agents can search and read.</p>
      </div>
      <Tabs label="Resource sections" value={shown} onChange={show} tabs={tabs} panelClassName="pt-6" />
    </div>
  );
}
