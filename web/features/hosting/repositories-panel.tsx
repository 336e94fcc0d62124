import { useQuery } from '@tanstack/react-query';
import { FolderGit2, GitBranch } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { errorTable } from '#contract/errors.ts';
import type { HostedRepository, HostingConnection, HostingMethod } from '#contract/hosting.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { useMayWrite } from '../../lib/team-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PartHeading } from '../../ui/part-heading.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { AddRepository } from './add-repository.tsx';
import { ConnectButtons, ConnectionCard } from './connection-card.tsx';
import { hostingOptions } from './queries.ts';
import { RepositoryList } from './repository-list.tsx';

/** Repositories of the connected GitHub account: connect it, add repositories, and see their state. */
export function RepositoriesPanel() {
  const workspace = useWorkspaceId();
  const hosting = useQuery(hostingOptions(workspace));
  return (
    <div className="flex flex-col gap-6">
      <ConnectOutcome />
      {hosting.data ? (
        <Repositories workspace={workspace} {...hosting.data} />
      ) : hosting.isError ? (
        <RetryNotice query={hosting} title="Couldn't load your repositories" isSmall />
      ) : (
        <RepositoriesSkeleton />
      )}
    </div>
  );
}

interface RepositoriesProps {
  workspace: string;
  methods: HostingMethod[];
  connection: HostingConnection | null;
  repositories: HostedRepository[];
}

function Repositories({ workspace, methods, connection, repositories }: RepositoriesProps) {
  const [isAdding, setAdding] = useState(false);
  const mayWrite = useMayWrite();
  const isConnected = connection?.state === 'connected';
  const mayAdd = isConnected && mayWrite;
  return (
    <>
      {connection !== null && <ConnectionCard connection={connection} repositories={repositories} methods={methods} />}
      {isAdding && mayAdd && (
        <AddRepository workspace={workspace} method={connection.method} onClose={() => setAdding(false)} />
      )}
      {repositories.length > 0 && (
        <section aria-labelledby="hosted-repositories" className="flex flex-col gap-3">
          <div className="flex min-h-9 flex-wrap items-center justify-between gap-3">
            <PartHeading id="hosted-repositories">Repositories</PartHeading>
            {mayAdd && !isAdding && (
              <Button look="action" onClick={() => setAdding(true)}>
                Add a repository
              </Button>
            )}
          </div>
          <RepositoryList workspace={workspace} repositories={repositories} mayWrite={mayWrite} mayResume={mayAdd} />
        </section>
      )}
      {methods.length === 0 && connection === null && <NotConfigured mayWrite={mayWrite} />}
      {methods.length > 0 && connection === null && <NotConnected methods={methods} />}
      {isConnected && repositories.length === 0 && !isAdding && (
        <EmptyState
          icon={<GitBranch aria-hidden className="size-5" />}
          title="No repositories yet"
          action={
            mayWrite && (
              <Button look="action" onClick={() => setAdding(true)}>
                Add a repository
              </Button>
            )
          }
        >
          {mayWrite
            ? 'Choose one to index its documentation now and after each push.'
            : 'Writers and admins can add repositories.'}
        </EmptyState>
      )}
    </>
  );
}

function NotConfigured({ mayWrite }: { mayWrite: boolean }) {
  return (
    <EmptyState
      icon={<FolderGit2 aria-hidden className="size-5" />}
      title={errorTable['github-not-configured'].sentence}
    >
      The operator can configure it with an OAuth application or a GitHub App.
      {mayWrite && ' Meanwhile you can add public repositories by their address.'}
    </EmptyState>
  );
}

function NotConnected({ methods }: { methods: HostingMethod[] }) {
  return (
    <EmptyState
      icon={<FolderGit2 aria-hidden className="size-5" />}
      title="Connect GitHub"
      action={<ConnectButtons methods={methods} />}
    >
      Index the documentation in your repositories, including private ones. It is updated after each push. Only you can
      use the connection, and you can disconnect at any time.
    </EmptyState>
  );
}

/** Result of the redirect through GitHub; it stays in the address until dismissed. */
function ConnectOutcome() {
  const [params, setParams] = useSearchParams();
  const outcome = params.get('github');
  if (outcome === null || outcome === 'connected') return null;
  const known = Object.hasOwn(errorTable, outcome) ? errorTable[outcome as keyof typeof errorTable] : undefined;
  const dismiss = () => {
    const rest = new URLSearchParams(params);
    rest.delete('github');
    setParams(rest, { replace: true, preventScrollReset: true });
  };
  return (
    <Notice
      tone="bad"
      title="GitHub was not connected"
      action={
        <Button size="sm" onClick={dismiss}>
          Dismiss
        </Button>
      }
    >
      {known?.sentence ?? 'Something went wrong. Try again.'}
    </Notice>
  );
}

function RepositoriesSkeleton() {
  return (
    <Loading label="Loading repositories…" className="flex flex-col gap-6">
      <div className="flex items-center gap-4 rounded-xl border border-line p-4">
        <Skeleton className="size-9 rounded-full" />
        <Skeleton className="h-4 w-48" />
        <Skeleton className="ml-auto h-7 w-24" />
      </div>
      <div className="flex flex-col gap-4 rounded-xl border border-line p-4">
        <Skeleton className="h-4 w-56" />
        <Skeleton className="h-3 w-80 max-w-full" />
        <Skeleton className="h-4 w-44" />
        <Skeleton className="h-3 w-72 max-w-full" />
      </div>
    </Loading>
  );
}
