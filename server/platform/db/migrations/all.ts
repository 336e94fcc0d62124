import { foundation } from './0001-foundation.ts';
import { credits } from './0003-credits.ts';
import type { Migration } from './migration.ts';

/** In the order they are applied. New ones go last. */
export const migrations: Migration[] = [foundation, credits];
