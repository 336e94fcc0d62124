import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

/** An account or pool whose numbers are inconsistent. */
export interface LedgerFault {
  /** The workspace. */
  what: string;
  detail: string;
}

/**
 * Compares the ledger with the figures derived from it: each user's and team's balance must be the sum of its rows and
 * not negative, the used allowance must be the sum of the rows paid from it, each caller's receipts must match the
 * ledger, and the days must count at least as many calls as there are receipts. Read-only; safe during calls, since
 * each sum is taken in one statement.
 */
export async function checkLedger(ctx: Context): Promise<LedgerFault[]> {
  return [
    ...(await balances(ctx, 'users')),
    ...(await balances(ctx, 'teams')),
    ...(await allowances(ctx)),
    ...(await receipts(ctx)),
    ...(await days(ctx)),
  ];
}

async function balances(ctx: Context, table: 'users' | 'teams'): Promise<LedgerFault[]> {
  const isOwn = table === 'users' ? sql`t.user_id = p.id and t.team_id is null` : sql`t.team_id = p.id`;
  const { rows } = await sql<{ id: string; credits: number; ledger: number }>`
    select id, credits, ledger from (
      select p.id, p.credits, coalesce((
        select sum(t.amount) from credit_transactions t where t.is_from_monthly_allowance = 0 and ${isOwn}
      ), 0) as ledger
      from ${sql.table(table)} p
    ) sums where credits <> ledger or credits < 0 order by id`.execute(ctx.db.query);
  const kind = table === 'users' ? 'user' : 'team';
  return rows.map(({ id, credits, ledger }) => ({
    what: `${kind}:${id}`,
    detail: `has a balance of ${credits} credits, but its ledger rows add up to ${ledger}`,
  }));
}

async function allowances(ctx: Context): Promise<LedgerFault[]> {
  const { rows } = await sql<{ workspace: string; used: number; ledger: number }>`
    select workspace, sum(used) as used, sum(ledger) as ledger from (
      select workspace, credits_used as used, 0 as ledger from monthly_usage
      union all
      select case when team_id is null then 'user:' || user_id else 'team:' || team_id end as workspace,
        0 as used, 0 - amount as ledger
      from credit_transactions where is_from_monthly_allowance = 1 and source = 'usage'
    ) sums group by workspace having sum(used) <> sum(ledger) order by workspace`.execute(ctx.db.query);
  return rows.map(({ workspace, used, ledger }) => ({
    what: workspace,
    detail: `has used ${used} allowance credits, but its ledger rows add up to ${ledger}`,
  }));
}

async function receipts(ctx: Context): Promise<LedgerFault[]> {
  const { rows } = await sql<{ userId: string; charged: number; ledger: number }>`
    select user_id, sum(charged) as charged, sum(ledger) as ledger from (
      select user_id, credits as charged, 0 as ledger from call_receipts
      union all
      select user_id, 0 as charged, 0 - amount as ledger from credit_transactions where source = 'usage'
    ) sums group by user_id having sum(charged) <> sum(ledger) order by user_id`.execute(ctx.db.query);
  return rows.map(({ userId, charged, ledger }) => ({
    what: `user:${userId}`,
    detail: `was charged ${charged} credits by its receipts, but ${ledger} by the ledger`,
  }));
}

async function days(ctx: Context): Promise<LedgerFault[]> {
  // A day may count more free calls than left a receipt.
  const { rows } = await sql<{ userId: string; calls: number; receipts: number; credits: number; charged: number }>`
    select user_id, sum(calls) as calls, sum(receipts) as receipts, sum(credits) as credits, sum(charged) as charged from (
      select user_id, calls, 0 as receipts, credits, 0 as charged from call_days
      union all
      select user_id, 0 as calls, 1 as receipts, 0 as credits, credits as charged from call_receipts
    ) sums group by user_id having sum(calls) < sum(receipts) or sum(credits) <> sum(charged) order by user_id`.execute(
    ctx.db.query,
  );
  return rows.map(({ userId, calls, receipts: written, credits, charged }) => ({
    what: `user:${userId}`,
    detail: `has ${calls} calls for ${credits} credits in its daily totals, but ${written} receipts for ${charged} credits`,
  }));
}
