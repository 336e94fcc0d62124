import type { Migration } from './migration.ts';

export const identity: Migration = {
  name: '0002-identity',
  statements: [
    `alter table users add column marketing_consent integer`,
    `alter table users add column marketing_consent_at integer`,
    `alter table users add column email_verified_noted_at integer`,

    `alter table web_sessions add column id text`,
    `alter table web_sessions add column user_agent text not null default ''`,
    `update web_sessions set id = substr(token_hash, 1, 32)`,
    `create unique index web_sessions_by_id on web_sessions (id)`,

    `create table passwords (
      user_id text primary key references users (id) on delete cascade,
      hash text not null,
      changed_at integer not null,
      last_used_at integer
    )`,

    `create table identities (
      provider text not null,
      subject text not null,
      user_id text not null references users (id) on delete cascade,
      created_at integer not null,
      primary key (provider, subject)
    )`,
    `create index identities_by_user on identities (user_id)`,

    `create table action_codes (
      code_hash text primary key,
      purpose text not null check (purpose in ('reset-password', 'verify-email')),
      user_id text not null references users (id) on delete cascade,
      email text not null,
      created_at integer not null,
      expires_at integer not null,
      used_at integer
    )`,
    `create index action_codes_by_user on action_codes (user_id, purpose)`,

    `create table identity_tokens (
      token_hash text primary key,
      session_token_hash text not null references web_sessions (token_hash) on delete cascade,
      created_at integer not null,
      expires_at integer not null
    )`,
    `create index identity_tokens_by_session on identity_tokens (session_token_hash)`,

    `create table rate_counts (
      bucket text primary key,
      started_at integer not null,
      ends_at integer not null,
      count integer not null
    )`,
    `create index rate_counts_by_end on rate_counts (ends_at)`,
  ],
};
