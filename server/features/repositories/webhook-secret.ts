import { createHmac } from 'node:crypto';

/** Where the host of a module's repository tells pushes. */
export const repositoryWebhookPath = '/webhooks/git/';

/**
 * Returns the secret that events of a module's repository are made with, from the installation's lasting key. Written as GitLab wants a
 * signing token (`whsec_` and 32 bytes); other hosts take it as any text.
 */
export function webhookSecretOf(key: Uint8Array, moduleId: string, generation: number): string {
  const bytes = createHmac('sha256', key).update(`repository-webhook:${moduleId}:${generation}`).digest();
  return `whsec_${bytes.toString('base64')}`;
}
