import type { Migration } from './migration.ts';

/** Under which idempotency key, as a hash, a call came: sent again, it gets the same response. */
export const callKeys: Migration = {
  name: '0023-call-keys',
  statements: ['alter table agent_calls add column call_key text'],
};
