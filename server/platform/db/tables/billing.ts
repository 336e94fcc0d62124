import type { Generated } from 'kysely';
import type { Workspace } from '../column-types.ts';

export interface BillingTables {
  billingAccounts: BillingAccountsTable;
  billingEvents: BillingEventsTable;
  testPaymentBooks: TestPaymentBooksTable;
  testPaymentEvents: TestPaymentEventsTable;
}

/** How a payer stands with the payment provider, as it was read last. */
interface BillingAccountsTable {
  payer: Exclude<Workspace, 'public'>;
  /** Which provider this is about. */
  mode: 'test' | 'stripe';
  customerId: string | null;
  subscriptionId: string | null;
  subscriptionStatus: string | null;
  /** The plan that is held until the end of the period. */
  tier: Generated<string>;
  /** Seats; 1 for a person with a paid plan. */
  quantity: Generated<number>;
  /** What the next period will be charged for. */
  nextTier: Generated<string>;
  nextQuantity: Generated<number>;
  startedAt: number | null;
  periodStartAt: number | null;
  periodEndAt: number | null;
  cancelAtPeriodEnd: Generated<number>;
  /** JSON object. */
  discount: string | null;
  /** The payment page for a subscription that was opened last. */
  openCheckoutId: string | null;
  /** Number of the last reading of the provider that was begun. */
  lastRead: Generated<number>;
  /** And of the one that was written: one that was begun before it is older news. */
  writtenRead: Generated<number>;
  /** Who is changing the subscription, and until when they may. */
  busyToken: string | null;
  busyUntil: number | null;
  /** When the payer was deleted: the provider does not know yet. */
  closingAt: number | null;
}

interface BillingEventsTable {
  /** The provider's. */
  id: string;
  type: string;
  /** JSON object: what must be read again; null: nothing. */
  concern: string | null;
  receivedAt: number;
  tries: Generated<number>;
  /** Null: not settled yet. */
  outcome: 'applied' | 'ignored' | 'refused' | null;
  /** Why, in words. */
  detail: Generated<string>;
  settledAt: number | null;
}

interface TestPaymentBooksTable {
  customerId: string;
  /** JSON object. */
  document: string;
  revision: Generated<number>;
}

/** Events of the test mode that wait to be delivered. */
interface TestPaymentEventsTable {
  id: string;
  body: string;
  createdAt: number;
}
