import type { Migration } from './migration.ts';

/**
 * Ledger rows and usage do not reference `users`: a team's rows outlive the member who caused them. The last two
 * statements give existing accounts the credits that new accounts get.
 */
export const credits: Migration = {
  name: '0003-credits',
  statements: [
    `alter table users add column credits integer not null default 0 check (credits >= 0)`,
    `alter table users add column monthly_allowance integer not null default 0`,
    `alter table users add column subscription_start_at integer`,

    `create table credit_transactions (
      id text primary key,
      user_id text not null,
      team_id text,
      request_id text not null,
      fingerprint text,
      amount integer not null default 0,
      user_account_amount integer,
      source text not null default 'usage' check (source in ('subscription', 'usage', 'initial', 'purchase')),
      is_from_monthly_allowance integer not null default 0 check (is_from_monthly_allowance in (0, 1)),
      timestamp integer not null,
      details text not null default '',
      metadata text not null default '{}',
      unique (request_id, is_from_monthly_allowance)
    )`,
    `create index credit_transactions_by_user on credit_transactions (user_id, timestamp desc)`,
    `create index credit_transactions_by_team on credit_transactions (team_id, timestamp desc)`,
    `create index credit_transactions_by_call on credit_transactions (user_id, fingerprint, timestamp)
      where fingerprint is not null`,

    `create table monthly_usage (
      workspace text not null,
      year integer not null,
      month integer not null check (month between 1 and 12),
      day integer not null check (day between 1 and 31),
      credits_used integer not null default 0 check (credits_used >= 0),
      primary key (workspace, year, month, day)
    )`,

    `create table call_receipts (
      id text primary key,
      user_id text not null,
      team_id text,
      key_id text,
      tool text not null check (tool in ('search', 'read')),
      at integer not null,
      credits integer not null default 0,
      tokens integer not null default 0,
      whole_page_tokens integer not null default 0,
      withheld_tokens integer not null default 0
    )`,
    `create index call_receipts_by_user on call_receipts (user_id, at)`,
    `create index call_receipts_by_team on call_receipts (team_id, at)`,

    `insert into credit_transactions (id, user_id, request_id, amount, source, timestamp, details)
      select 'initial:' || id, id, 'initial:' || id, 200, 'initial', created_at, 'Initial credits' from users`,
    `update users set credits = 200`,
  ],
};
