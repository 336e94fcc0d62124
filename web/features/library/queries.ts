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

/** Fewer than the server would answer: they are read, not scrolled through. */
const logPageShown = 50;

export type StartJobInput = InputOf<typeof libraryEndpoints.startIndexJob>;

/** A change that answers a run: the list of runs shows it at once. `invalidates` is the beginning of the keys of queries that answer differently then. */
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
  // The same address is a known one from now on.
  return useRunChange(change, 'recognisedSource');
}

/** Starts a run that has ended once more, as it was started. */
export function useRetryJob() {
  return useRunChange((jobId: string, workspace) =>
    callApi(libraryEndpoints.retryJob, { jobId }, undefined, workspace),
  );
}

/** Puts a version in service that was held back. */
export function useAcceptJob() {
  const change = (jobId: string, workspace: string) =>
    callApi(probeEndpoints.acceptJob, { jobId }, undefined, workspace);
  return useRunChange(change, 'modules');
}

type NamedModule = Pick<LibraryModule, 'moduleId' | 'visibility'>;

/** The questions by which new versions of a module are judged. */
export function probesOptions(workspace: string, { moduleId, visibility }: NamedModule) {
  return queryOptions({
    queryKey: ['probes', workspace, visibility, moduleId],
    queryFn: async ({ signal }) =>
      (await callApi(probeEndpoints.listProbes, { moduleId, visibility }, signal, workspace)).probes,
  });
}

/** Replaces the questions that people gave. */
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

/** Reads a module again from where it came from, or only the pages that its last run failed to read. */
export function useRefreshModule() {
  return useRunChange(({ moduleId, visibility, onlyFailed }: NamedModule & { onlyFailed?: boolean }, workspace) =>
    callApi(libraryEndpoints.refreshModule, { moduleId, visibility, onlyFailed }, undefined, workspace),
  );
}

/** What only the workspace one acts in finds. */
export function privateIndexOptions(workspace: string) {
  return queryOptions({
    queryKey: ['privateIndex', workspace],
    queryFn: async ({ signal }) => (await callApi(libraryEndpoints.getPrivateIndex, {}, signal, workspace)).index,
  });
}

/** How often what is known of repositories is read again while it is looked at: the server looks every five minutes. */
const repositoriesEveryMs = 60_000;

/** What is known of the repositories behind sources. */
export function repositoriesOptions(workspace: string) {
  return queryOptions({
    queryKey: ['repositories', workspace],
    queryFn: async ({ signal }) =>
      (await callApi(repositoryEndpoints.listRepositories, {}, signal, workspace)).repositories,
    refetchInterval: repositoriesEveryMs,
  });
}

/** What a run left out for one reason, page by page. */
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
    // A job that ended meanwhile is no longer as this page shows it.
    onError: () => client.invalidateQueries({ queryKey: jobsOptions(workspace).queryKey }),
  });
}

/** What a run left out whose address has these words. */
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
