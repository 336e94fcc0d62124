export { logDelivery } from './delivery-log.ts';
export type { Repositories } from './open-repositories.ts';
export { repositoryPushed } from './receive-push.ts';
export { repositoryWebhookPath } from './repository-webhook.ts';
