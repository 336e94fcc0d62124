export { grantInitialCredits } from './adjust-credits.ts';
export { anonymiseLedger } from './anonymise-ledger.ts';
export { type CallMeter, createCallMeter, type MeteredCall } from './call-meter.ts';
export { checkLedger } from './check-ledger.ts';
export { accountCreditsOf, getCreditInfo, getMonthlyUsage } from './credit-info.ts';
export { creditsFor } from './cycle.ts';
export {
  allowanceOfCycle,
  announceCredits,
  grantPurchase,
  recordAllowance,
  settleReturn,
  settleReturnedAllowance,
} from './grant-paid-credits.ts';
export { exportTransactions, listTransactions } from './list-transactions.ts';
export type { Credits } from './open-credits.ts';
export { getMemberUsage, getSavings, getUsage } from './usage.ts';
