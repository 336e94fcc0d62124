import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query';
import { hostingEndpoints, hostingPagePath } from '#contract/hosting.ts';
import { callApi } from '../../lib/api-client.ts';

export function hostingOptions(workspace: string) {
  return queryOptions({
    queryKey: ['hosting', workspace],
    queryFn: ({ signal }) => callApi(hostingEndpoints.getHosting, {}, signal, workspace),
  });
}

/**
 * The repositories that the connected account can read, page by page. They depend on the account, and are not refreshed
 * by changes in this product.
 */
export function availableOptions(workspace: string, query: string) {
  return infiniteQueryOptions({
    queryKey: ['hosting', workspace, 'available', query],
    queryFn: ({ signal, pageParam: page }) =>
      callApi(hostingEndpoints.listRepositories, { page, ...(query === '' ? {} : { query }) }, signal, workspace),
    initialPageParam: 1,
    getNextPageParam: (last) => last.nextPage,
    retry: false,
  });
}

export function branchesOptions(workspace: string, repository: string, query: string) {
  return queryOptions({
    queryKey: ['hosting', workspace, 'branches', repository, query],
    queryFn: ({ signal }) =>
      callApi(hostingEndpoints.listBranches, { repository, ...(query === '' ? {} : { query }) }, signal, workspace),
    retry: false,
  });
}

export const installationsOptions = queryOptions({
  queryKey: ['hosting-installations'],
  queryFn: ({ signal }) => callApi(hostingEndpoints.listInstallations, {}, signal),
  retry: false,
});

/** Opens GitHub's page; the browser returns to the repositories. */
export function useConnect() {
  return useMutation({
    mutationFn: async (method: 'oauth' | 'app' | undefined) => {
      const { url } = await callApi(hostingEndpoints.connectGithub, { method, cont: hostingPagePath });
      window.location.assign(url);
    },
  });
}
