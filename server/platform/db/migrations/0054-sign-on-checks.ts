import type { Migration } from './migration.ts';

/** Whether the proof of a sign-on's domain still stands: the last response about its record, and since when it is missing. */
export const signOnChecks: Migration = {
  name: '0054-sign-on-checks',
  statements: [
    `alter table team_sign_ons add column checked_at integer`,
    `alter table team_sign_ons add column missing_since integer`,
    `alter table team_sign_ons add column is_vouched_for integer not null default 0`,
  ],
};
