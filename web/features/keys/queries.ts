import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ApiKey, keyEndpoints } from '#contract/keys.ts';
import { callApi } from '../../lib/api-client.ts';
import { useKnownSecrets } from './known-secrets.ts';

export const keysOptions = queryOptions({
  queryKey: ['apiKeys'],
  queryFn: async ({ signal }) => (await callApi(keyEndpoints.listKeys, {}, signal)).keys,
});

/** Creates a key and chooses it for the set-up panels; its secret is in the answer and in what this page knows. */
export function useCreateKey() {
  const client = useQueryClient();
  const { choose, remember } = useKnownSecrets();
  return useMutation({
    mutationFn: (name: string) => callApi(keyEndpoints.createKey, { name }),
    // The secret must not stay in the cache after the panel is closed.
    gcTime: 0,
    onSuccess: ({ key, secret }) => {
      remember(key.id, secret);
      choose(key.id);
      client.setQueryData(keysOptions.queryKey, (keys) => keys && [key, ...keys]);
      return client.invalidateQueries({ queryKey: keysOptions.queryKey });
    },
  });
}

export function useRevokeKey() {
  const client = useQueryClient();
  const { forget } = useKnownSecrets();
  return useMutation({
    mutationFn: (keyId: string) => callApi(keyEndpoints.revokeKey, { keyId }),
    onSuccess: ({ key }) => {
      forget(key.id);
      client.setQueryData(keysOptions.queryKey, (keys: ApiKey[] | undefined) =>
        keys?.map((known) => (known.id === key.id ? key : known)),
      );
    },
  });
}
