export type { CallMeter, MeteredCall } from './call-meter.ts';
export { checkLedger } from './check-ledger.ts';
export { creditsFor } from './cycle.ts';
export {
  allowanceOfCycle,
  announceCredits,
  grantPurchase,
  recordAllowance,
  settleReturn,
  settleReturnedAllowance,
} from './grant-paid-credits.ts';
export type { Credits } from './open-credits.ts';
