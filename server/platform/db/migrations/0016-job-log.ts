import type { Migration } from './migration.ts';

/** What a run left out and why, address by address. */
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
