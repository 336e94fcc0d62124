export { checkRepositories } from './check-repositories.ts';
export { createRepositoryCollector } from './collect-repository.ts';
export { logDelivery } from './delivery-log.ts';
export type { RepositoryDependencies } from './dependencies.ts';
export { gitCredentialOf } from './find-place.ts';
export { forgetHostKey } from './forget-host-key.ts';
export { listRepositories } from './list-repositories.ts';
export type { Repositories } from './open-repositories.ts';
export { pushedTopic, receivePush, repositoryPushed } from './receive-push.ts';
export {
  getRepositoryWebhook,
  removeRepositoryWebhook,
  renewRepositoryWebhook,
  repositoryWebhookPath,
} from './repository-webhook.ts';
