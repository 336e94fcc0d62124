import type { Migration } from './migration.ts';

/** Webhooks of removed repositories, to delete at the code host with the token beside them. */
export const leftWebhooks: Migration = {
  name: '0055-left-webhooks',
  statements: [`alter table code_host_revocations add column webhook text`],
};
