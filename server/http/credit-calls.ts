import { creditEndpoints } from '#contract/credits.ts';
import {
  exportTransactions,
  getCreditInfo,
  getMemberUsage,
  getMonthlyUsage,
  getSavings,
  getUsage,
  listTransactions,
} from '#server/features/credits/index.ts';
import { type Call, call } from './call-table.ts';

export function creditCalls(): Call[] {
  return [
    call(creditEndpoints.getCreditInfo, async (ctx) => ({ credits: await getCreditInfo(ctx) })),
    call(creditEndpoints.getMonthlyUsage, async (ctx) => ({ usage: await getMonthlyUsage(ctx) })),
    call(creditEndpoints.listTransactions, async (ctx, input) => ({
      transactions: await listTransactions(ctx, input),
    })),
    call(creditEndpoints.exportTransactions, (ctx, input) => exportTransactions(ctx, input)),
    call(creditEndpoints.getMemberUsage, (ctx, input) => getMemberUsage(ctx, input)),
    call(creditEndpoints.getSavings, async (ctx, input) => ({ savings: await getSavings(ctx, input) })),
    call(creditEndpoints.getUsage, async (ctx, input) => ({ days: await getUsage(ctx, input) })),
  ];
}
