export { createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts';
export { verifyApiKey } from './verify-api-key.ts';
