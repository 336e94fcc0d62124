export type { SignOn } from './open-sign-on.ts';
export { listSealedSignOns } from './sealed-secrets.ts';
