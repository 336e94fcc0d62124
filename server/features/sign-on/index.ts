export type { SignOn } from './open-sign-on.ts';
