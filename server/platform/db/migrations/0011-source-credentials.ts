import type { Migration } from './migration.ts';

/** Credentials for sites and repositories that do not let everyone in. */
export const sourceCredentials: Migration = {
  name: '0011-source-credentials',
  statements: [
    `create table source_credentials (
      id text primary key,
      workspace text not null,
      kind text not null check (kind in ('header', 'cookie', 'basic', 'token', 'ssh-key')),
      origin text not null,
      label text not null,
      sealed text not null,
      created_at integer not null,
      created_by_user_id text not null,
      last_used_at integer
    )`,
    `create index source_credentials_by_workspace on source_credentials (workspace, created_at)`,
  ],
};
