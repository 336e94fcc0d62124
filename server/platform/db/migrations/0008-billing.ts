import type { Migration } from './migration.ts';

/**
 * `billing_accounts` holds the state of a payer (`user:…` or `team:…`) at the payment provider. It references neither
 * users nor teams, because it outlives them until the provider has been notified. `billing_events` holds each provider
 * event once. The last two tables replace the provider in test mode.
 */
export const billing: Migration = {
  name: '0008-billing',
  statements: [
    `alter table users add column customer_id text`,
    `alter table users add column subscription_id text`,
    `alter table users add column subscription_status text`,
    `alter table users add column subscription_end_at integer`,

    `create table billing_accounts (
      payer text primary key,
      mode text not null check (mode in ('test', 'stripe')),
      customer_id text unique,
      subscription_id text,
      subscription_status text,
      tier text not null default 'Free',
      quantity integer not null default 0 check (quantity >= 0),
      started_at integer,
      period_end_at integer,
      cancel_at_period_end integer not null default 0 check (cancel_at_period_end in (0, 1)),
      discount text,
      open_checkout_id text,
      last_read integer not null default 0,
      written_read integer not null default 0,
      busy_token text,
      busy_until integer,
      closing_at integer
    )`,
    `create index billing_accounts_closing on billing_accounts (closing_at) where closing_at is not null`,

    `create table billing_events (
      id text primary key,
      type text not null,
      concern text,
      received_at integer not null,
      tries integer not null default 0,
      outcome text check (outcome in ('applied', 'ignored', 'refused')),
      detail text not null default '',
      settled_at integer
    )`,
    `create index billing_events_waiting on billing_events (received_at) where outcome is null`,

    `create table test_payment_books (
      customer_id text primary key,
      document text not null,
      revision integer not null default 0
    )`,
    `create table test_payment_events (
      id text primary key,
      body text not null,
      created_at integer not null
    )`,
  ],
};
