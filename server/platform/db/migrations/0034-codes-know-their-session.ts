import type { Migration } from './migration.ts';

/** The browser session that asked for a code's mail. */
export const codesKnowTheirSession: Migration = {
  name: '0034-codes-know-their-session',
  statements: [`alter table action_codes add column session_id text`],
};
