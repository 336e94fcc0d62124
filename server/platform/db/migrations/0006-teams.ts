import type { Migration } from './migration.ts';

/**
 * A membership is a person in a team, or an invited address. `ended_at` marks rows of people who declined or left,
 * which no longer count. Among current rows, each address and each person appears once per team. The operator may have
 * no address.
 */
export const teams: Migration = {
  name: '0006-teams',
  statements: [
    `create table teams (
      id text primary key,
      name text not null,
      created_at integer not null,
      created_by text not null,
      tier text not null default 'Free',
      credits integer not null default 0 check (credits >= 0),
      monthly_allowance integer not null default 0,
      number_of_paid_seats integer not null default 0 check (number_of_paid_seats >= 0),
      customer_id text,
      subscription_id text,
      subscription_status text,
      subscription_start_at integer,
      subscription_end_at integer,
      discount_code text,
      discount_amount integer,
      shows_keys_once integer not null default 0 check (shows_keys_once in (0, 1))
    )`,

    `create table memberships (
      id text primary key,
      team_id text not null references teams (id) on delete cascade,
      user_id text references users (id) on delete cascade,
      email text,
      role text not null check (role in ('admin', 'writer', 'reader')),
      state text not null check (state in ('invited', 'accepted')),
      has_paid_seat integer not null default 0 check (has_paid_seat in (0, 1)),
      invited_by_user_id text,
      invite_token_hash text unique,
      invite_expires_at integer,
      last_invite_sent_at integer,
      joined_at integer not null,
      accepted_at integer,
      declined_at integer,
      ended_at integer,
      check (email = lower(email)),
      check (case state when 'invited' then email is not null else user_id is not null end),
      check (has_paid_seat = 0 or (state = 'accepted' and ended_at is null))
    )`,
    `create unique index memberships_of_address on memberships (team_id, email) where ended_at is null`,
    `create unique index memberships_of_person on memberships (team_id, user_id)
      where ended_at is null and user_id is not null`,
    `create index memberships_by_user on memberships (user_id) where ended_at is null`,
    `create index memberships_by_email on memberships (email) where ended_at is null`,

    `alter table audit_log add column team_id text`,
    `create index audit_log_by_team on audit_log (team_id, created_at) where team_id is not null`,
  ],
};
