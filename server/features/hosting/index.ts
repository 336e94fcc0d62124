export type { Hosting } from './open-hosting.ts';
export { listSealedTokens } from './sealed-tokens.ts';
