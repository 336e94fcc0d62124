import { queryOptions } from '@tanstack/react-query';
import { libraryEndpoints } from '#contract/library.ts';
import { callApi } from './api-client.ts';

export const modulesOptions = queryOptions({
  queryKey: ['modules'],
  queryFn: async ({ signal }) => (await callApi(libraryEndpoints.listModules, {}, signal)).modules,
});

export const jobsOptions = queryOptions({
  queryKey: ['jobRuns'],
  queryFn: async ({ signal }) => (await callApi(libraryEndpoints.listJobs, {}, signal)).jobs,
});
