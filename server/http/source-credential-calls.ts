import { sourceCredentialEndpoints } from '#contract/source-credentials.ts';
import {
  type CredentialDependencies,
  createSourceCredential,
  listSourceCredentials,
  removeSourceCredential,
} from '#server/features/source-credentials/index.ts';
import { type Call, call } from './call-table.ts';

/** Credentials for private sources: stored, listed without their secrets, forgotten. */
export function sourceCredentialCalls(deps: CredentialDependencies): Call[] {
  return [
    call(sourceCredentialEndpoints.listSourceCredentials, async (ctx) => ({
      credentials: await listSourceCredentials(ctx),
    })),
    call(sourceCredentialEndpoints.createSourceCredential, async (ctx, input) => ({
      credential: await createSourceCredential(ctx, input, deps),
    })),
    call(sourceCredentialEndpoints.removeSourceCredential, async (ctx, input) => {
      await removeSourceCredential(ctx, input);
      return {};
    }),
  ];
}
