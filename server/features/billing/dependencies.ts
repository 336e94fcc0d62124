import type { Payments } from '#server/platform/payments/open-payments.ts';

/** Published when billing was closed with its payer's deletion. */
export const billingClosedTopic = 'billing-closed';

/** What the verbs of billing need beside their context; wired by the composition root. */
export interface BillingDependencies {
  payments: Payments;
  /** Where people reach this installation: payment pages lead back there. */
  publicUrl: string;
  /** How long the person who delivers an event waits for its effect; after that it is seen to without them. */
  eventAnswerMs: number;
}
