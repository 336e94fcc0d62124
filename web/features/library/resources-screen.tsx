import { useQuery } from '@tanstack/react-query';
import { BookOpenText } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { JobRun, LibraryModule } from '#contract/library.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { commands } from '../../lib/commands.ts';
import { jobsOptions, modulesOptions } from '../../lib/library-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { countOf } from '../../ui/quantities.ts';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useToast } from '../../ui/toast.tsx';
import { AddSource } from './add-source.tsx';
import { JobList } from './job-list.tsx';
import { again, isRunning } from './job-state.ts';
import { ModuleTable } from './module-table.tsx';
import { useStartIndexJob } from './queries.ts';
import { RemoveModuleDialog } from './remove-module-dialog.tsx';
import { useMayWrite } from './use-may-write.ts';

const tabNames = ['sources', 'repositories', 'pdf-sets', 'runs'] as const;
type TabName = (typeof tabNames)[number];

interface ResourcesScreenProps {
  /** Repositories of connected hosts; a feature of its own, put here by the route. */
  repositories?: ReactNode;
  /** Uploaded files; likewise. */
  pdfSets?: ReactNode;
}

/** Everything agents can search and read here, and where more of it comes from. */
export function ResourcesScreen({ repositories, pdfSets }: ResourcesScreenProps) {
  const [params, setParams] = useSearchParams();
  const panels: Partial<Record<TabName, { label: string; panel: ReactNode }>> = {
    sources: { label: 'Sources', panel: <SourcesTab /> },
    ...(repositories === undefined ? {} : { repositories: { label: 'Repositories', panel: repositories } }),
    ...(pdfSets === undefined ? {} : { 'pdf-sets': { label: 'PDF sets', panel: pdfSets } }),
    runs: { label: 'Job runs', panel: <JobList isWhole /> },
  };
  const tabs = tabNames.flatMap((name) => {
    const tab = panels[name];
    return tab === undefined ? [] : [{ name, ...tab }];
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
      <Tabs label="Parts of your resources" value={shown} onChange={show} tabs={tabs} panelClassName="pt-6" />
    </div>
  );
}

function SourcesTab() {
  const toast = useToast();
  const areRunsFirst = useRunsFirst();
  const mayWrite = useMayWrite();
  const tellStarted = ({ displayName }: JobRun) => toast({ message: `Indexing ${displayName}` });
  return (
    <div className="flex flex-col gap-7">
      {mayWrite ? <AddSource onStarted={tellStarted} /> : <ReadersNotice />}
      {areRunsFirst && <JobList />}
      <Modules onStarted={tellStarted} />
      {!areRunsFirst && <JobList />}
    </div>
  );
}

/** Runs stand above the modules once one is under way, and stay there: nothing on the page jumps when it ends. */
function useRunsFirst(): boolean {
  const jobs = useQuery(jobsOptions(useWorkspaceId())).data;
  const hasRunning = jobs?.some(isRunning) ?? false;
  const [hasHadRunning, setHasHadRunning] = useState(hasRunning);
  if (hasRunning && !hasHadRunning) setHasHadRunning(true);
  return hasHadRunning;
}

function Modules({ onStarted }: { onStarted: (job: JobRun) => void }) {
  const modules = useQuery(modulesOptions(useWorkspaceId()));
  const jobs = useQuery(jobsOptions(useWorkspaceId()));
  const start = useStartIndexJob();
  const toast = useToast();
  const [removing, setRemoving] = useState<LibraryModule>();
  const mayWrite = useMayWrite();

  if (modules.data?.length === 0) {
    // The run under way says enough; "nothing here" beside it would only confuse.
    return jobs.data?.some(isRunning) ? null : <NoModules mayWrite={mayWrite} />;
  }
  if (modules.data) {
    const pages = modules.data.reduce((sum, { pageCount }) => sum + pageCount, 0);
    return (
      <section aria-labelledby="modules">
        <h2 id="modules" className="heading-part mb-2.5 flex items-baseline gap-2">
          Modules
          <span className="tabular font-normal text-faint text-sm">
            {countOf(modules.data.length, 'module')}, {countOf(pages, 'page')}
          </span>
        </h2>
        <ModuleTable
          modules={modules.data}
          mayWrite={mayWrite}
          onRemove={setRemoving}
          onRefresh={(module) =>
            start.mutate(again(module), {
              onSuccess: ({ job }) => onStarted(job),
              onError: (error) => toast({ message: sentenceForPeople(error), tone: 'bad', durationMs: 5_000 }),
            })
          }
        />
        <RemoveModuleDialog module={removing} onClose={() => setRemoving(undefined)} />
      </section>
    );
  }
  if (modules.isError) {
    return (
      <Notice
        tone="bad"
        title="Modules could not be loaded"
        action={
          <Button isBusy={modules.isFetching} onClick={() => void modules.refetch()}>
            Try again
          </Button>
        }
      >
        {sentenceForPeople(modules.error)}
      </Notice>
    );
  }
  return <ModulesLoading />;
}

/** Told instead of offering what only admins and writers do. */
function ReadersNotice() {
  return (
    <Notice tone="info">
      You are a reader in this team: you search what it indexes. Its admins and writers add and remove sources.
    </Notice>
  );
}

function NoModules({ mayWrite }: { mayWrite: boolean }) {
  if (!mayWrite) {
    return (
      <EmptyState icon={<BookOpenText aria-hidden className="size-5" />} title="Nothing is indexed yet">
        What the admins and writers of this team index stands here, ready to search.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<BookOpenText aria-hidden className="size-5" />}
      title="Nothing is indexed yet"
      action={
        <>
          <Button
            look="action"
            onClick={() => document.querySelector<HTMLInputElement>('input[name="source"]')?.focus()}
          >
            Add your first source
          </Button>
          <span className="text-faint text-sm">or from a terminal</span>
          <CodeBlock
            code={commands.index}
            isCommand
            label="Command that indexes a site"
            className="w-full max-w-md text-left"
          />
        </>
      }
    >
      Paste the address of a documentation site above. Its pages are read, split into passages and ready to search
      within minutes.
    </EmptyState>
  );
}

function ModulesLoading() {
  return (
    <Loading label="Loading modules…" className="overflow-hidden rounded-lg border border-line bg-surface">
      <div className="h-9 border-line border-b bg-sunken" />
      {[0, 1, 2, 3].map((row) => (
        <div key={row} className="flex h-15 items-center gap-8 border-line border-b px-4 last:border-b-0">
          <span className="flex flex-1 flex-col gap-1.5">
            <Skeleton className="h-4 w-44" />
            <Skeleton className="h-3 w-28" />
          </span>
          <Skeleton className="h-4 w-12 max-md:hidden" />
          <Skeleton className="h-4 w-14 max-md:hidden" />
          <Skeleton className="h-4 w-12" />
        </div>
      ))}
    </Loading>
  );
}
