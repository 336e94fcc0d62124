import { keyEndpoints } from '#contract/keys.ts';
import { createApiKey, listApiKeys, revealApiKey, revokeApiKey } from '#server/features/keys/index.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';
import { type Call, call } from './call-table.ts';

export interface KeyCallDependencies {
  sealingKeys: SealingKeys;
}

export function keyCalls({ sealingKeys }: KeyCallDependencies): Call[] {
  return [
    call(keyEndpoints.listKeys, async (ctx, input) => ({ keys: await listApiKeys(ctx, input, sealingKeys) })),
    call(keyEndpoints.createKey, (ctx, input) => createApiKey(ctx, input, sealingKeys)),
    call(keyEndpoints.revealKey, (ctx, input) => revealApiKey(ctx, input, sealingKeys)),
    call(keyEndpoints.revokeKey, async (ctx, input) => ({ key: await revokeApiKey(ctx, input, sealingKeys) })),
  ];
}
