export { catchUpBilling } from './catch-up.ts';
export { changePlan, previewChange, setCancellation } from './change-subscription.ts';
export { listOverdueEvents } from './check-events.ts';
export { checkPromotion } from './check-promotion.ts';
export { closeBilling, forgetBuyer, forgetOtherMode, onBillingClosed } from './close-billing.ts';
export type { BillingDependencies } from './dependencies.ts';
export { getBilling, listInvoices, openPortal } from './get-billing.ts';
export { changeSeatCount, manageSeats } from './manage-seats.ts';
export { openCreditCheckout, openSubscriptionCheckout, packsOf, tierOfPrice } from './open-checkout.ts';
export { receiveEvent } from './receive-event.ts';
export {
  actInTestPortal,
  declineTestCheckout,
  describeTestCheckout,
  describeTestPortal,
  type PortalAct,
  payTestCheckout,
} from './test-pages.ts';
