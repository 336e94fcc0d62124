import type { Migration } from './migration.ts';

/** State of the repositories behind modules, and the SSH host keys seen at first contact. */
export const repositories: Migration = {
  name: '0012-repositories',
  statements: [
    `create table repositories (
      module_id text primary key references modules (id) on delete cascade,
      source text not null,
      repository_key text not null,
      url text not null,
      ref_kind text check (ref_kind in ('branch', 'tag')),
      ref_name text,
      folder text,
      credential_id text,
      revision text,
      revision_job_id text,
      queued_revision text,
      queued_job_id text,
      checked_at integer,
      next_check_at integer not null,
      failure_count integer not null default 0,
      check_error text
    )`,
    `create index repositories_by_next_check on repositories (next_check_at)`,
    `create index repositories_by_key on repositories (repository_key)`,
    `create table git_hosts (
      host text primary key,
      known_keys text not null,
      first_seen_at integer not null
    )`,
  ],
};
