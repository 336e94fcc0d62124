/** One step of the schema, applied once. */
export interface Migration {
  name: string;
  statements: string[];
}

/**
 * The steps in the order of application; new ones go last, with the next four digits. A step is never edited after a
 * release (its text is checksummed). Statements use the common subset of SQLite and PostgreSQL with two column types,
 * `text` and `integer`.
 */
const steps: Record<string, string[]> = {
  '0001-foundation': [
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
  '0002-identity': [
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
  // Ledger rows and usage do not reference `users`: a team's rows outlive the member who caused them. The last two
  // statements give existing accounts the credits that new accounts get.
  '0003-credits': [
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
  '0005-connections': [
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
  // A membership is a person in a team, or an invited address. `ended_at` marks rows of people who declined or
  // left, which no longer count. Among current rows, each address and each person appears once per team. The operator
  // may have no address.
  '0006-teams': [
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
  // `billing_accounts` holds the state of a payer (`user:…` or `team:…`) at the payment provider. It references
  // neither users nor teams, because it outlives them until the provider has been notified. `billing_events` holds
  // each provider event once. The last two tables replace the provider in test mode.
  '0008-billing': [
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
  // An agent's history in a team is stored separately from its history for the person, and is deleted with the team.
  '0009-agent-teams': [
    `alter table agent_sessions add column team_id text`,
    `create index agent_sessions_by_team on agent_sessions (team_id) where team_id is not null`,
  ],
  // Single sign-on of a team. A domain belongs to the first team that proves it; until then any team may enter it.
  '0010-team-sign-on': [
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
  // Credentials for restricted sites and repositories.
  '0011-source-credentials': [
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
  // State of the repositories behind modules, and the SSH host keys seen at first contact.
  '0012-repositories': [
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
  // Accounts at a code host, and the repositories read through them. A repository belongs to its module's
  // workspace: it moves and is deleted with the module.
  '0013-hosting': [
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
  // PDF sets, their files, and resumable uploads.
  '0014-pdf-sets': [
    `create table pdf_sets (
      id text primary key,
      workspace text not null,
      slug text not null,
      display_name text not null,
      created_at integer not null,
      created_by_user_id text not null,
      uploaded_at integer not null,
      unique (workspace, slug)
    )`,
    `create table pdf_files (
      id text primary key,
      set_id text not null references pdf_sets (id) on delete cascade,
      name text not null,
      slug text not null,
      blob_key text not null,
      size_bytes integer not null,
      content_hash text not null,
      last_modified integer not null,
      uploaded_at integer not null,
      uploaded_by_user_id text not null,
      status text not null default 'waiting' check (status in ('waiting', 'indexed', 'failed')),
      title text,
      language text,
      page_count integer,
      indexed_pages integer not null default 0,
      last_error text,
      unique (set_id, slug)
    )`,
    `create table pdf_uploads (
      id text primary key,
      set_id text not null references pdf_sets (id) on delete cascade,
      user_id text not null,
      name text not null,
      size_bytes integer not null,
      last_modified integer,
      parts text not null default '[]',
      arrived_bytes integer not null default 0,
      created_at integer not null,
      changed_at integer not null,
      file_id text
    )`,
    `create index pdf_uploads_by_set on pdf_uploads (set_id)`,
  ],
  // Addresses that a run skipped, with reasons.
  '0016-job-log': [
    `create table job_log_entries (
      job_id text not null references job_runs (id) on delete cascade,
      position integer not null,
      address text not null,
      status text not null check (status in ('skipped', 'failed')),
      reason text not null,
      primary key (job_id, position)
    )`,
  ],
  // Conversations with the documentation.
  '0017-chat': [
    `create table chats (
      id text primary key,
      user_id text not null,
      workspace text not null,
      title text not null,
      module_id text,
      created_at integer not null,
      updated_at integer not null,
      answering_id text,
      answering_until integer
    )`,
    'create index chats_by_person on chats (user_id, workspace, updated_at)',
    'create index chats_by_workspace on chats (workspace)',
    `create table chat_messages (
      id text primary key,
      chat_id text not null references chats (id) on delete cascade,
      position integer not null,
      role text not null check (role in ('question', 'answer')),
      body text not null,
      state text not null check (state in ('writing', 'complete', 'stopped', 'failed')),
      writer text check (writer in ('model', 'passages')),
      error_code text,
      citations text not null,
      usage text,
      created_at integer not null,
      unique (chat_id, position)
    )`,
  ],
  // Health of the installation: counts per minute and, for older data, per hour. Several processes add to the same
  // rows; check rows name the process, so that a single failing process is visible.
  '0018-status': [
    `create table status_samples (
      resolution text not null check (resolution in ('minute', 'hour')),
      at integer not null,
      part text not null,
      process text not null,
      good integer not null default 0,
      impaired integer not null default 0,
      bad integer not null default 0,
      took_ms integer not null default 0,
      minutes integer not null default 1,
      primary key (resolution, at, part, process)
    )`,
    `create table status_latency (
      resolution text not null check (resolution in ('minute', 'hour')),
      at integer not null,
      kind text not null check (kind in ('search', 'read')),
      bucket integer not null,
      calls integer not null default 0,
      errors integer not null default 0,
      primary key (resolution, at, kind, bucket)
    )`,
    `create table incidents (
      id text primary key,
      kind text not null check (kind in ('incident', 'maintenance')),
      title text not null,
      state text not null check (state in ('scheduled', 'investigating', 'identified', 'monitoring', 'resolved')),
      severity text not null check (severity in ('minor', 'major', 'critical')),
      parts text not null default '[]',
      opened_at integer not null,
      starts_at integer not null,
      ends_at integer,
      resolved_at integer,
      updated_at integer not null
    )`,
    'create index incidents_by_start on incidents (starts_at)',
    `create table incident_updates (
      id text primary key,
      incident_id text not null references incidents (id) on delete cascade,
      position integer not null,
      state text not null,
      body text not null,
      created_at integer not null,
      unique (incident_id, position)
    )`,
  ],
  // Libraries pinned by project lockfiles, and the documentation addresses from package registries.
  '0019-profile': [
    `create table profiles (
      id text primary key,
      workspace text not null,
      name text not null,
      content_hash text not null,
      lockfiles text not null default '[]',
      created_at integer not null,
      updated_at integer not null,
      updated_by_user_id text not null,
      unique (workspace, name)
    )`,
    `create table profile_pins (
      profile_id text not null references profiles (id) on delete cascade,
      ecosystem text not null,
      name text not null,
      version text not null,
      match_name text not null,
      is_direct integer not null,
      is_dev integer not null,
      job_id text,
      primary key (profile_id, ecosystem, name, version)
    )`,
    `create index profile_pins_by_match_name on profile_pins (profile_id, match_name)`,
    `create table library_addresses (
      ecosystem text not null,
      name text not null,
      version text not null,
      offers text not null,
      fault text,
      asked_at integer not null,
      primary key (ecosystem, name, version)
    )`,
    `create index library_addresses_by_asked_at on library_addresses (asked_at)`,
  ],
  // Sources that agents request from people, and which keys and applications may request them.
  '0020-index-requests': [
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
  // Conference sign-ups. A row without `confirmed_at` waits for the link in its mail.
  '0021-conf': [
    `create table conf_sign_ups (
      id text primary key,
      email text not null unique,
      created_at integer not null,
      confirm_hash text unique,
      confirm_expires_at integer,
      confirmed_at integer
    )`,
  ],
  // Questions to people at their clients; savings by session; modules' probe questions, and built versions held
  // back because they answer these worse.
  '0022-agents': [
    `create table agent_questions (
      id text primary key,
      session_id text not null references agent_sessions (id) on delete cascade,
      kind text not null check (kind in ('library', 'version')),
      offered text not null,
      state text not null check (state in ('asked', 'answered', 'declined')),
      answer text,
      asked_at integer not null,
      answered_at integer
    )`,
    `create unique index agent_questions_open on agent_questions (session_id) where state = 'asked'`,
    `create index agent_questions_by_session on agent_questions (session_id)`,
    `create table module_probes (
      id text primary key,
      module_id text not null references modules (id) on delete cascade,
      question text not null,
      address text not null,
      origin text not null check (origin in ('person', 'generated')),
      created_at integer not null
    )`,
    `create index module_probes_by_module on module_probes (module_id, created_at)`,
    `alter table job_runs add column quality text`,
    `alter table job_runs add column held text`,
    `alter table call_receipts add column session_id text`,
    `create index call_receipts_by_session on call_receipts (session_id)`,
  ],
  // Hash of a call's idempotency key: a repeated call gets the same response.
  '0023-call-keys': ['alter table agent_calls add column call_key text'],
  // Webhook events from repository hosts. A webhook's secret is derived from the installation's key and the
  // webhook's generation.
  '0026-repository-webhooks': [
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
  // Results of webhook events; a removed webhook keeps its generation.
  '0027-sources': [
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
  // Mails that the mail server has not accepted yet. The mail is encrypted, because it contains sign-in links; its
  // recipient is stored as a hash, so that a person's waiting mails can be deleted with the account.
  '0028-waiting-mails': [
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
  // Segments stored in the search cluster.
  '0029-cluster-segments': [
    `create table cluster_segments (
      segment_id text primary key,
      tenant text not null,
      index_id text not null,
      lease_until integer not null,
      ready_at integer
    )`,
  ],
  // An allowance belongs to a paid period: `allowance_start_at` is the start of its billing cycle. A billing
  // account has the plan in `tier` and `quantity` until `period_end_at`, and the plan in `next_…` afterwards.
  '0030-paid-time': [
    `alter table users add column allowance_start_at integer`,
    `alter table teams add column allowance_start_at integer`,
    `alter table billing_accounts add column period_start_at integer`,
    `alter table billing_accounts add column next_tier text not null default 'Free'`,
    `alter table billing_accounts add column next_quantity integer not null default 0 check (next_quantity >= 0)`,
  ],
  // The browser session that requested a code's mail.
  '0034-codes-know-their-session': [`alter table action_codes add column session_id text`],
  // Files that a committed change no longer uses: they are deleted because of a row, not because a row is missing.
  '0041-blob-deletions': [
    `create table blob_deletions (
      prefix text primary key,
      created_at integer not null
    )`,
  ],
  // Accounts disabled by the operator, and the whole audit log in chronological order.
  '0050-disabled-accounts': [
    `alter table users add column disabled_at integer`,
    `create index audit_log_by_time on audit_log (created_at)`,
    `create index users_by_time on users (created_at)`,
  ],
  // An API key's rights beyond searching and reading, as comma-separated names.
  '0051-key-rights': [`alter table api_keys add column rights text not null default 'search'`],
  // Receipts summed up by day (counted from 1970, UTC), so that 30 busy days are read from a few hundred rows. Rows
  // without a team or key have an empty text there: nulls are never equal in a primary key.
  '0052-call-days': [
    `create table call_days (
      user_id text not null,
      team_id text not null,
      key_id text not null,
      day integer not null,
      tool text not null check (tool in ('search', 'read')),
      calls integer not null,
      answered integer not null,
      credits integer not null,
      tokens integer not null,
      whole_page_tokens integer not null,
      withheld_tokens integer not null,
      last_at integer not null,
      primary key (user_id, team_id, day, key_id, tool)
    )`,
    `create index call_days_by_team on call_days (team_id, day)`,
    `insert into call_days (user_id, team_id, key_id, day, tool, calls, answered, credits, tokens, whole_page_tokens,
        withheld_tokens, last_at)
      select user_id, coalesce(team_id, ''), coalesce(key_id, ''), at / 86400000, tool, count(*),
        sum(case when whole_page_tokens > 0 then 1 else 0 end), sum(credits), sum(tokens), sum(whole_page_tokens),
        sum(withheld_tokens), max(at)
      from call_receipts group by user_id, coalesce(team_id, ''), coalesce(key_id, ''), at / 86400000, tool`,
  ],
  // When a run's unreadable pages are retried.
  '0053-page-retries': [
    `alter table job_runs add column retry_at integer`,
    `create index job_runs_by_retry on job_runs (retry_at) where retry_at is not null`,
  ],
  // State of a sign-on domain's proof: the last response about its record, and since when the record is missing.
  '0054-sign-on-checks': [
    `alter table team_sign_ons add column checked_at integer`,
    `alter table team_sign_ons add column missing_since integer`,
    `alter table team_sign_ons add column is_vouched_for integer not null default 0`,
  ],
  // Webhooks of removed repositories, to be deleted at the code host with the token in the same row.
  '0055-left-webhooks': [`alter table code_host_revocations add column webhook text`],
  // A project's numbers of libraries, and its pins that searches pass over for another of the same library.
  '0056-profile-counts': [
    `alter table profiles add column library_count integer not null default 0`,
    `alter table profiles add column direct_count integer not null default 0`,
    `update profiles set
      library_count = (select count(*) from profile_pins where profile_id = profiles.id),
      direct_count = (select count(*) from profile_pins where profile_id = profiles.id and is_direct = 1)`,
    `alter table profile_pins add column is_passed_over integer not null default 0`,
  ],
};

export const migrations: Migration[] = Object.entries(steps).map(([name, statements]) => ({ name, statements }));
