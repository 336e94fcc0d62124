import { z } from 'zod';
import { endpoint, type KeyRight, keyRights } from './endpoint.ts';
import * as limits from './limits.ts';
import { nameLine } from './name-line.ts';

export const apiKeySchema = z.object({
  id: z.string(),
  userId: z.string(),
  /** Null for a personal key. */
  teamId: z.string().nullable(),
  /** The creator of a team key. */
  userName: z.string().optional(),
  name: z.string(),
  /** First 8 characters, an ellipsis, last 4. */
  maskedKey: z.string(),
  createdAt: z.int(),
  lastUsed: z.int().nullable(),
  /** A team key is active as long as its creator belongs to the team. */
  isActive: z.boolean(),
  /** True if its agents may ask people to have a source indexed. */
  mayAskToIndex: z.boolean(),
  /** True if its agents always see the tools as `search` and `fetch`, regardless of their client's name. */
  hasDeepResearchTools: z.boolean(),
  /** Rights of programs with this key. */
  rights: z.array(z.enum(keyRights)),
  /** True if `revealKey` would return its secret. */
  isRevealable: z.boolean(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

/** Labels of the rights. */
export const keyRightLabels = {
  search: 'Search and read',
  index: 'Index',
  manage: 'Manage sources',
} as const satisfies Record<KeyRight, string>;

/** Rights of a new key, in the order of the table; every key may search. */
export const keyRightsInput = z
  .array(z.enum(keyRights))
  .default([])
  .transform((given) => keyRights.filter((right) => right === 'search' || given.includes(right)));

/** Matches keys in any text, for masking here and for external secret scanners. */
const apiKeyPattern = /\blec_[0-9A-Za-z]{38}(?![0-9A-Za-z])/g;

/** Returns the first 8 characters, an ellipsis and the last 4. */
export function maskApiKey(secret: string): string {
  return `${secret.slice(0, 8)}…${secret.slice(-4)}`;
}

/** Masks all keys in a text that people or agents entered, before it is stored or logged. */
export function maskApiKeysIn(text: string): string {
  return text.replace(apiKeyPattern, maskApiKey);
}

const keyId = z.object({ keyId: z.string() });
/** The team whose keys are meant; defaults to the acting workspace. */
const teamId = z.string().max(200).optional();

export const keyEndpoints = {
  listKeys: endpoint('GET /api/keys', {
    summary: 'Lists your API keys, newest first. In a team: your team keys, and for admins all team keys.',
    input: z.object({ teamId }),
    output: z.object({ keys: z.array(apiKeySchema) }),
    live: 'apiKeys',
  }),
  createKey: endpoint('POST /api/keys', {
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
  revealKey: endpoint('POST /api/keys/:keyId/reveal', {
    summary: 'Returns an API key’s secret. Each call is recorded in the audit log.',
    input: keyId,
    output: z.object({ secret: z.string() }),
  }),
  revokeKey: endpoint('POST /api/keys/:keyId/revoke', {
    summary: 'Revokes an API key permanently.',
    input: keyId,
    output: z.object({ key: apiKeySchema }),
  }),
};
