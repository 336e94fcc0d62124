export type { Status } from './open-status.ts';
