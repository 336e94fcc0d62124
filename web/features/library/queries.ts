import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { InputOf } from '#contract/endpoint.ts';
import { type JobRun, type LibraryModule, libraryEndpoints } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';
import { type GivenProbe, probeEndpoints } from '#contract/probes.ts';
import { repositoryEndpoints } from '#contract/repositories.ts';
import { sourceCredentialEndpoints } from '#contract/source-credentials.ts';
import { callApi } from '../../lib/api-client.ts';
import { jobsOptions } from '../../lib/library-queries.ts';
import { withJob } from '../../lib/live/apply-live-event.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import type { NewCredential } from './credential-form.ts';

/** Fewer than the server allows: users read these entries instead of scrolling through them. */
const logPageShown = 50;

export type StartJobInput = InputOf<typeof libraryEndpoints.startIndexJob>;

/**
 * A change that returns a run, which is added to the list of runs immediately. `invalidates` is the key prefix of the
 * queries to invalidate.
 */
function useRunChange<Input>(
  change: (input: Input, workspace: string) => Promise<{ job: JobRun }>,
  invalidates?: string,
) {
  const client = useQueryClient();
  const workspace = useWorkspaceId();
  return useMutation({
    mutationFn: (input: Input) => change(input, workspace),
    onSuccess: ({ job }) => {
      client.setQueryData(jobsOptions(workspace).queryKey, (jobs) => withJob(jobs ?? [], job));
      if (invalidates !== undefined) void client.invalidateQueries({ queryKey: [invalidates] });
    },
  });
}

export function useStartIndexJob() {
  const change = (input: StartJobInput, workspace: string) =>
    callApi(libraryEndpoints.startIndexJob, input, undefined, workspace);
  // The same address now belongs to a known source.
  return useRunChange(change, 'recognisedSource');
}

/** Repeats a run that has ended, with the same settings. */
export function useRetryJob() {
  return useRunChange((jobId: string, workspace) =>
    callApi(libraryEndpoints.retryJob, { jobId }, undefined, workspace),
  );
}

/** Starts serving a held version. */
export function useAcceptJob() {
  const change = (jobId: string, workspace: string) =>
    callApi(probeEndpoints.acceptJob, { jobId }, undefined, workspace);
  return useRunChange(change, 'modules');
}

type NamedModule = Pick<LibraryModule, 'moduleId' | 'visibility'>;

/** The questions that new versions of a module are evaluated with. */
export function probesOptions(workspace: string, { moduleId, visibility }: NamedModule) {
  return queryOptions({
    queryKey: ['probes', workspace, visibility, moduleId],
    queryFn: async ({ signal }) =>
      (await callApi(probeEndpoints.listProbes, { moduleId, visibility }, signal, workspace)).probes,
  });
}

/** Replaces the questions that users added. */
export function useSetProbes(module: NamedModule) {
  const client = useQueryClient();
  const workspace = useWorkspaceId();
  const { moduleId, visibility } = module;
  return useMutation({
    mutationFn: (probes: GivenProbe[]) =>
      callApi(probeEndpoints.setProbes, { moduleId, visibility, probes }, undefined, workspace),
    onSuccess: ({ probes }) => client.setQueryData(probesOptions(workspace, module).queryKey, probes),
  });
}

/** Refreshes a module, or reloads only the pages that its last run failed to read. */
export function useRefreshModule() {
  return useRunChange(({ moduleId, visibility, onlyFailed }: NamedModule & { onlyFailed?: boolean }, workspace) =>
    callApi(libraryEndpoints.refreshModule, { moduleId, visibility, onlyFailed }, undefined, workspace),
  );
}

/** The current workspace's private index. */
export function privateIndexOptions(workspace: string) {
  return queryOptions({
    queryKey: ['privateIndex', workspace],
    queryFn: async ({ signal }) => (await callApi(libraryEndpoints.getPrivateIndex, {}, signal, workspace)).index,
  });
}

/** Refresh interval of repository states on the screen: the server checks repositories every five minutes. */
const repositoriesEveryMs = 60_000;

/** The states of the sources' repositories. */
export function repositoriesOptions(workspace: string) {
  return queryOptions({
    queryKey: ['repositories', workspace],
    queryFn: async ({ signal }) =>
      (await callApi(repositoryEndpoints.listRepositories, {}, signal, workspace)).repositories,
    refetchInterval: repositoriesEveryMs,
  });
}

/** Addresses that a run left out for a reason, page by page. */
export function jobLogOptions(workspace: string, jobId: string, reason: string) {
  return infiniteQueryOptions({
    queryKey: ['jobLog', workspace, jobId, reason],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        libraryEndpoints.getJobLog,
        { jobId, reason, limit: logPageShown, ...(pageParam === null ? {} : { after: pageParam }) },
        signal,
        workspace,
      ),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  });
}

export function useCancelJob() {
  const client = useQueryClient();
  const workspace = useWorkspaceId();
  return useMutation({
    mutationFn: (jobId: string) => callApi(libraryEndpoints.cancelJob, { jobId }, undefined, workspace),
    onSuccess: ({ job }) => client.setQueryData(jobsOptions(workspace).queryKey, (jobs) => withJob(jobs ?? [], job)),
    // A job that ended meanwhile has changed its state.
    onError: () => client.invalidateQueries({ queryKey: jobsOptions(workspace).queryKey }),
  });
}

/** Addresses that a run left out and that contain the words. */
export function leftOutOptions(workspace: string, jobId: string, words: string) {
  return infiniteQueryOptions({
    queryKey: ['jobLog', workspace, jobId, 'words', words],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        libraryEndpoints.getJobLog,
        {
          ...{ jobId, limit: limits.modulePagesListed },
          ...(words === '' ? {} : { words }),
          ...(pageParam === null ? {} : { after: pageParam }),
        },
        signal,
        workspace,
      ),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
}

export function credentialsOptions(workspace: string) {
  return queryOptions({
    queryKey: ['sourceCredentials', workspace],
    queryFn: async ({ signal }) =>
      (await callApi(sourceCredentialEndpoints.listSourceCredentials, {}, signal, workspace)).credentials,
  });
}

export function useCreateCredential() {
  const client = useQueryClient();
  const workspace = useWorkspaceId();
  return useMutation({
    mutationFn: (input: NewCredential) =>
      callApi(sourceCredentialEndpoints.createSourceCredential, input, undefined, workspace),
    onSuccess: ({ credential }) =>
      client.setQueryData(credentialsOptions(workspace).queryKey, (known) => [
        ...(known ?? []).filter(({ id }) => id !== credential.id),
        credential,
      ]),
  });
}
