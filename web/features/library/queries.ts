import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { InputOf } from '#contract/endpoint.ts';
import { type LibraryModule, libraryEndpoints } from '#contract/library.ts';
import { callApi } from '../../lib/api-client.ts';
import { jobsOptions, modulesOptions } from '../../lib/library-queries.ts';
import { withJob } from '../../lib/live/apply-live-event.ts';

export type StartJobInput = InputOf<typeof libraryEndpoints.startIndexJob>;

export function useStartIndexJob() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: StartJobInput) => callApi(libraryEndpoints.startIndexJob, input),
    onSuccess: ({ job }) => client.setQueryData(jobsOptions.queryKey, (jobs) => withJob(jobs ?? [], job)),
  });
}

export function useCancelJob() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (jobId: string) => callApi(libraryEndpoints.cancelJob, { jobId }),
    onSuccess: ({ job }) => client.setQueryData(jobsOptions.queryKey, (jobs) => withJob(jobs ?? [], job)),
    // A job that ended meanwhile is no longer as this page shows it.
    onError: () => client.invalidateQueries({ queryKey: jobsOptions.queryKey }),
  });
}

export function useRemoveModule() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ moduleId, visibility }: LibraryModule) =>
      callApi(libraryEndpoints.removeModule, { moduleId, visibility }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['search'] });
      return client.invalidateQueries({ queryKey: modulesOptions.queryKey });
    },
  });
}
