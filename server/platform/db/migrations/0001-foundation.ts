import type { Migration } from './migration.ts';

export const foundation: Migration = {
  name: '0001-foundation',
  statements: [
    `create table users (
      id text primary key,
      email text unique,
      display_name text not null default '',
      photo_url text,
      email_verified_at integer,
      tier text not null default 'Free',
      is_operator integer not null default 0 check (is_operator in (0, 1)),
      created_at integer not null,
      check (email = lower(email))
    )`,

    `create table sign_in_links (
      token_hash text primary key,
      user_id text not null references users (id) on delete cascade,
      created_at integer not null,
      expires_at integer not null,
      used_at integer
    )`,
    `create index sign_in_links_by_user on sign_in_links (user_id)`,

    `create table web_sessions (
      token_hash text primary key,
      user_id text not null references users (id) on delete cascade,
      created_at integer not null,
      expires_at integer not null,
      last_seen_at integer not null
    )`,
    `create index web_sessions_by_user on web_sessions (user_id)`,

    `create table api_keys (
      id text primary key,
      user_id text not null references users (id) on delete cascade,
      team_id text,
      name text not null,
      key_hash text not null unique,
      key_sealed text not null,
      client_kind text,
      created_at integer not null,
      last_used_at integer,
      revoked_at integer
    )`,
    `create index api_keys_by_user on api_keys (user_id, created_at)`,
    `create index api_keys_by_team on api_keys (team_id, created_at)`,

    `create table audit_log (
      id text primary key,
      actor_user_id text references users (id) on delete set null,
      action text not null,
      entity_id text not null,
      detail text not null default '{}',
      created_at integer not null
    )`,
    `create index audit_log_by_entity on audit_log (entity_id, created_at)`,
    `create index audit_log_by_actor on audit_log (actor_user_id, created_at)`,

    `create table modules (
      id text primary key,
      workspace text not null,
      slug text not null,
      display_name text not null,
      kind text not null check (kind in ('site', 'folder', 'git', 'pdf')),
      source text not null,
      segments text not null default '[]',
      page_count integer not null default 0,
      snippet_count integer not null default 0,
      token_count integer not null default 0,
      byte_count integer not null default 0,
      created_at integer not null,
      created_by_user_id text not null,
      last_updated_at integer,
      revision integer not null default 0,
      unique (workspace, slug)
    )`,

    `create table segments (
      id text primary key,
      module_id text not null,
      blob_key text not null,
      page_count integer not null default 0,
      snippet_count integer not null default 0,
      byte_count integer not null default 0,
      created_at integer not null,
      dropped_at integer
    )`,
    `create index segments_by_module on segments (module_id)`,
    `create index segments_dropped on segments (dropped_at) where dropped_at is not null`,

    `create table job_runs (
      id text primary key,
      workspace text not null,
      module_id text,
      slug text not null,
      display_name text not null,
      url text not null,
      kind text not null check (kind in ('site', 'folder', 'git', 'pdf')),
      status text not null check (status in ('QUEUED', 'CRAWLING', 'INDEXING', 'COMPLETE', 'FAILED')),
      settings text not null default '{}',
      found integer not null default 0,
      fetched integer not null default 0,
      unchanged integer not null default 0,
      skipped integer not null default 0,
      failed integer not null default 0,
      snippets integer not null default 0,
      content_bytes integer not null default 0,
      skip_reasons text not null default '{}',
      error text,
      error_code text,
      attempt integer not null default 0,
      lease_owner text,
      lease_until integer,
      cancel_requested_at integer,
      created_at integer not null,
      start_time integer,
      end_time integer,
      started_by_user_id text not null,
      updated_at integer not null
    )`,
    `create index job_runs_by_status on job_runs (status, created_at)`,
    `create index job_runs_newest on job_runs (workspace, created_at desc, id)`,
    `create index job_runs_by_module on job_runs (module_id, created_at desc)`,

    `create table agent_sessions (
      id text primary key,
      identity text not null unique,
      user_id text not null,
      key_id text,
      client_name text not null,
      handle text not null,
      created_at integer not null,
      last_seen_at integer not null
    )`,
    `create index agent_sessions_by_handle on agent_sessions (handle)`,
    `create index agent_sessions_by_user on agent_sessions (user_id, last_seen_at)`,

    `create table agent_calls (
      id text primary key,
      session_id text not null references agent_sessions (id) on delete cascade,
      at integer not null,
      tool text not null,
      query text,
      url text,
      snippet_ids text not null default '[]',
      page_urls text not null default '[]',
      tokens integer not null default 0,
      whole_page_tokens integer not null default 0,
      withheld_tokens integer not null default 0,
      latency_ms integer not null default 0
    )`,
    `create index agent_calls_by_session on agent_calls (session_id, at)`,

    `create table settings (
      name text primary key,
      value text not null
    )`,
  ],
};
