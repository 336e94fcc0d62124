export { createApiKey } from './create-api-key.ts';
export { readApiKey } from './key-format.ts';
export { listApiKeys } from './list-api-keys.ts';
export type { Keys } from './open-keys.ts';
export { rightsOf } from './policy.ts';
export { listSealedKeys, revealApiKey } from './reveal-api-key.ts';
export { removeTeamKeys, revokeApiKey, revokeTeamKeysOf } from './revoke-api-key.ts';
export { verifyApiKey } from './verify-api-key.ts';
