import { z } from 'zod';
import {
  discountSchema,
  paidTierSchema,
  promotionCodeSchema,
  subscriptionStatuses,
  urlAnswerSchema,
} from './billing.ts';
import { endpoint } from './endpoint.ts';

/** A test mode payment page. */
export const testCheckoutSchema = z.object({
  checkoutId: z.string(),
  kind: z.enum(['subscription', 'credits']),
  /** Name of the paying person or team. */
  payerName: z.string(),
  description: z.string(),
  quantity: z.int(),
  unitCents: z.int(),
  discount: discountSchema.nullable(),
  totalCents: z.int(),
  status: z.enum(['open', 'complete', 'expired']),
  /** True if the last payment attempt failed. */
  wasDeclined: z.boolean(),
  /** Where to go if the user cancels. */
  cancelUrl: z.string(),
});
export type TestCheckout = z.infer<typeof testCheckoutSchema>;

/** The test mode billing portal. */
export const testPortalSchema = z.object({
  portalId: z.string(),
  payerName: z.string(),
  /** True if the simulated card accepts payments. */
  cardWorks: z.boolean(),
  subscription: z
    .object({
      subscriptionId: z.string(),
      tier: paidTierSchema,
      quantity: z.int(),
      status: z.enum(subscriptionStatuses),
      periodEndAt: z.int(),
      cancelAtPeriodEnd: z.boolean(),
      nextAmountCents: z.int(),
      discount: discountSchema.nullable(),
    })
    .nullable(),
  /** Newest first. */
  payments: z.array(
    z.object({
      paymentId: z.string(),
      createdAt: z.int(),
      description: z.string(),
      totalCents: z.int(),
      status: z.enum(['paid', 'open', 'refunded', 'void']),
      /** True for credit purchases that were not refunded. */
      isRefundable: z.boolean(),
    }),
  ),
  returnUrl: z.string(),
});
export type TestPortal = z.infer<typeof testPortalSchema>;

const ofCheckout = z.object({ checkoutId: z.string().min(1).max(100) });
const ofPortal = z.object({ portalId: z.string().min(1).max(100) });
const checkoutAnswer = z.object({ checkout: testCheckoutSchema });
const portalAnswer = z.object({ portal: testPortalSchema });

/** Endpoints behind the test mode pages. If Stripe is configured, each returns `not-found`. */
export const testBillingEndpoints = {
  describeTestCheckout: endpoint('GET /api/billing/test/checkouts/:checkoutId', {
    summary: 'Returns a test-mode payment page.',
    input: ofCheckout,
    output: checkoutAnswer,
  }),
  payTestCheckout: endpoint('POST /api/billing/test/checkouts/:checkoutId/pay', {
    summary: 'Pays with a simulated card. Returns the address to continue at.',
    input: ofCheckout.extend({ promotionCode: promotionCodeSchema.optional() }),
    output: urlAnswerSchema,
  }),
  declineTestCheckout: endpoint('POST /api/billing/test/checkouts/:checkoutId/decline', {
    summary: 'Simulates a declined card. The page stays open.',
    input: ofCheckout,
    output: checkoutAnswer,
  }),
  cancelTestCheckout: endpoint('POST /api/billing/test/checkouts/:checkoutId/cancel', {
    summary: 'Cancels the payment. Returns the address to continue at.',
    input: ofCheckout,
    output: urlAnswerSchema,
  }),
  describeTestPortal: endpoint('GET /api/billing/test/portals/:portalId', {
    summary: 'Returns the test-mode billing portal.',
    input: ofPortal,
    output: portalAnswer,
  }),
  setTestCard: endpoint('POST /api/billing/test/portals/:portalId/card', {
    summary: 'Switches the simulated card to one that pays, which settles open invoices, or to one that is declined.',
    input: ofPortal.extend({ works: z.boolean() }),
    output: portalAnswer,
  }),
  advanceTestTime: endpoint('POST /api/billing/test/portals/:portalId/advance', {
    summary: 'Moves time to the subscription’s next invoice, or to an open invoice’s next attempt.',
    input: ofPortal,
    output: portalAnswer,
  }),
  cancelInTestPortal: endpoint('POST /api/billing/test/portals/:portalId/cancel', {
    summary: 'Cancels the subscription at the end of its period, in the portal.',
    input: ofPortal,
    output: portalAnswer,
  }),
  resumeInTestPortal: endpoint('POST /api/billing/test/portals/:portalId/resume', {
    summary: 'Resumes the subscription, in the portal.',
    input: ofPortal,
    output: portalAnswer,
  }),
  refundTestPayment: endpoint('POST /api/billing/test/portals/:portalId/refund', {
    summary: 'Refunds a purchase of credits in full, as the merchant would.',
    input: ofPortal.extend({ paymentId: z.string().min(1).max(100) }),
    output: portalAnswer,
  }),
};
