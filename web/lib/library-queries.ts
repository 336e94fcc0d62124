import { queryOptions } from '@tanstack/react-query';
import { libraryEndpoints } from '#contract/library.ts';
import { callApi } from './api-client.ts';

export function modulesOptions(workspace: string) {
  return queryOptions({
    queryKey: ['modules', workspace],
    queryFn: async ({ signal }) => (await callApi(libraryEndpoints.listModules, {}, signal, workspace)).modules,
  });
}

export function jobsOptions(workspace: string) {
  return queryOptions({
    queryKey: ['jobRuns', workspace],
    queryFn: async ({ signal }) =>
      (await callApi(libraryEndpoints.listJobs, { withCurrent: true }, signal, workspace)).jobs,
  });
}
