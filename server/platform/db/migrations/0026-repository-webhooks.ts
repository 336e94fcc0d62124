import type { Migration } from './migration.ts';

/** Events that hosts of repositories tell. The secret of a webhook follows from the installation's key and its generation. */
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
