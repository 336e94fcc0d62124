import { repositoryEndpoints } from '#contract/repositories.ts';
import { tellsPushes } from '#server/features/hosting/index.ts';
import {
  forgetHostKey,
  getRepositoryWebhook,
  listRepositories,
  removeRepositoryWebhook,
  renewRepositoryWebhook,
  type WebhookDependencies,
} from '#server/features/repositories/index.ts';
import { type Call, call } from './call-table.ts';

/** What is known of repositories and their hosts. */
export function repositoryCalls(wired: Omit<WebhookDependencies, 'toldByHost'>): Call[] {
  const deps = { ...wired, toldByHost: tellsPushes };
  return [
    call(repositoryEndpoints.listRepositories, async (ctx) => ({ repositories: await listRepositories(ctx) })),
    call(repositoryEndpoints.getRepositoryWebhook, (ctx, input) => getRepositoryWebhook(ctx, input, deps)),
    call(repositoryEndpoints.renewRepositoryWebhook, (ctx, input) => renewRepositoryWebhook(ctx, input, deps)),
    call(repositoryEndpoints.removeRepositoryWebhook, (ctx, input) => removeRepositoryWebhook(ctx, input)),
    call(repositoryEndpoints.forgetHostKey, (ctx, input) => forgetHostKey(ctx, input)),
  ];
}
