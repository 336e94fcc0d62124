export type { HostingDependencies } from './dependencies.ts';
export type { Hosting } from './open-hosting.ts';
export { openHostedCredential } from './reading.ts';
export { listSealedTokens } from './sealed-tokens.ts';
