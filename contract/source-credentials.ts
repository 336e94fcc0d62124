import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import * as limits from './limits.ts';
import { nameLine } from './name-line.ts';

const secretText = z.string().min(1).max(limits.sourceSecretCharactersMax);

/** A credential for the crawler or git. It is sent only to its host and never shown again. */
export const sourceSecretSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('header'), name: z.string().trim().min(1).max(200), value: secretText }),
  /** As in a `Cookie` header: `name=value; other=value`. */
  z.object({ kind: z.literal('cookie'), value: secretText }),
  z.object({ kind: z.literal('basic'), username: z.string().min(1).max(500), password: secretText }),
  /** An access token for git over HTTP; most hosts accept any user name with it. */
  z.object({ kind: z.literal('token'), username: z.string().trim().max(500).optional(), token: secretText }),
  /** A private key in OpenSSH or PEM form, without a passphrase. */
  z.object({ kind: z.literal('ssh-key'), privateKey: secretText }),
]);
export type SourceSecret = z.infer<typeof sourceSecretSchema>;

export const sourceCredentialSchema = z.object({
  id: z.string(),
  kind: z.enum(['header', 'cookie', 'basic', 'token', 'ssh-key']),
  /** The only origin it is sent to: scheme, host and port. */
  origin: z.string(),
  label: z.string(),
  createdAt: z.int(),
  lastUsedAt: z.int().nullable(),
});
export type SourceCredential = z.infer<typeof sourceCredentialSchema>;

export const sourceCredentialEndpoints = {
  listSourceCredentials: endpoint('GET /api/source-credentials', {
    summary: 'Lists the credentials for private sources in the current workspace, without their secrets.',
    output: z.object({ credentials: z.array(sourceCredentialSchema) }),
  }),
  createSourceCredential: endpoint('POST /api/source-credentials', {
    summary: 'Stores a credential for one host. The secret is encrypted and never shown again.',
    right: 'sources.write',
    input: z.object({
      /** Any address on the host it is for. */
      url: z.string().trim().min(1, 'give an address of the host').max(limits.urlCharactersMax),
      label: z.string().overwrite(nameLine).min(1).max(200).optional(),
      secret: sourceSecretSchema,
    }),
    output: z.object({ credential: sourceCredentialSchema }),
  }),
  removeSourceCredential: endpoint('DELETE /api/source-credentials/:credentialId', {
    summary: 'Deletes a credential. Sources that use it stay searchable, but can no longer be refreshed.',
    right: 'sources.write',
    input: z.object({ credentialId: z.string().max(100) }),
    output: z.object({}),
  }),
};
