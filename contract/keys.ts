import { z } from 'zod';
import { endpoint, type KeyRight, keyRights } from './endpoint.ts';
import * as limits from './limits.ts';
import { nameLine } from './name-line.ts';

export const apiKeySchema = z.object({
  id: z.string(),
  userId: z.string(),
  /** Null: the key is the person's own. */
  teamId: z.string().nullable(),
  /** Who made a key of a team. */
  userName: z.string().optional(),
  name: z.string(),
  /** First 8 characters, an ellipsis, last 4. */
  maskedKey: z.string(),
  createdAt: z.int(),
  lastUsed: z.int().nullable(),
  /** A team's key is active as long as the person who made it belongs to the team. */
  isActive: z.boolean(),
  /** Its agents may ask people to have a source indexed. */
  mayAskToIndex: z.boolean(),
  /** Its agents see the tools as `search` and `fetch`, whatever they call themselves. */
  hasDeepResearchTools: z.boolean(),
  /** What programs with this key may do. */
  rights: z.array(z.enum(keyRights)),
  /** Whether `revealKey` would answer it. */
  isRevealable: z.boolean(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

/** The rights as people read them. */
export const keyRightLabels = {
  search: 'Search and read',
  index: 'Index',
  manage: 'Manage sources',
} as const satisfies Record<KeyRight, string>;

/** The rights that a new key is given: every key may search, in the order of the table. */
export const keyRightsInput = z
  .array(z.enum(keyRights))
  .default([])
  .transform((given) => keyRights.filter((right) => right === 'search' || given.includes(right)));

/** Finds keys in any text, for masking them here and for secret scanners elsewhere. */
const apiKeyPattern = /\blec_[0-9A-Za-z]{38}(?![0-9A-Za-z])/g;

/** First 8 characters, an ellipsis, last 4. */
export function maskApiKey(secret: string): string {
  return `${secret.slice(0, 8)}…${secret.slice(-4)}`;
}

/** A text with every key in it masked: for what people or agents typed, before it is kept or logged. */
export function maskApiKeysIn(text: string): string {
  return text.replace(apiKeyPattern, maskApiKey);
}

const keyId = z.object({ keyId: z.string() });
/** The team whose keys are meant; without it those of the workspace one acts in. */
const teamId = z.string().max(200).optional();

export const keyEndpoints = {
  listKeys: endpoint({
    method: 'GET',
    path: '/api/keys',
    summary: 'Lists your API keys, newest first. In a team: your team keys, and for admins all team keys.',
    input: z.object({ teamId }),
    output: z.object({ keys: z.array(apiKeySchema) }),
    live: 'apiKeys',
  }),
  createKey: endpoint({
    method: 'POST',
    path: '/api/keys',
    summary: 'Creates an API key and returns its secret.',
    input: z.object({
      name: z.string().overwrite(nameLine).max(limits.keyNameCharactersMax),
      teamId,
      mayAskToIndex: z.boolean().default(false),
      hasDeepResearchTools: z.boolean().default(false),
      rights: keyRightsInput,
    }),
    output: z.object({ key: apiKeySchema, secret: z.string() }),
  }),
  revealKey: endpoint({
    method: 'POST',
    path: '/api/keys/:keyId/reveal',
    summary: 'Returns an API key’s secret. Each call is recorded in the audit log.',
    input: keyId,
    output: z.object({ secret: z.string() }),
  }),
  revokeKey: endpoint({
    method: 'POST',
    path: '/api/keys/:keyId/revoke',
    summary: 'Revokes an API key permanently.',
    input: keyId,
    output: z.object({ key: apiKeySchema }),
  }),
};
