import type { Migration } from './migration.ts';

/**
 * An allowance belongs to a period that was paid for: `allowance_start_at` is the beginning of its billing cycle. A billing
 * account keeps what is held until `period_end_at` in `tier` and `quantity`, and what is charged for after it in `next_…`.
 */
export const paidTime: Migration = {
  name: '0030-paid-time',
  statements: [
    `alter table users add column allowance_start_at integer`,
    `alter table teams add column allowance_start_at integer`,
    `alter table billing_accounts add column period_start_at integer`,
    `alter table billing_accounts add column next_tier text not null default 'Free'`,
    `alter table billing_accounts add column next_quantity integer not null default 0 check (next_quantity >= 0)`,
  ],
};
