import type { Migration } from './migration.ts';

export const connections: Migration = {
  name: '0005-connections',
  statements: [
    `create table oauth_clients (
      id text primary key,
      kind text not null check (kind in ('registered', 'document')),
      name text not null,
      redirect_uris text not null,
      uses_refresh integer not null check (uses_refresh in (0, 1)),
      created_at integer not null,
      read_until integer,
      last_used_at integer
    )`,
    `create index oauth_clients_by_age on oauth_clients (created_at)`,

    `create table connections (
      id text primary key,
      user_id text not null references users (id) on delete cascade,
      workspace text not null,
      client_id text not null,
      client_name text not null,
      vouched_by text,
      resource text not null,
      uses_refresh integer not null check (uses_refresh in (0, 1)),
      created_at integer not null,
      connected_at integer,
      last_used_at integer,
      expires_at integer not null,
      revoked_at integer
    )`,
    `create index connections_by_user on connections (user_id, created_at)`,
    `create index connections_by_client on connections (client_id)`,
    `create index connections_by_end on connections (expires_at)`,

    `create table connection_codes (
      code_hash text primary key,
      connection_id text not null references connections (id) on delete cascade,
      client_id text not null,
      redirect_uri text not null,
      code_challenge text not null,
      expires_at integer not null,
      used_at integer
    )`,
    `create index connection_codes_by_connection on connection_codes (connection_id)`,

    `create table connection_tokens (
      token_hash text primary key,
      connection_id text not null references connections (id) on delete cascade,
      kind text not null check (kind in ('access', 'refresh')),
      created_at integer not null,
      expires_at integer not null,
      used_at integer
    )`,
    `create index connection_tokens_by_connection on connection_tokens (connection_id)`,
    `create index connection_tokens_by_end on connection_tokens (expires_at)`,
  ],
};
