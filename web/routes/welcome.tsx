import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { keyEndpoints } from '#contract/keys.ts';
import { ChooseSource } from '../features/library/choose-source.tsx';
import { PendingInvites } from '../features/teams/invite-entry.tsx';
import { WelcomeScreen } from '../features/welcome/welcome-screen.tsx';
import { endpointOptions } from '../kit/endpoint-query.ts';
import { RetryNotice } from '../kit/retry-notice.tsx';
import { readFirstView } from '../lib/first-view.ts';
import { jobsOptions, modulesOptions } from '../lib/library-queries.ts';
import { PageTitle } from '../lib/page-title.tsx';
import { useWorkspaceId } from '../lib/workspace.ts';
import { Loading, Skeleton } from '../ui/skeleton.tsx';

// The first step loads with the screen, this one when it is shown.
const ConnectAgent = lazy(() =>
  import('../features/keys/install/connect-agent.tsx').then((part) => ({ default: part.ConnectAgent })),
);

const keysOptions = (workspace: string) => endpointOptions(keyEndpoints.listKeys, {}, workspace);

export const clientLoader = () =>
  readFirstView((workspace) => [modulesOptions, keysOptions, jobsOptions].map((optionsOf) => optionsOf(workspace)));
export const shouldRevalidate = () => false;

/** Composes the setup from the features that own its steps. */
export default function Welcome() {
  const workspace = useWorkspaceId();
  const modules = useQuery(modulesOptions(workspace));
  const keys = useQuery(keysOptions(workspace));
  const failed = [modules, keys].find(({ isError, data }) => isError && data === undefined);
  return (
    <>
      <PageTitle page="Welcome" />
      <PendingInvites />
      {modules.data && keys.data ? (
        <WelcomeScreen
          source={<ChooseSource />}
          agent={
            <Suspense
              fallback={
                <Loading label="Loading…">
                  <Skeleton className="h-64 w-full" />
                </Loading>
              }
            >
              <ConnectAgent />
            </Suspense>
          }
          done={{
            hasSource: modules.data.length > 0,
            // Public sources existed before.
            hasOwnSource: modules.data.some(({ visibility }) => visibility === 'private'),
            hasKey: keys.data.keys.some(({ isActive }) => isActive),
          }}
        />
      ) : failed ? (
        <div className="page flex flex-col gap-7 py-8 sm:py-10">
          <h1 className="heading-page">Welcome</h1>
          <RetryNotice
            query={{ ...failed, refetch: () => Promise.all([modules.refetch(), keys.refetch()]) }}
            title="Couldn't load the setup"
          />
        </div>
      ) : (
        <div className="page py-10">
          <h1 className="sr-only">Welcome</h1>
          <Loading label="Loading…" className="flex flex-col gap-4">
            <Skeleton className="h-9 w-64" />
            <Skeleton className="h-12 w-full" />
            <Skeleton className="h-64 w-full" />
          </Loading>
        </div>
      )}
    </>
  );
}
