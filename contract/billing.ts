import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import * as limits from './limits.ts';
import { creditPack, plans, type Tier, tiers } from './plans.ts';

/** The payment provider: `test` (all payments are simulated, on pages of this program) or Stripe. */
const paymentModes = ['test', 'stripe'] as const;
export type PaymentMode = (typeof paymentModes)[number];

export const paidTiers = ['Basic', 'Pro'] as const;
export type PaidTier = (typeof paidTiers)[number];

/**
 * `past_due`: a payment failed and is being retried; the plan is kept meanwhile. The three statuses after it mean Free.
 */
export const subscriptionStatuses = ['active', 'past_due', 'unpaid', 'incomplete', 'canceled'] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** A promotion code's discount on each payment: a percentage or an amount, exactly one of them set. */
export const discountSchema = z.object({
  code: z.string(),
  percentOff: z.number().nullable(),
  amountOffCents: z.int().nullable(),
});
export type Discount = z.infer<typeof discountSchema>;

export const creditPackCents = creditPack.usd * 100;

/** Returns a plan's monthly price in cents, before discounts. */
export function planCents(tier: Tier, quantity: number): number {
  return plans[tier].usdPerMonth * 100 * quantity;
}

/** Returns an amount after the discount, never below 0. */
export function discounted(cents: number, discount: Discount | null): number {
  if (discount === null) return cents;
  if (discount.percentOff !== null) return Math.round((cents * (100 - discount.percentOff)) / 100);
  return Math.max(0, cents - (discount.amountOffCents ?? 0));
}

/** Billing state of a person or a team. Amounts are in US cents. */
export const billingSchema = z.object({
  mode: z.enum(paymentModes),
  tier: z.enum(tiers),
  /** Credits per full billing cycle; for a team, of all paid seats together. */
  monthlyAllowance: z.int(),
  /** Customer id at the payment provider. */
  customerId: z.string().nullable(),
  subscriptionId: z.string().nullable(),
  subscriptionStatus: z.enum(subscriptionStatuses).nullable(),
  subscriptionStartDate: z.int().nullable(),
  /** End of the paid period, when the subscription renews or ends. */
  subscriptionEndDate: z.int().nullable(),
  cancelAtPeriodEnd: z.boolean(),
  /** True if the last payment failed: the card should be changed in the portal. */
  paymentFailed: z.boolean(),
  /** Seats that the subscription pays for; 1 for a person with a paid plan. */
  numberOfPaidSeats: z.int(),
  /** Team members who hold a seat; 0 for a person. */
  assignedSeats: z.int(),
  /** Amount of the next invoice after the discount; null if there will be none. */
  nextAmountCents: z.int().nullable(),
  /** A smaller plan or fewer seats chosen for the time after `subscriptionEndDate`; null if nothing changes. */
  nextPeriod: z.object({ tier: z.enum(paidTiers), numberOfSeats: z.int() }).nullable(),
  discount: discountSchema.nullable(),
  /** False for customers who never paid: their portal would be empty. */
  hasPortal: z.boolean(),
  /** The price id of each paid tier, for `create-subscription`. */
  priceIds: z.record(z.enum(paidTiers), z.string()),
});
export type Billing = z.infer<typeof billingSchema>;

export const invoiceSchema = z.object({
  invoiceId: z.string(),
  createdAt: z.int(),
  description: z.string(),
  /** After the discount. */
  totalCents: z.int(),
  status: z.enum(['paid', 'open', 'void', 'refunded']),
  /** Where to view or download the invoice; null in test mode. */
  url: z.string().nullable(),
});
export type Invoice = z.infer<typeof invoiceSchema>;

/** The cost of a change of plan or seats. */
export const changePreviewSchema = z.object({
  mode: z.enum(paymentModes),
  /** As charged for the next full month. */
  tier: z.enum(paidTiers),
  numberOfSeats: z.int(),
  /** Charged immediately for the rest of the period; 0 if the change lowers the price. */
  dueNowCents: z.int(),
  /** Credits granted immediately, for the full days left in the period. */
  creditsNow: z.int(),
  /** When a reduction takes effect, at the end of the period; null if the whole change takes effect immediately. */
  startsAt: z.int().nullable(),
  /** Price of each further month after the discount. */
  monthlyCents: z.int(),
  /** When the next full month is charged. */
  renewsAt: z.int(),
  /** Credits of each further month. */
  monthlyAllowance: z.int(),
});
export type ChangePreview = z.infer<typeof changePreviewSchema>;

/**
 * The price the user agreed to: a change that costs more is refused (`price-changed`). Without it, any price is
 * accepted.
 */
const agreedPriceSchema = changePreviewSchema.pick({ dueNowCents: true, monthlyCents: true });
export type AgreedPrice = z.infer<typeof agreedPriceSchema>;

const teamId = z.string().min(1).max(100);
export const promotionCodeSchema = z
  .string()
  .trim()
  .min(1)
  .max(limits.promotionCodeCharactersMax)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'give the code as it was given to you');
export const paidTierSchema = z.enum(paidTiers);
const numberOfSeats = z.int().min(1).max(limits.teamMembersMax);
const billingAnswer = z.object({ billing: billingSchema });
/** The page to send the browser to. */
export const urlAnswerSchema = z.object({ mode: z.enum(paymentModes), url: z.string() });
const ofTeam = z.object({ teamId });

/** Billing of the signed-in person. A payment provider's failure is reported as `payment-provider-failed`. */
export const billingEndpoints = {
  getBilling: endpoint('GET /api/billing', {
    summary: 'Returns your plan, its period and the state of your payments.',
    output: billingAnswer,
  }),
  subscribe: endpoint('POST /api/billing/subscribe', {
    summary: 'Opens the payment page for a plan.',
    input: z.object({ tier: paidTierSchema, promotionCode: promotionCodeSchema.optional() }),
    output: urlAnswerSchema,
  }),
  previewPlan: endpoint('POST /api/billing/preview-plan', {
    summary: 'Returns what a change of plan costs now and from the next month on.',
    input: z.object({ tier: paidTierSchema }),
    output: z.object({ preview: changePreviewSchema }),
  }),
  changePlan: endpoint('PUT /api/billing/plan', {
    summary: 'Changes your plan: an upgrade starts immediately, a downgrade at the end of the period.',
    input: z.object({ tier: paidTierSchema, agreedPrice: agreedPriceSchema.optional() }),
    output: billingAnswer,
  }),
  cancelSubscription: endpoint('POST /api/billing/cancel', {
    summary: 'Cancels your subscription at the end of the paid period.',
    output: billingAnswer,
  }),
  resumeSubscription: endpoint('POST /api/billing/resume', {
    summary: 'Resumes a cancelled subscription before its period ends.',
    output: billingAnswer,
  }),
  purchaseCredits: endpoint('POST /api/billing/purchase-credits', {
    summary: 'Opens the payment page for packs of credits.',
    input: z.object({ packs: z.int().min(1).max(limits.creditPacksPerPurchaseMax) }),
    output: urlAnswerSchema,
  }),
  openPortal: endpoint('POST /api/billing/portal', {
    summary: 'Opens the billing portal, where you change your card and see your invoices.',
    output: urlAnswerSchema,
  }),
  listInvoices: endpoint('GET /api/billing/invoices', {
    summary: 'Lists your invoices, newest first.',
    output: z.object({ mode: z.enum(paymentModes), invoices: z.array(invoiceSchema) }),
  }),
  checkPromotion: endpoint('POST /api/billing/check-promotion', {
    summary: 'Returns a promotion code’s discount.',
    input: z.object({ code: promotionCodeSchema }),
    output: z.object({ mode: z.enum(paymentModes), promotion: discountSchema }),
  }),
};

/** A team's billing, for its admins. Changes that involve a payment are in `billingAdministration`. */
export const teamBillingEndpoints = {
  getTeamBilling: endpoint('GET /api/teams/:teamId/billing', {
    summary: 'Returns a team’s plan, its seats and the state of its payments.',
    right: 'billing.manage',
    input: ofTeam,
    output: billingAnswer,
  }),
  previewTeamChange: endpoint('POST /api/teams/:teamId/billing/preview', {
    summary: 'Returns what a change of plan or number of seats costs now and from the next month on.',
    right: 'billing.manage',
    input: ofTeam.extend({ tier: paidTierSchema.optional(), numberOfSeats: numberOfSeats.optional() }),
    output: z.object({ preview: changePreviewSchema }),
  }),
  changeTeamPlan: endpoint('PUT /api/teams/:teamId/billing/plan', {
    summary: 'Changes a team’s plan: an upgrade starts immediately, a downgrade at the end of the period.',
    right: 'billing.manage',
    input: ofTeam.extend({ tier: paidTierSchema, agreedPrice: agreedPriceSchema.optional() }),
    output: billingAnswer,
  }),
  changeSeatCount: endpoint('PUT /api/teams/:teamId/billing/seats', {
    summary:
      'Changes a team’s number of paid seats: more immediately, fewer at the end of the period, and never fewer than are assigned.',
    right: 'billing.manage',
    input: ofTeam.extend({ numberOfSeats, agreedPrice: agreedPriceSchema.optional() }),
    output: billingAnswer,
  }),
  cancelTeamSubscription: endpoint('POST /api/teams/:teamId/billing/cancel', {
    summary: 'Cancels a team’s subscription at the end of the paid period.',
    right: 'billing.manage',
    input: ofTeam,
    output: billingAnswer,
  }),
  resumeTeamSubscription: endpoint('POST /api/teams/:teamId/billing/resume', {
    summary: 'Resumes a team’s cancelled subscription before its period ends.',
    right: 'billing.manage',
    input: ofTeam,
    output: billingAnswer,
  }),
  listTeamInvoices: endpoint('GET /api/teams/:teamId/billing/invoices', {
    summary: 'Lists a team’s invoices, newest first.',
    right: 'billing.manage',
    input: ofTeam,
    output: z.object({ mode: z.enum(paymentModes), invoices: z.array(invoiceSchema) }),
  }),
};

const success = { success: z.literal(true), mode: z.enum(paymentModes) };

/** Team administration calls that involve payments. Errors are reported as in `teamAdministration`. */
export const billingAdministration = {
  createSubscription: endpoint('POST /admin/teams/:teamId/create-subscription', {
    summary: 'Opens the payment page for a team’s seats.',
    right: 'billing.manage',
    input: ofTeam.extend({
      numberOfSeats,
      priceId: z.string().min(1).max(255),
      promotionCode: promotionCodeSchema.optional(),
    }),
    output: z.object({ ...success, url: z.string() }),
    failure: 'Failed to create subscription: {status}',
  }),
  manageSeats: endpoint('PUT /admin/teams/:teamId/manage-seats', {
    summary:
      'Assigns paid seats to exactly these members. With `updateSubscription`, the team then pays for that many seats, at least 1: more immediately, fewer at the end of the period.',
    right: 'seats.manage',
    input: ofTeam.extend({
      paidSeatMembershipIds: z.array(z.string().min(1).max(100)).max(limits.teamMembersMax),
      updateSubscription: z.boolean().default(false),
      agreedPrice: agreedPriceSchema.optional(),
    }),
    output: z.object({ ...success, numberOfPaidSeats: z.int() }),
    failure: 'Failed to manage seats: {status}',
  }),
  purchaseTeamCredits: endpoint('POST /admin/teams/:teamId/purchase-credits', {
    summary: 'Opens the payment page for a team’s credits. The amount is a number of credits, in whole packs.',
    right: 'billing.manage',
    input: ofTeam.extend({ amount: z.int().min(1) }),
    output: z.object({ ...success, url: z.string() }),
    failure: 'Failed to purchase credits: {status}',
  }),
  openTeamPortal: endpoint('POST /admin/teams/:teamId/portal', {
    summary: 'Opens a team’s billing portal, where admins change the card and see the invoices.',
    right: 'billing.manage',
    input: ofTeam,
    output: z.object({ ...success, url: z.string() }),
    failure: 'Failed to create team portal session',
  }),
};
