import type { Page } from 'playwright-core';
import {
  type Billing,
  billingEndpoints,
  type ChangePreview,
  type Invoice,
  teamBillingEndpoints,
} from '#contract/billing.ts';
import { creditEndpoints } from '#contract/credits.ts';
import { type TestCheckout, type TestPortal, testBillingEndpoints } from '#contract/test-billing.ts';
import { answerWith } from './answers.ts';

/** Returns the billing of a user on Basic with a discount. */
export function someBilling(part: Partial<Billing> = {}): Billing {
  return {
    mode: 'test',
    tier: 'Basic',
    monthlyAllowance: 1_000,
    customerId: 'cus_1',
    subscriptionId: 'sub_1',
    subscriptionStatus: 'active',
    subscriptionStartDate: Date.UTC(2026, 10, 9),
    subscriptionEndDate: Date.UTC(2026, 11, 9),
    cancelAtPeriodEnd: false,
    paymentFailed: false,
    numberOfPaidSeats: 1,
    assignedSeats: 0,
    nextAmountCents: 720,
    nextPeriod: null,
    discount: { code: 'EARLY20', percentOff: 20, amountOffCents: null },
    hasPortal: true,
    priceIds: { Basic: 'price_basic', Pro: 'price_pro' },
    ...part,
  };
}

/** Returns the billing of a user who has never paid. */
export function noBilling(part: Partial<Billing> = {}): Billing {
  return someBilling({
    tier: 'Free',
    monthlyAllowance: 0,
    customerId: null,
    subscriptionId: null,
    subscriptionStatus: null,
    subscriptionStartDate: null,
    subscriptionEndDate: null,
    numberOfPaidSeats: 0,
    nextAmountCents: null,
    discount: null,
    hasPortal: false,
    ...part,
  });
}

export function someInvoices(): Invoice[] {
  const day = 24 * 60 * 60_000;
  const at = Date.UTC(2026, 10, 9);
  return [
    { description: 'Basic, monthly', totalCents: 720, status: 'paid' as const },
    { description: '2,000 credits', totalCents: 1_800, status: 'refunded' as const },
    { description: 'Basic, monthly', totalCents: 900, status: 'open' as const },
    { description: 'Basic, monthly', totalCents: 900, status: 'void' as const },
    { description: 'Basic, monthly', totalCents: 900, status: 'paid' as const },
  ].map((part, place) => ({
    ...part,
    invoiceId: `in_${place}`,
    createdAt: at - place * 30 * day,
    url: place === 4 ? 'https://pay.example.org/in_4' : null,
  }));
}

export async function answerBilling(page: Page, billing: Billing): Promise<void> {
  await answerWith(page, billingEndpoints.getBilling, { billing });
  await answerWith(page, billingEndpoints.listInvoices, { mode: billing.mode, invoices: someInvoices() });
}

/** Returns the billing of a team on Basic with three seats, two of them assigned. */
export function teamBilling(part: Partial<Billing> = {}): Billing {
  return someBilling({
    ...{ monthlyAllowance: 3_000, numberOfPaidSeats: 3, assignedSeats: 2, nextAmountCents: 2_160 },
    ...part,
  });
}

export async function answerTeamBilling(page: Page, billing: Billing): Promise<void> {
  await answerWith(page, teamBillingEndpoints.getTeamBilling, { billing });
  const usage = { userEmail: null, accountCreditsUsed: 0 };
  await answerWith(page, creditEndpoints.getMemberUsage, {
    since: Date.UTC(2026, 10, 9),
    members: [
      { ...usage, userId: 'local-owner', user: 'Ada Lovelace', creditsUsed: 412 },
      { ...usage, userId: 'cy', user: null, creditsUsed: 0, accountCreditsUsed: 37 },
    ],
  });
  await answerWith(page, teamBillingEndpoints.listTeamInvoices, { mode: billing.mode, invoices: someInvoices() });
}

const somePreview: ChangePreview = {
  mode: 'test',
  tier: 'Pro',
  numberOfSeats: 1,
  dueNowCents: 1_312,
  creditsNow: 1_700,
  startsAt: null,
  monthlyCents: 2_320,
  renewsAt: Date.UTC(2026, 11, 9),
  monthlyAllowance: 4_000,
};

export async function answerPlanPreview(page: Page): Promise<void> {
  await answerWith(page, billingEndpoints.previewPlan, { preview: somePreview });
}

export async function answerSeatPreview(page: Page): Promise<void> {
  await answerWith(page, teamBillingEndpoints.previewTeamChange, {
    preview: {
      ...somePreview,
      ...{ tier: 'Basic', numberOfSeats: 4, dueNowCents: 630, monthlyCents: 3_600, monthlyAllowance: 4_000 },
    },
  });
}

export async function answerPromotion(page: Page): Promise<void> {
  await answerWith(page, billingEndpoints.checkPromotion, {
    mode: 'test',
    promotion: { code: 'EARLY20', percentOff: 20, amountOffCents: null },
  });
}

export async function answerTestCheckout(page: Page, part: Partial<TestCheckout> = {}): Promise<void> {
  await answerWith(page, testBillingEndpoints.describeTestCheckout, {
    checkout: {
      checkoutId: 'checkout_1',
      kind: 'subscription',
      payerName: 'Ada Lovelace',
      description: 'Basic plan',
      quantity: 1,
      unitCents: 900,
      discount: null,
      totalCents: 900,
      status: 'open',
      wasDeclined: false,
      cancelUrl: '/subscribe?payment=cancelled',
      ...part,
    },
  });
}

export async function answerTestPortal(page: Page, part: Partial<TestPortal> = {}): Promise<void> {
  await answerWith(page, testBillingEndpoints.describeTestPortal, {
    portal: {
      portalId: 'portal_1',
      payerName: 'Analytical Engines',
      cardWorks: true,
      subscription: {
        subscriptionId: 'sub_1',
        tier: 'Pro',
        quantity: 3,
        status: 'active',
        periodEndAt: Date.UTC(2026, 11, 9),
        cancelAtPeriodEnd: false,
        nextAmountCents: 6_960,
        discount: { code: 'EARLY20', percentOff: 20, amountOffCents: null },
      },
      payments: someInvoices().map(({ invoiceId, url: _, ...payment }, place) => ({
        ...payment,
        paymentId: invoiceId,
        isRefundable: place === 0,
      })),
      returnUrl: '/account#billing',
      ...part,
    },
  });
}
