import type { UsageDay } from '#contract/credits.ts';
import type { Context } from '#server/context.ts';
import { requireLedgerScope } from './ledger-scope.ts';
import { sumCallsByDay } from './store.ts';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * The acting person's calls of the last days, in a team those made there and for an admin everyone's; today included,
 * oldest first; days are UTC and none is left out.
 */
export async function getUsage(ctx: Context, { days }: { days: number }): Promise<UsageDay[]> {
  const scope = requireLedgerScope(ctx);
  const today = Math.floor(ctx.clock.now() / dayMs);
  const first = today - days + 1;
  const sums = await sumCallsByDay(ctx.db.query, scope, first);
  const series = Array.from({ length: days }, (_, index) => emptyDay((first + index) * dayMs));
  for (const { day, tool, calls, answered, ...sum } of sums) {
    const entry = series[day - first];
    if (entry === undefined) continue;
    if (tool === 'search') {
      entry.searches += calls;
      entry.answeredSearches += answered;
    } else entry.reads += calls;
    entry.credits += sum.credits;
    entry.tokensSent += sum.tokensSent;
    entry.wholePageTokens += sum.wholePageTokens;
    entry.withheldTokens += sum.withheldTokens;
  }
  return series;
}

function emptyDay(at: number): UsageDay {
  return {
    at,
    searches: 0,
    answeredSearches: 0,
    reads: 0,
    credits: 0,
    tokensSent: 0,
    wholePageTokens: 0,
    withheldTokens: 0,
  };
}
