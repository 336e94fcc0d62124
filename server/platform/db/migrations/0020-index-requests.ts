import type { Migration } from './migration.ts';

/** Sources that agents request from people, and which keys and applications may request them. */
export const indexRequests: Migration = {
  name: '0020-index-requests',
  statements: [
    `create table index_requests (
      id text primary key,
      workspace text not null,
      user_id text not null references users (id) on delete cascade,
      credential_id text not null,
      credential_name text not null,
      address text not null,
      source text not null,
      kind text not null,
      module_id text not null,
      library text,
      version text,
      state text not null check (state in ('pending', 'approved', 'declined', 'expired')),
      created_at integer not null,
      expires_at integer not null,
      answered_at integer,
      answered_by_user_id text,
      answered_through text check (answered_through in ('screen', 'agent')),
      job_id text
    )`,
    `create unique index index_requests_waiting on index_requests (workspace, address) where state = 'pending'`,
    `create index index_requests_by_workspace on index_requests (workspace, created_at)`,
    `create index index_requests_by_credential on index_requests (credential_id, created_at)`,
    `alter table api_keys add column may_ask_to_index integer not null default 0 check (may_ask_to_index in (0, 1))`,
    `alter table connections add column may_ask_to_index integer not null default 0 check (may_ask_to_index in (0, 1))`,
    `alter table agent_sessions add column can_elicit integer not null default 0 check (can_elicit in (0, 1))`,
  ],
};
