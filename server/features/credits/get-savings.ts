import type { SavingsLedger, SavingsSum } from '#contract/credits.ts';
import * as limits from '#contract/limits.ts';
import { savedTokensOf } from '#contract/savings.ts';
import type { Context } from '#server/context.ts';
import { requireLedgerScope } from './ledger-scope.ts';
import { type NamedSums, type ReceiptSums, sumCalls, sumCallsByKey, sumReceiptsBySession } from './savings-store.ts';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * What the acting person's calls of the last days (UTC, today included) saved, in a team those made there and for an admin
 * everyone's: in all, by key or application, and by conversation. A search that found something counts as one look-up at the
 * baseline of `contract/limits.ts`; everything that was sent, reads too, is taken off. Searches that found nothing save nothing.
 */
export async function getSavings(ctx: Context, { days }: { days: number }): Promise<SavingsLedger> {
  const scope = requireLedgerScope(ctx);
  const firstDay = Math.floor(ctx.clock.now() / dayMs) - days + 1;
  const since = firstDay * dayMs;
  const total = await sumCalls(ctx.db.query, scope, firstDay);
  const keys = await sumCallsByKey(ctx.db.query, scope, firstDay);
  const sessions = await sumReceiptsBySession(ctx.db.query, scope, { since, count: limits.savingsSessionsListed });
  return {
    since,
    baselineTokens: limits.baselineTokens,
    total: withSaved(total),
    keys: keys
      .map(withSaved<NamedSums>)
      .sort((a, b) => b.savedTokens - a.savedTokens || b.lastAt - a.lastAt)
      .slice(0, limits.savingsKeysListed),
    sessions: sessions.map(withSaved<NamedSums>),
  };
}

function withSaved<Sums extends ReceiptSums>(sums: Sums): Sums & Pick<SavingsSum, 'savedTokens'> {
  return { ...sums, savedTokens: savedTokensOf(sums.answeredSearches, sums.tokensSent) };
}
