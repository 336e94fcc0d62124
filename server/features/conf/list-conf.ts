import type { Context } from '#server/context.ts';
import { requireOperator } from '#server/features/accounts/index.ts';
import { listConfirmed } from './store.ts';

/** Returns the confirmed addresses, oldest first. Operators only. */
export async function listConf(ctx: Context): Promise<{ email: string; confirmedAt: number }[]> {
  requireOperator(ctx);
  const rows = await listConfirmed(ctx.db.query);
  return rows.map(({ email, confirmedAt }) => ({ email, confirmedAt: confirmedAt ?? 0 }));
}
