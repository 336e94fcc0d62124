export { catchUpBilling } from './catch-up.ts';
export { changePlan, previewChange, setCancellation } from './change-subscription.ts';
export { checkPromotion } from './check-promotion.ts';
export { listOverdueEvents } from './event-store.ts';
export { getBilling, listInvoices, openPortal } from './get-billing.ts';
export type { Billing } from './open-billing.ts';
export { openCreditCheckout, openSubscriptionCheckout } from './open-checkout.ts';
export { describeTestPortal, payTestCheckout } from './test-pages.ts';
