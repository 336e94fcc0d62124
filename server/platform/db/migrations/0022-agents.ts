import type { Migration } from './migration.ts';

/**
 * Questions to people at their clients; savings by session; modules' probe questions, and built versions held back
 * because they answer these worse.
 */
export const agents: Migration = {
  name: '0022-agents',
  statements: [
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
};
