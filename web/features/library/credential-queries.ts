import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { sourceCredentialEndpoints } from '#contract/source-credentials.ts';
import { callApi } from '../../lib/api-client.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import type { NewCredential } from './credential-form.ts';

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
