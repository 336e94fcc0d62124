export { createApiKey } from './create-api-key.ts';
export { listApiKeys } from './list-api-keys.ts';
export type { Keys } from './open-keys.ts';
export { rightsOf } from './policy.ts';
export { removeTeamKeys, revokeTeamKeysOf } from './remove-team-keys.ts';
export { revealApiKey } from './reveal-api-key.ts';
export { revokeApiKey } from './revoke-api-key.ts';
export { listSealedKeys } from './sealed-keys.ts';
export { verifyApiKey } from './verify-api-key.ts';
