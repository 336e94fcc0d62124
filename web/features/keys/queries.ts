import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { keyEndpoints } from '#contract/keys.ts';
import { callApi } from '../../lib/api-client.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import type { NewKey } from './create-key-form.tsx';
import { useKnownSecrets } from './known-secrets.ts';

export function keysOptions(workspace: string) {
  return queryOptions({
    queryKey: ['apiKeys', workspace],
    queryFn: async ({ signal }) => (await callApi(keyEndpoints.listKeys, {}, signal, workspace)).keys,
  });
}

/** Creates a key and chooses it for the set-up panels; its secret is in the answer and in what this page knows. */
export function useCreateKey() {
  const client = useQueryClient();
  const workspace = useWorkspaceId();
  const { choose, remember } = useKnownSecrets();
  return useMutation({
    mutationFn: (key: NewKey) => callApi(keyEndpoints.createKey, key, undefined, workspace),
    // The secret must not stay in the cache after the panel is closed.
    gcTime: 0,
    onSuccess: ({ key, secret }) => {
      remember(key.id, secret);
      choose(key.id);
      client.setQueryData(keysOptions(workspace).queryKey, (keys) => keys && [key, ...keys]);
      void client.invalidateQueries({ queryKey: keysOptions(workspace).queryKey });
    },
  });
}
