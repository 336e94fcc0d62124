import { createHmac } from 'node:crypto';
import type { SealingKeys } from '#server/platform/sealing.ts';

/** Where the host of a module's repository tells pushes. */
export const repositoryWebhookPath = '/webhooks/git/';

/**
 * Secrets that events of a module's repository may be made with: one for each key of the installation, the current first.
 * Written as GitLab wants a signing token (`whsec_` and 32 bytes); other hosts take it as any text.
 */
export function webhookSecretsOf(keys: SealingKeys, moduleId: string, generation: number): string[] {
  return keys.map((key) => {
    const bytes = createHmac('sha256', key).update(`repository-webhook:${moduleId}:${generation}`).digest();
    return `whsec_${bytes.toString('base64')}`;
  });
}
