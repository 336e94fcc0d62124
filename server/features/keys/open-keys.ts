import { keyEndpoints } from '#contract/keys.ts';
import type { Platform } from '#server/platform/open-platform.ts';
import type { Accounts } from '../accounts/index.ts';
import { bind, feature, serve } from '../feature.ts';
import type { Teams } from '../teams/index.ts';
import {
  createApiKey,
  listApiKeys,
  listKeysOfMaker,
  removeTeamKeys,
  revealApiKey,
  revokeAllKeys,
  revokeApiKey,
  revokeTeamKeysOf,
  verifyApiKey,
} from './api-keys.ts';
import { countOpenKeys } from './store.ts';

export type Keys = ReturnType<typeof openKeys>;

/** Opens the API keys of users and teams. */
export function openKeys(
  { db, clock, log, publicUrl, sealingKeys }: Platform,
  { accounts, teams }: { accounts: Accounts; teams: Teams },
) {
  const verbs = bind(sealingKeys, { createApiKey, listApiKeys, revealApiKey, revokeApiKey });
  accounts.agentAccessEnded.on(revokeAllKeys);
  accounts.agentAccessCounted.on(async (counts, queries, userId) => {
    counts.apiKeys += await countOpenKeys(queries, userId);
  });
  teams.memberLeft.on(revokeTeamKeysOf);
  teams.teamDeleted.on((tx, { id }) => removeTeamKeys(tx, id));
  return feature({
    name: 'keys',
    verbs: { ...verbs, verifyApiKey: (secret: string) => verifyApiKey({ db, clock, log }, secret, publicUrl) },
    endpoints: serve(keyEndpoints, {
      listKeys: async (ctx, input) => ({ keys: await verbs.listApiKeys(ctx, input) }),
      createKey: verbs.createApiKey,
      revealKey: verbs.revealApiKey,
      revokeKey: async (ctx, input) => ({ key: await verbs.revokeApiKey(ctx, input) }),
    }),
    personalData: { apiKeys: (ctx) => listKeysOfMaker(ctx, sealingKeys) },
  });
}
