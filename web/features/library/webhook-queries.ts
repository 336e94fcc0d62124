import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { LibraryModule } from '#contract/library.ts';
import { repositoryEndpoints } from '#contract/repositories.ts';
import { callApi } from '../../lib/api-client.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';

type NamedModule = Pick<LibraryModule, 'moduleId' | 'visibility'>;

/** Someone who sets a webhook up waits in front of the screen for what they have the host send. */
const withWebhookEveryMs = 3_000;
const everyMs = 20_000;

/** A repository's webhook and its last deliveries. */
export function tellingOptions(workspace: string, { moduleId, visibility }: NamedModule) {
  return queryOptions({
    queryKey: ['repositoryTelling', workspace, visibility, moduleId],
    queryFn: ({ signal }) =>
      callApi(repositoryEndpoints.getRepositoryWebhook, { moduleId, visibility }, signal, workspace),
    refetchInterval: ({ state: { data } }) => (data?.webhook ? withWebhookEveryMs : everyMs),
  });
}

/** Makes a webhook, or a new secret for it. */
export function useRenewWebhook(module: NamedModule) {
  const client = useQueryClient();
  const workspace = useWorkspaceId();
  const { moduleId, visibility } = module;
  return useMutation({
    mutationFn: () =>
      callApi(repositoryEndpoints.renewRepositoryWebhook, { moduleId, visibility }, undefined, workspace),
    onSuccess: () => client.invalidateQueries({ queryKey: tellingOptions(workspace, module).queryKey }),
  });
}
