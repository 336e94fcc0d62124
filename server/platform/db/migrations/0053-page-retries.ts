import type { Migration } from './migration.ts';

/** When the pages that a run could not read are read again. */
export const pageRetries: Migration = {
  name: '0053-page-retries',
  statements: [
    `alter table job_runs add column retry_at integer`,
    `create index job_runs_by_retry on job_runs (retry_at) where retry_at is not null`,
  ],
};
