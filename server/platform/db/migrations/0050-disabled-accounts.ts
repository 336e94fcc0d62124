import type { Migration } from './migration.ts';

/** Accounts that the operator has disabled, and the whole audit log in the order of time. */
export const disabledAccounts: Migration = {
  name: '0050-disabled-accounts',
  statements: [
    `alter table users add column disabled_at integer`,
    `create index audit_log_by_time on audit_log (created_at)`,
    `create index users_by_time on users (created_at)`,
  ],
};
