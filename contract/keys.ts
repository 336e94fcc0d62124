import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { limits } from './limits.ts';

export const apiKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  /** First 8 characters, an ellipsis, last 4. */
  maskedKey: z.string(),
  createdAt: z.int(),
  lastUsed: z.int().nullable(),
  isActive: z.boolean(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

export const keyEndpoints = {
  listKeys: endpoint({
    method: 'GET',
    path: '/api/keys',
    summary: 'Your API keys, newest first.',
    input: z.object({}),
    output: z.object({ keys: z.array(apiKeySchema) }),
  }),
  createKey: endpoint({
    method: 'POST',
    path: '/api/keys',
    summary: 'Creates an API key and answers its secret.',
    input: z.object({ name: z.string().max(limits.keyNameCharactersMax) }),
    output: z.object({ key: apiKeySchema, secret: z.string() }),
  }),
  revokeKey: endpoint({
    method: 'POST',
    path: '/api/keys/:keyId/revoke',
    summary: 'Revokes an API key for good.',
    input: z.object({ keyId: z.string() }),
    output: z.object({ key: apiKeySchema }),
  }),
};
