export { listSealedKeys } from './api-keys.ts';
export { readApiKey } from './key-format.ts';
export type { Keys } from './open-keys.ts';
export { rightsOf } from './policy.ts';
