import type { Migration } from './migration.ts';

/**
 * Mails that the mail server has not taken yet. The mail itself is sealed, since it holds links that let people in; its recipient is
 * told by a hash, so that what waits for a person can go with the account.
 */
export const waitingMails: Migration = {
  name: '0028-waiting-mails',
  statements: [
    `create table waiting_mails (
      id text primary key,
      recipient_hash text not null,
      sealed text not null,
      created_at integer not null,
      attempts integer not null default 0,
      next_attempt_at integer not null,
      last_fault text
    )`,
    `create index waiting_mails_by_time on waiting_mails (next_attempt_at)`,
    `create index waiting_mails_by_recipient on waiting_mails (recipient_hash)`,
  ],
};
