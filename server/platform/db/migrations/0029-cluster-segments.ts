import type { Migration } from './migration.ts';

/** Which segments lie in the search cluster. */
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
