import type { Generated } from 'kysely';
import type { Workspace } from '../column-types.ts';

export interface BillingTables {
  billingAccounts: BillingAccountsTable;
  billingEvents: BillingEventsTable;
  testPaymentBooks: TestPaymentBooksTable;
  testPaymentEvents: TestPaymentEventsTable;
}

/** A payer's state at the payment provider, as last read. */
interface BillingAccountsTable {
  payer: Exclude<Workspace, 'public'>;
  /** The provider of this row's data. */
  mode: 'test' | 'stripe';
  customerId: string | null;
  subscriptionId: string | null;
  subscriptionStatus: string | null;
  /** The plan until the end of the period. */
  tier: Generated<string>;
  /** Seats; 1 for a person with a paid plan. */
  quantity: Generated<number>;
  /** The plan charged for the next period. */
  nextTier: Generated<string>;
  nextQuantity: Generated<number>;
  startedAt: number | null;
  periodStartAt: number | null;
  periodEndAt: number | null;
  cancelAtPeriodEnd: Generated<number>;
  /** JSON object. */
  discount: string | null;
  /** The payment page most recently opened for a subscription. */
  openCheckoutId: string | null;
  /** Number of the most recently started read from the provider. */
  lastRead: Generated<number>;
  /** Number of the most recent read that was stored: results of earlier reads are discarded. */
  writtenRead: Generated<number>;
  /** Token of the process that is changing the subscription, and the end of its lease. */
  busyToken: string | null;
  busyUntil: number | null;
  /** When the payer was deleted; set until the provider has been notified. */
  closingAt: number | null;
}

interface BillingEventsTable {
  /** Assigned by the provider. */
  id: string;
  type: string;
  /** JSON object: what to read again from the provider; null for nothing. */
  concern: string | null;
  receivedAt: number;
  tries: Generated<number>;
  /** Null until the event is settled. */
  outcome: 'applied' | 'ignored' | 'refused' | null;
  /** The reason as text. */
  detail: Generated<string>;
  settledAt: number | null;
}

interface TestPaymentBooksTable {
  customerId: string;
  /** JSON object. */
  document: string;
  revision: Generated<number>;
}

/** Test-mode events waiting for delivery. */
interface TestPaymentEventsTable {
  id: string;
  body: string;
  createdAt: number;
}
