import type { Migration } from './migration.ts';

/** Files that a committed change has given up: they are deleted because a row says so, not because one is missing. */
export const blobDeletions: Migration = {
  name: '0041-blob-deletions',
  statements: [
    `create table blob_deletions (
      prefix text primary key,
      created_at integer not null
    )`,
  ],
};
