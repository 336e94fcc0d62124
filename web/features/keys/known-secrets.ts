import { queryOptions, skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keyEndpoints } from '#contract/keys.ts';
import { callApi } from '../../lib/api-client.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import type { NewKey } from './create-key-form.tsx';

// Stored in the query cache, which a sign-out clears; unused entries expire after five minutes.
const secretKey = (keyId: string) => ['apiKeySecret', keyId] as const;
const chosenKey = (workspace: string) => ['chosenApiKey', workspace] as const;
const staleTime = Number.POSITIVE_INFINITY;

/** Returns the full key, once it was revealed or created on this page. */
export function useSecret(keyId: string | undefined): string | undefined {
  return useQuery<string | null>({ queryKey: secretKey(keyId ?? ''), queryFn: skipToken, staleTime }).data ?? undefined;
}

/** Returns the id of the key that setup panels are filled in with. */
export function useChosenKeyId(): string | undefined {
  return useQuery<string>({ queryKey: chosenKey(useWorkspaceId()), queryFn: skipToken, staleTime }).data;
}

export function useKnownSecrets() {
  const client = useQueryClient();
  const workspace = useWorkspaceId();
  return {
    choose: (keyId: string) => client.setQueryData(chosenKey(workspace), keyId),
    remember: (keyId: string, secret: string) => client.setQueryData(secretKey(keyId), secret),
    /** Hides a key: it must be revealed again. */
    // Overwritten instead of removed, so that components showing it are notified.
    forget: (keyId: string) => client.setQueryData(secretKey(keyId), null),
  };
}

/** Returns a function that reads the full key without showing it. */
export function useSecretReader(): (keyId: string) => Promise<string> {
  const workspace = useWorkspaceId();
  return async (keyId) => (await callApi(keyEndpoints.revealKey, { keyId }, undefined, workspace)).secret;
}

/** Reveals a key and selects it for the setup panels. */
export function useRevealKey() {
  const { choose, remember } = useKnownSecrets();
  return useMutation({
    mutationFn: useSecretReader(),
    // Keeps the secret in one place, not in the mutation too.
    gcTime: 0,
    onSuccess: (secret, keyId) => {
      remember(keyId, secret);
      choose(keyId);
    },
  });
}

export function keysOptions(workspace: string) {
  return queryOptions({
    queryKey: ['apiKeys', workspace],
    queryFn: async ({ signal }) => (await callApi(keyEndpoints.listKeys, {}, signal, workspace)).keys,
  });
}

/** Creates a key and selects it for the setup panels; its secret is in the response and in the page's cache. */
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
