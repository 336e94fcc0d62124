import type { Context } from '#server/context.ts';
import { readBalance } from './credit-info.ts';
import { findCreditAccounts } from './store.ts';

/** What accounts have in all, allowance and balance, by user id; those that pay nothing are left out. */
export async function accountCreditsOf(ctx: Context, userIds: string[]): Promise<Map<string, number>> {
  const totals = new Map<string, number>();
  for (const account of await findCreditAccounts(ctx.db.query, userIds)) {
    const { info } = await readBalance(ctx.db.query, account);
    if (!info.isUnlimited) totals.set(account.id, info.totalCreditsAvailable);
  }
  return totals;
}
