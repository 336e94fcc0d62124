import type { Migration } from './migration.ts';

/**
 * Accounts at a code host, and the repositories read through them. A repository belongs to its module's workspace: it
 * moves and is deleted with the module.
 */
export const hosting: Migration = {
  name: '0013-hosting',
  statements: [
    `create table code_host_connections (
      user_id text primary key references users (id) on delete cascade,
      method text not null check (method in ('oauth', 'app')),
      account_id text not null,
      login text not null,
      url text not null,
      scopes text not null default '[]',
      access_token_sealed text not null,
      access_expires_at integer,
      refresh_token_sealed text,
      refresh_expires_at integer,
      state text not null default 'connected' check (state in ('connected', 'reconnect')),
      version integer not null default 0,
      refreshing_until integer,
      connected_at integer not null,
      updated_at integer not null
    )`,
    `create index code_host_connections_by_account on code_host_connections (account_id)`,
    `create table code_host_attempts (
      state_hash text primary key,
      user_id text not null references users (id) on delete cascade,
      session_id text not null,
      method text not null check (method in ('oauth', 'app')),
      verifier_sealed text not null,
      cont text not null,
      created_at integer not null,
      expires_at integer not null,
      used_at integer
    )`,
    `create table hosted_repositories (
      id text primary key,
      module_id text not null unique references modules (id) on delete cascade,
      repository_id text not null,
      full_name text not null,
      url text not null,
      clone_url text not null,
      is_private integer not null,
      ref_kind text not null check (ref_kind in ('branch', 'tag')),
      ref_name text not null,
      folder text not null default '',
      added_by_user_id text not null,
      reader_login text not null,
      installation_id text,
      paused_reason text,
      paused_at integer,
      checked_at integer not null,
      webhook_id text,
      stats text,
      created_at integer not null,
      updated_at integer not null
    )`,
    `create index hosted_repositories_by_repository on hosted_repositories (repository_id)`,
    `create index hosted_repositories_by_adder on hosted_repositories (added_by_user_id)`,
    `create table code_host_deliveries (
      delivery_id text primary key,
      event text not null,
      received_at integer not null
    )`,
    `create index code_host_deliveries_by_time on code_host_deliveries (received_at)`,
    `create table code_host_revocations (
      id text primary key,
      method text not null check (method in ('oauth', 'app')),
      token_sealed text not null,
      created_at integer not null
    )`,
  ],
};
