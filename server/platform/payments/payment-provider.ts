import type { ChangePreview, Discount, Invoice, PaidTier, PaymentMode, SubscriptionStatus } from '#contract/billing.ts';
import { CodedError } from '../coded-error.ts';

/** Who pays, as a workspace: a person or a team. */
export type Payer = `user:${string}` | `team:${string}`;

/** A payment page to open. */
export interface Order {
  payer: Payer;
  /** Who asked for it. */
  buyerId: string;
  customerId: string;
  /** Seats of a plan by the month, or packs of credits once. */
  what: { kind: 'subscription'; tier: PaidTier } | { kind: 'credits' };
  quantity: number;
  promotionCode?: string;
  returnUrl: string;
  cancelUrl: string;
}

/** A payment page as it stands now. */
export interface CheckoutSnapshot {
  id: string;
  /** As the order said; null when the page was not opened by us. */
  payer: Payer | null;
  buyerId: string | null;
  customerId: string | null;
  kind: 'subscription' | 'credits';
  status: 'open' | 'complete' | 'expired';
  isPaid: boolean;
  /** How much of the payment was refunded or charged back: 0 to 1. */
  returnedShare: number;
  subscriptionId: string | null;
  /** Whether the price is the one configured for credits. */
  isCreditPrice: boolean;
  quantity: number;
  /** Before discounts. */
  subtotalCents: number;
  currency: string;
}

/** A subscription as it stands now. */
export interface SubscriptionSnapshot {
  id: string;
  payer: Payer | null;
  buyerId: string | null;
  customerId: string;
  status: SubscriptionStatus;
  /** Null when its price is not of our plans. */
  tier: PaidTier | null;
  quantity: number;
  startedAt: number;
  periodStartAt: number;
  periodEndAt: number;
  cancelAtPeriodEnd: boolean;
  endedAt: number | null;
  discount: Discount | null;
  latestInvoice: InvoiceSnapshot | null;
}

/** Time on a plan that an invoice charges for. A negative quantity counts against it time that was paid for before. */
export interface PaidTime {
  tier: PaidTier;
  quantity: number;
  startAt: number;
  /** End of the subscription's period. */
  endAt: number;
}

/** What one invoice of a subscription is for: a whole period, or a change for the rest of one. */
export interface InvoiceSnapshot {
  id: string;
  subscriptionId: string | null;
  isPaid: boolean;
  paidFor: PaidTime[];
  /** How much of its payment was refunded or charged back: 0 to 1. Absent when only the invoice was read. */
  returnedShare?: number;
}

/**
 * What a subscription charges for from now on. `invoice`: the difference for the rest of the period is charged at once;
 * `none`: the change costs nothing before the next period.
 */
export interface SubscriptionChange {
  tier: PaidTier;
  quantity: number;
  proration: 'invoice' | 'none';
}

/** What an event is about: to be read again from the provider, whatever the event itself says. */
export type Concern =
  | { kind: 'checkout'; id: string }
  | { kind: 'subscription'; id: string }
  | { kind: 'invoice'; id: string }
  | { kind: 'payment'; id: string };

/** News of the provider, its signature checked. Undefined `concern`: nothing that matters here. */
export interface PaymentEvent {
  id: string;
  type: string;
  concern: Concern | undefined;
}

/** What a change with `invoice` comes to. */
export interface PreviewedChange extends Pick<ChangePreview, 'dueNowCents' | 'monthlyCents' | 'renewsAt'> {
  paidFor: PaidTime[];
}

type PaymentErrorCode = 'declined' | 'not-refundable' | 'key-reused' | 'no-promotion' | 'unavailable' | 'forged';

/** Why the provider did not do what was asked. */
export class PaymentError extends CodedError<PaymentErrorCode> {
  override readonly name = 'PaymentError';
}

/**
 * Takes payments. What it keeps is the truth: everything else is read from it. Amounts are cents of US dollars, instants
 * epoch milliseconds. Calls throw PaymentError. Those with a `key` do nothing when they come again with the same key,
 * and refuse (`key-reused`) when another request has had it.
 */
export interface PaymentProvider {
  readonly mode: PaymentMode;
  readonly priceIds: Record<PaidTier, string>;
  createCustomer(customer: { payer: Payer; name: string; email: string | null }, key: string): Promise<string>;
  openCheckout(order: Order, key: string): Promise<{ checkoutId: string; url: string }>;
  /** So that no one pays on it any more; nothing when it is not open. */
  expireCheckout(checkoutId: string): Promise<void>;
  /** The same for every page of a customer. */
  expireCheckouts(customerId: string): Promise<void>;
  findCheckout(checkoutId: string): Promise<CheckoutSnapshot | undefined>;
  findCheckoutOfPayment(paymentId: string): Promise<CheckoutSnapshot | undefined>;
  findSubscription(subscriptionId: string): Promise<SubscriptionSnapshot | undefined>;
  findInvoice(invoiceId: string): Promise<InvoiceSnapshot | undefined>;
  /** Returns the subscription's invoice that a payment was for, with the returned share. */
  findInvoiceOfPayment(paymentId: string): Promise<InvoiceSnapshot | undefined>;
  previewChange(
    subscriptionId: string,
    change: Pick<SubscriptionChange, 'tier' | 'quantity'>,
  ): Promise<PreviewedChange>;
  /** Refuses (`declined`), and changes nothing, when what is due at once cannot be taken. */
  changeSubscription(subscriptionId: string, change: SubscriptionChange, key: string): Promise<void>;
  setCancelAtPeriodEnd(subscriptionId: string, isCancelled: boolean): Promise<void>;
  /** Ends it at once; nothing when it has ended. */
  endSubscription(subscriptionId: string): Promise<void>;
  findPromotion(code: string): Promise<Discount | undefined>;
  openPortal(customerId: string, returnUrl: string): Promise<string>;
  /** Newest first, at most 100. */
  listInvoices(customerId: string): Promise<Invoice[]>;
  /** Checks the signature over the bytes as they came, at most five minutes old or ahead; refuses (`forged`). */
  readEvent(body: string, signature: string, receivedAt: number): PaymentEvent;
}
