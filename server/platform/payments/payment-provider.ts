import { z } from 'zod';
import {
  type Discount,
  discountSchema,
  type Invoice,
  type PaidTier,
  type PaymentMode,
  paidTiers,
  subscriptionStatuses,
} from '#contract/billing.ts';
import { CodedError } from '../coded-error.ts';

/** The payer, as a workspace: a person or a team. */
export type Payer = `user:${string}` | `team:${string}`;

/** A payment page to open. */
export interface Order {
  payer: Payer;
  /** The person who ordered. */
  buyerId: string;
  customerId: string;
  /** Monthly seats of a plan, or one-time credit packs. */
  what: { kind: 'subscription'; tier: PaidTier } | { kind: 'credits' };
  quantity: number;
  promotionCode?: string;
  returnUrl: string;
  cancelUrl: string;
}

const text = z.string().regex(/^[^\0]*$/);
/** Up to the year 9999. */
const instant = z.int().min(0).max(253_402_300_799_999);
const quantity = z.int().min(-1_000_000).max(1_000_000);
/** From the order; null if the object was not made for us. */
const parties = {
  payer: z.custom<Payer>((value) => text.safeParse(value).success).nullable(),
  buyerId: text.nullable(),
};
/** Share, 0 to 1, of a payment that was refunded or charged back. */
const returnedShare = z.number().min(0).max(1);

/** The current state of a payment page. */
export const checkoutSnapshotSchema = z.object({
  id: text,
  ...parties,
  customerId: text.nullable(),
  kind: z.enum(['subscription', 'credits']),
  status: z.enum(['open', 'complete', 'expired']),
  isPaid: z.boolean(),
  returnedShare,
  subscriptionId: text.nullable(),
  /** True if the price is the one configured for credits. */
  isCreditPrice: z.boolean(),
  quantity,
  /** Before discounts. */
  subtotalCents: z.int(),
  currency: text,
});
export type CheckoutSnapshot = z.infer<typeof checkoutSnapshotSchema>;

/** Time on a plan that an invoice charges for. A negative quantity deducts time paid for earlier. */
const paidTimeSchema = z.object({
  tier: z.enum(paidTiers),
  quantity,
  startAt: instant,
  /** End of the subscription's period. */
  endAt: instant,
});
export type PaidTime = z.infer<typeof paidTimeSchema>;

/** What one invoice of a subscription charges for: a whole period, or a change for the rest of one. */
export const invoiceSnapshotSchema = z.object({
  id: text,
  subscriptionId: text.nullable(),
  isPaid: z.boolean(),
  paidFor: z.array(paidTimeSchema),
  /** Absent if only the invoice was read. */
  returnedShare: returnedShare.optional(),
});
export type InvoiceSnapshot = z.infer<typeof invoiceSnapshotSchema>;

/** The current state of a subscription. */
export const subscriptionSnapshotSchema = z.object({
  id: text,
  ...parties,
  customerId: text,
  status: z.enum(subscriptionStatuses),
  /** Null if its price is not one of our plans. */
  tier: z.enum(paidTiers).nullable(),
  quantity,
  startedAt: instant,
  periodStartAt: instant,
  periodEndAt: instant,
  cancelAtPeriodEnd: z.boolean(),
  endedAt: instant.nullable(),
  discount: discountSchema.extend({ code: text, percentOff: z.number().min(0).max(100).nullable() }).nullable(),
  latestInvoice: invoiceSnapshotSchema.nullable(),
});
export type SubscriptionSnapshot = z.infer<typeof subscriptionSnapshotSchema>;

/**
 * A change of what a subscription charges for. `invoice`: the difference for the rest of the period is charged at once;
 * `none`: the change costs nothing before the next period.
 */
export interface SubscriptionChange {
  tier: PaidTier;
  quantity: number;
  proration: 'invoice' | 'none';
}

/** The subject of an event, which must be read again from the provider; the event's own content is not used. */
export type Concern =
  | { kind: 'checkout'; id: string }
  | { kind: 'subscription'; id: string }
  | { kind: 'invoice'; id: string }
  | { kind: 'payment'; id: string };

/** An event from the provider with a verified signature. Without `concern` it is irrelevant here. */
export interface PaymentEvent {
  id: string;
  type: string;
  concern: Concern | undefined;
}

/** The cost of a change with `invoice`. */
export const previewedChangeSchema = z.object({
  dueNowCents: z.int(),
  monthlyCents: z.int(),
  renewsAt: instant,
  paidFor: z.array(paidTimeSchema),
});
export type PreviewedChange = z.infer<typeof previewedChangeSchema>;

type PaymentErrorCode =
  | 'declined'
  | 'not-refundable'
  | 'key-reused'
  | 'no-promotion'
  | 'unavailable'
  | 'unreadable'
  | 'forged';

/** Thrown if the provider did not carry out a request. */
export class PaymentError extends CodedError<PaymentErrorCode> {
  override readonly name = 'PaymentError';
}

/**
 * Takes payments. The provider's data is authoritative: our own state is derived from it. Amounts are in US cents,
 * instants in epoch milliseconds. Calls throw PaymentError. Calls with a `key` have no effect when repeated with the
 * same key, and are refused (`key-reused`) if another request used it.
 */
export interface PaymentProvider {
  readonly mode: PaymentMode;
  readonly priceIds: Record<PaidTier, string>;
  createCustomer(customer: { payer: Payer; name: string; email: string | null }, key: string): Promise<string>;
  openCheckout(order: Order, key: string): Promise<{ checkoutId: string; url: string }>;
  /** Expires a payment page, so that no one can pay on it; does nothing if it is not open. */
  expireCheckout(checkoutId: string): Promise<void>;
  /** Same for all payment pages of a customer. */
  expireCheckouts(customerId: string): Promise<void>;
  findCheckout(checkoutId: string): Promise<CheckoutSnapshot | undefined>;
  findCheckoutOfPayment(paymentId: string): Promise<CheckoutSnapshot | undefined>;
  findSubscription(subscriptionId: string): Promise<SubscriptionSnapshot | undefined>;
  findInvoice(invoiceId: string): Promise<InvoiceSnapshot | undefined>;
  /** Returns the subscription invoice of a payment, with the returned share. */
  findInvoiceOfPayment(paymentId: string): Promise<InvoiceSnapshot | undefined>;
  previewChange(
    subscriptionId: string,
    change: Pick<SubscriptionChange, 'tier' | 'quantity'>,
  ): Promise<PreviewedChange>;
  /** Refuses (`declined`), without changes, if the amount due at once cannot be charged. */
  changeSubscription(subscriptionId: string, change: SubscriptionChange, key: string): Promise<void>;
  setCancelAtPeriodEnd(subscriptionId: string, isCancelled: boolean): Promise<void>;
  /** Ends the subscription at once; does nothing if it has ended. */
  endSubscription(subscriptionId: string): Promise<void>;
  findPromotion(code: string): Promise<Discount | undefined>;
  openPortal(customerId: string, returnUrl: string): Promise<string>;
  /** Newest first, at most 100. */
  listInvoices(customerId: string): Promise<Invoice[]>;
  /** Verifies the signature over the raw bytes, at most five minutes from `receivedAt`; throws `forged` otherwise. */
  readEvent(body: string, signature: string, receivedAt: number): PaymentEvent;
}

/** The provider's calls for subscriptions. */
export type SubscriptionCalls = Pick<
  PaymentProvider,
  'findSubscription' | 'previewChange' | 'changeSubscription' | 'setCancelAtPeriodEnd' | 'endSubscription'
>;
