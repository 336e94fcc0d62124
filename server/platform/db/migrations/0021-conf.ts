import type { Migration } from './migration.ts';

/** Who wants to come to the conference. A row without `confirmed_at` waits for the link in its mail. */
export const conf: Migration = {
  name: '0021-conf',
  statements: [
    `create table conf_sign_ups (
      id text primary key,
      email text not null unique,
      created_at integer not null,
      confirm_hash text unique,
      confirm_expires_at integer,
      confirmed_at integer
    )`,
  ],
};
