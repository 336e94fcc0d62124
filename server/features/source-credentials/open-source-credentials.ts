import { sourceCredentialEndpoints } from '#contract/source-credentials.ts';
import type { Platform } from '#server/platform/open-platform.ts';
import { feature, serve } from '../feature.ts';
import { createSourceCredential, listSourceCredentials, removeSourceCredential } from './source-credentials.ts';

/** Opens the credentials for private sources: stored, listed without their secrets, deleted. */
export function openSourceCredentials({ config: { allowHosts }, sealingKeys }: Platform) {
  return feature({
    name: 'source-credentials',
    verbs: {},
    endpoints: serve(sourceCredentialEndpoints, {
      listSourceCredentials: async (ctx) => ({ credentials: await listSourceCredentials(ctx) }),
      createSourceCredential: async (ctx, input) => ({
        credential: await createSourceCredential(ctx, input, { sealingKeys, allowHosts }),
      }),
      removeSourceCredential: async (ctx, input) => {
        await removeSourceCredential(ctx, input);
        return {};
      },
    }),
    personalData: { sourceCredentials: (ctx) => listSourceCredentials(ctx) },
  });
}
