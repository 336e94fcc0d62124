import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { InputOf } from '#contract/endpoint.ts';
import { type LibraryModule, libraryEndpoints } from '#contract/library.ts';
import { callApi } from '../../lib/api-client.ts';
import { jobsOptions, modulesOptions } from '../../lib/library-queries.ts';
import { withJob } from '../../lib/live/apply-live-event.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';

export type StartJobInput = InputOf<typeof libraryEndpoints.startIndexJob>;

export function useStartIndexJob() {
  const client = useQueryClient();
  const workspace = useWorkspaceId();
  return useMutation({
    mutationFn: (input: StartJobInput) => callApi(libraryEndpoints.startIndexJob, input, undefined, workspace),
    onSuccess: ({ job }) => client.setQueryData(jobsOptions(workspace).queryKey, (jobs) => withJob(jobs ?? [], job)),
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

export function useRemoveModule() {
  const client = useQueryClient();
  const workspace = useWorkspaceId();
  return useMutation({
    mutationFn: ({ moduleId, visibility }: LibraryModule) =>
      callApi(libraryEndpoints.removeModule, { moduleId, visibility }, undefined, workspace),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['search'] });
      return client.invalidateQueries({ queryKey: modulesOptions(workspace).queryKey });
    },
  });
}
