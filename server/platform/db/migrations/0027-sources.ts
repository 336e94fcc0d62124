import type { Migration } from './migration.ts';

/** What came of the events that hosts of repositories told; a webhook that was removed keeps its generation. */
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
