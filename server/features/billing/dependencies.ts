import type { Payments } from '#server/platform/payments/open-payments.ts';

/** Published when a deleted payer's billing was closed. */
export const billingClosedTopic = 'billing-closed';

/** Dependencies of the billing calls besides the context; wired by the composition root. */
export interface BillingDependencies {
  payments: Payments;
  /** The installation's public address, to which payment pages return. */
  publicUrl: string;
  /** How long the delivery of an event waits for its effect; after that the work continues in the background. */
  eventAnswerMs: number;
}
