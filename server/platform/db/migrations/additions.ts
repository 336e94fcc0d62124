import type { Migration } from './migration.ts';

// Small tables, and additional columns and indexes for tables of other migrations.

/** An agent's history in a team is stored separately from its history for the person, and is deleted with the team. */
export const agentTeams: Migration = {
  name: '0009-agent-teams',
  statements: [
    `alter table agent_sessions add column team_id text`,
    `create index agent_sessions_by_team on agent_sessions (team_id) where team_id is not null`,
  ],
};

/** Single sign-on of a team. A domain belongs to the first team that proves it; until then any team may enter it. */
export const teamSignOn: Migration = {
  name: '0010-team-sign-on',
  statements: [
    `create table team_sign_ons (
      team_id text primary key references teams (id) on delete cascade,
      domain text not null,
      domain_token text not null,
      verified_at integer,
      issuer text not null,
      client_id text not null,
      client_secret_sealed text not null,
      default_role text not null check (default_role in ('writer', 'reader')),
      created_at integer not null,
      updated_at integer not null,
      check (domain = lower(domain))
    )`,
    `create unique index team_sign_ons_by_domain on team_sign_ons (domain) where verified_at is not null`,
  ],
};

/** Credentials for restricted sites and repositories. */
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

/** Addresses that a run skipped, with reasons. */
export const jobLog: Migration = {
  name: '0016-job-log',
  statements: [
    `create table job_log_entries (
      job_id text not null references job_runs (id) on delete cascade,
      position integer not null,
      address text not null,
      status text not null check (status in ('skipped', 'failed')),
      reason text not null,
      primary key (job_id, position)
    )`,
  ],
};

/** Conference sign-ups. A row without `confirmed_at` waits for the link in its mail. */
export const conf: Migration = {
  name: '0021-conf',
  statements: [
    `create table conf_sign_ups (
      id text primary key,
      email text not null unique,
      created_at integer not null,
      confirm_hash text unique,
      confirm_expires_at integer,
      confirmed_at integer
    )`,
  ],
};

/** Hash of a call's idempotency key: a repeated call gets the same response. */
export const callKeys: Migration = {
  name: '0023-call-keys',
  statements: ['alter table agent_calls add column call_key text'],
};

/**
 * Webhook events from repository hosts. A webhook's secret is derived from the installation's key and the webhook's
 * generation.
 */
export const repositoryWebhooks: Migration = {
  name: '0026-repository-webhooks',
  statements: [
    `create table repository_webhooks (
      module_id text primary key references modules (id) on delete cascade,
      generation integer not null,
      created_at integer not null,
      received_at integer,
      received_event text
    )`,
    `create table repository_deliveries (
      module_id text not null references modules (id) on delete cascade,
      delivery_id text not null,
      received_at integer not null,
      primary key (module_id, delivery_id)
    )`,
    `create index repository_deliveries_by_time on repository_deliveries (received_at)`,
  ],
};

/** Results of webhook events; a removed webhook keeps its generation. */
export const sources: Migration = {
  name: '0027-sources',
  statements: [
    `alter table repository_webhooks add column removed_at integer`,
    `create table repository_webhook_log (
      id text primary key,
      module_id text not null references modules (id) on delete cascade,
      at integer not null,
      event text,
      ref text,
      outcome text not null,
      reason text,
      times integer not null
    )`,
    `create index repository_webhook_log_by_module on repository_webhook_log (module_id, at)`,
  ],
};

/**
 * Mails that the mail server has not accepted yet. The mail is encrypted, because it contains sign-in links; its
 * recipient is stored as a hash, so that a person's waiting mails can be deleted with the account.
 */
export const waitingMails: Migration = {
  name: '0028-waiting-mails',
  statements: [
    `create table waiting_mails (
      id text primary key,
      recipient_hash text not null,
      sealed text not null,
      created_at integer not null,
      attempts integer not null default 0,
      next_attempt_at integer not null,
      last_fault text
    )`,
    `create index waiting_mails_by_time on waiting_mails (next_attempt_at)`,
    `create index waiting_mails_by_recipient on waiting_mails (recipient_hash)`,
  ],
};

/** Segments stored in the search cluster. */
export const clusterSegments: Migration = {
  name: '0029-cluster-segments',
  statements: [
    `create table cluster_segments (
      segment_id text primary key,
      tenant text not null,
      index_id text not null,
      lease_until integer not null,
      ready_at integer
    )`,
  ],
};

/**
 * An allowance belongs to a paid period: `allowance_start_at` is the start of its billing cycle. A billing account has
 * the plan in `tier` and `quantity` until `period_end_at`, and the plan in `next_…` afterwards.
 */
export const paidTime: Migration = {
  name: '0030-paid-time',
  statements: [
    `alter table users add column allowance_start_at integer`,
    `alter table teams add column allowance_start_at integer`,
    `alter table billing_accounts add column period_start_at integer`,
    `alter table billing_accounts add column next_tier text not null default 'Free'`,
    `alter table billing_accounts add column next_quantity integer not null default 0 check (next_quantity >= 0)`,
  ],
};

/** The browser session that requested a code's mail. */
export const codesKnowTheirSession: Migration = {
  name: '0034-codes-know-their-session',
  statements: [`alter table action_codes add column session_id text`],
};

/** Files that a committed change no longer uses: they are deleted because of a row, not because a row is missing. */
export const blobDeletions: Migration = {
  name: '0041-blob-deletions',
  statements: [
    `create table blob_deletions (
      prefix text primary key,
      created_at integer not null
    )`,
  ],
};

/** Accounts disabled by the operator, and the whole audit log in chronological order. */
export const disabledAccounts: Migration = {
  name: '0050-disabled-accounts',
  statements: [
    `alter table users add column disabled_at integer`,
    `create index audit_log_by_time on audit_log (created_at)`,
    `create index users_by_time on users (created_at)`,
  ],
};

/** An API key's rights beyond searching and reading, as comma-separated names. */
export const keyRights: Migration = {
  name: '0051-key-rights',
  statements: [`alter table api_keys add column rights text not null default 'search'`],
};

/** When a run's unreadable pages are retried. */
export const pageRetries: Migration = {
  name: '0053-page-retries',
  statements: [
    `alter table job_runs add column retry_at integer`,
    `create index job_runs_by_retry on job_runs (retry_at) where retry_at is not null`,
  ],
};

/** State of a sign-on domain's proof: the last response about its record, and since when the record is missing. */
export const signOnChecks: Migration = {
  name: '0054-sign-on-checks',
  statements: [
    `alter table team_sign_ons add column checked_at integer`,
    `alter table team_sign_ons add column missing_since integer`,
    `alter table team_sign_ons add column is_vouched_for integer not null default 0`,
  ],
};

/** Webhooks of removed repositories, to be deleted at the code host with the token in the same row. */
export const leftWebhooks: Migration = {
  name: '0055-left-webhooks',
  statements: [`alter table code_host_revocations add column webhook text`],
};

/** A project's numbers of libraries, and its pins that searches pass over for another of the same library. */
export const profileCounts: Migration = {
  name: '0056-profile-counts',
  statements: [
    `alter table profiles add column library_count integer not null default 0`,
    `alter table profiles add column direct_count integer not null default 0`,
    `update profiles set
      library_count = (select count(*) from profile_pins where profile_id = profiles.id),
      direct_count = (select count(*) from profile_pins where profile_id = profiles.id and is_direct = 1)`,
    `alter table profile_pins add column is_passed_over integer not null default 0`,
  ],
};
