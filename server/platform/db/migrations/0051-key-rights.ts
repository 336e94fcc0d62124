import type { Migration } from './migration.ts';

/** What an API key may do beside searching and reading: the names of its rights, separated by commas. */
export const keyRights: Migration = {
  name: '0051-key-rights',
  statements: [`alter table api_keys add column rights text not null default 'search'`],
};
