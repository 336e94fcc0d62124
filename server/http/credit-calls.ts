import { creditEndpoints } from '#contract/credits.ts';
import { insightEndpoints } from '#contract/insights.ts';
import {
  adjustCredits,
  exportTransactions,
  getCreditInfo,
  getInsights,
  getMemberUsage,
  getMonthlyUsage,
  getSavings,
  getUsage,
  listAgentCalls,
  listTransactions,
} from '#server/features/credits/index.ts';
import { type Call, call } from './call-table.ts';

export interface CreditCallDependencies {
  areCreditsOn: boolean;
}

export function creditCalls({ areCreditsOn }: CreditCallDependencies): Call[] {
  const isFree = !areCreditsOn;
  return [
    call(creditEndpoints.adjustCredits, (ctx, input) => adjustCredits(ctx, input)),
    call(creditEndpoints.getCreditInfo, async (ctx) => ({ credits: await getCreditInfo(ctx, { isFree }) })),
    call(creditEndpoints.getMonthlyUsage, async (ctx) => ({ usage: await getMonthlyUsage(ctx) })),
    call(creditEndpoints.listTransactions, async (ctx, input) => ({
      transactions: await listTransactions(ctx, input),
    })),
    call(creditEndpoints.exportTransactions, (ctx, input) => exportTransactions(ctx, input)),
    call(creditEndpoints.getMemberUsage, (ctx, input) => getMemberUsage(ctx, input)),
    call(creditEndpoints.getSavings, async (ctx, input) => ({ savings: await getSavings(ctx, input) })),
    call(insightEndpoints.listAgentCalls, async (ctx, input) => ({ calls: await listAgentCalls(ctx, input) })),
    call(insightEndpoints.getInsights, async (ctx, input) => ({ insights: await getInsights(ctx, input) })),
    call(creditEndpoints.getUsage, async (ctx, input) => ({ days: await getUsage(ctx, input) })),
  ];
}
