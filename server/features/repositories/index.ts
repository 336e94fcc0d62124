export { checkRepositories } from './check-repositories.ts';
export { createRepositoryCollector } from './collect-repository.ts';
export { logDelivery } from './delivery-log.ts';
export type { RepositoryDependencies } from './dependencies.ts';
export { forgetHostKey } from './forget-host-key.ts';
export { gitCredentialOf } from './git-credential.ts';
export { createKnownHosts } from './known-hosts.ts';
export { listRepositories } from './list-repositories.ts';
export { receivePush } from './receive-push.ts';
export { pushedTopic, repositoryPushed } from './repository-pushed.ts';
export {
  getRepositoryWebhook,
  removeRepositoryWebhook,
  renewRepositoryWebhook,
  type WebhookDependencies,
} from './repository-webhook.ts';
export { repositoryWebhookPath } from './webhook-secret.ts';
