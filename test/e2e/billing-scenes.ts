import type { Page } from 'playwright-core';
import { billingEndpoints, teamBillingEndpoints } from '#contract/billing.ts';
import { type CreditInfo, creditEndpoints } from '#contract/credits.ts';
import { testBillingEndpoints } from '#contract/test-billing.ts';
import { runBefore } from './answered-calls.ts';
import { answerWith, failWith, neverAnswer, someCredits } from './answers.ts';
import {
  answerBilling,
  answerPlanPreview,
  answerPromotion,
  answerSeatPreview,
  answerTeamBilling,
  answerTestCheckout,
  answerTestPortal,
  noBilling,
  someBilling,
  teamBilling,
} from './billing-answers.ts';
import { heading, type Scene } from './scene.ts';
import { answerTeams } from './team-answers.ts';

const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().waitFor();
const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first().waitFor();
const pastDue = { subscriptionStatus: 'past_due', paymentFailed: true } as const;

const ending = { cancelAtPeriodEnd: true, nextAmountCents: null };

const noCredits = { tier: 'Free', purchasedCredits: 0, monthlyAllowance: 0, totalCreditsAvailable: 0 } as const;

async function answerCredits(page: Page, part: Partial<CreditInfo> = {}): Promise<void> {
  await answerWith(page, creditEndpoints.getCreditInfo, { credits: someCredits(part) });
}

async function asAdmin(page: Page, billing = teamBilling()): Promise<void> {
  await answerTeams(page);
  await answerTeamBilling(page, billing);
}

/** Plans, payments and seats, each in every state. */
export const billingScenes: Scene[] = [
  {
    name: 'plans, as a visitor',
    path: '/subscribe?tier=basic',
    isVisitor: true,
    until: (page) => page.getByRole('link', { name: 'Sign up for Pro' }).waitFor(),
  },
  {
    name: 'plans, subscribing with a promotion code',
    path: '/subscribe?tier=basic',
    set: async (page) => {
      await answerBilling(page, noBilling());
      await answerPromotion(page);
    },
    act: applyPromotion,
    until: text('20% off each payment'),
  },
  {
    name: 'plans, a promotion code that does not exist',
    path: '/subscribe?tier=pro',
    set: async (page) => {
      await answerBilling(page, noBilling());
      await failWith(page, billingEndpoints.checkPromotion, 'promotion-not-found');
    },
    act: async (page) => {
      await page.getByRole('button', { name: 'Add a promotion code' }).click();
      await page.getByRole('textbox', { name: 'Promotion code' }).fill('NONE');
      await page.getByRole('button', { name: 'Apply' }).click();
    },
    until: text('This promotion code is not valid.'),
  },
  {
    name: 'plans, changing to Pro',
    path: '/subscribe?tier=pro',
    set: async (page) => {
      await answerBilling(page, someBilling());
      await answerPlanPreview(page);
    },
    until: button('Pay $13.12 and change to Pro'),
  },
  {
    name: 'plans, waiting for the price of a change',
    path: '/subscribe?tier=pro',
    set: async (page) => {
      await answerBilling(page, someBilling());
      await neverAnswer(page, billingEndpoints.previewPlan);
    },
    until: text('Calculating the price…'),
  },
  {
    name: 'plans, waiting',
    path: '/subscribe?tier=pro',
    set: (page) => neverAnswer(page, billingEndpoints.getBilling),
    until: text('Calculating the price…'),
  },
  {
    name: 'plans, an error',
    path: '/subscribe',
    set: (page) => failWith(page, billingEndpoints.getBilling, 'unavailable'),
    until: button('Try again'),
  },
  {
    name: 'plans, paid and not confirmed yet',
    path: '/subscribe?payment=done',
    set: async (page) => {
      await rememberPlan(page, 'person');
      await answerBilling(page, noBilling());
    },
    until: text('Confirming your payment…'),
  },
  {
    name: 'plans, with a plan that ends',
    path: '/subscribe?tier=pro',
    set: (page) => answerBilling(page, someBilling(ending)),
    until: async (page) => {
      await button('Keep Basic')(page);
      await page.getByRole('button', { name: 'Change to Pro' }).waitFor({ state: 'detached' });
    },
  },
  {
    name: 'plans, subscribed',
    path: '/subscribe?payment=done',
    set: async (page) => {
      await rememberPlan(page, 'person');
      await answerBilling(page, someBilling());
    },
    until: text('You are on Basic'),
  },
  {
    name: 'plans, left unpaid',
    path: '/subscribe?payment=cancelled',
    set: (page) => answerBilling(page, noBilling()),
    until: text('Payment cancelled'),
  },

  {
    name: 'account, billing in order',
    path: '/account#billing',
    set: (page) => answerBilling(page, someBilling()),
    until: button(/^Show 1 older invoice/),
  },
  {
    name: 'account, a payment failed',
    path: '/account#billing',
    set: (page) => answerBilling(page, someBilling(pastDue)),
    until: text('The last payment failed'),
  },
  {
    name: 'account, a plan that ends',
    path: '/account#billing',
    set: (page) => answerBilling(page, someBilling({ cancelAtPeriodEnd: true, nextAmountCents: null })),
    until: button('Keep Basic'),
  },
  {
    name: 'account, cancelling the plan',
    path: '/account#billing',
    set: (page) => answerBilling(page, someBilling()),
    act: (page) => page.getByRole('button', { name: 'Cancel plan…' }).click(),
    until: (page) => page.getByRole('alertdialog').waitFor(),
  },
  {
    name: 'account, invoices fail to load',
    path: '/account#billing',
    set: async (page) => {
      await answerBilling(page, someBilling());
      await failWith(page, billingEndpoints.listInvoices, 'unavailable');
    },
    until: button('Try again'),
  },

  {
    name: 'dashboard, no credits left',
    path: '/dashboard',
    set: (page) => answerCredits(page, noCredits),
    until: text(/^You have no credits left: searches/),
  },
  {
    name: 'dashboard, of a member without a seat',
    path: '/dashboard',
    set: async (page) => {
      await answerTeams(page, 'reader', { hasPaidSeat: false, accountCredits: 12 });
      await answerCredits(page);
    },
    until: text(/^You have no paid seat: your calls use your own account, which has 12 credits/),
  },
  {
    name: 'dashboard, of a member whose pool is empty',
    path: '/dashboard',
    set: async (page) => {
      await answerTeams(page, 'writer');
      await answerCredits(page, { ...noCredits, tier: 'Basic' });
    },
    until: text(/Ask an admin of Analytical Engines\.$/),
  },

  {
    name: 'team plan, on the page of the team',
    path: '/team?tab=plan',
    set: asAdmin,
    until: text('2 of 3 paid seats'),
  },
  {
    name: 'team plan, as a reader',
    path: '/team?tab=plan',
    set: (page) => answerTeams(page, 'reader'),
    until: text('The team is on Basic'),
  },
  {
    name: 'team upgrade, choosing',
    path: '/upgrade-team',
    set: (page) => asAdmin(page, noBilling()),
    until: button('Continue to payment'),
  },
  {
    name: 'team upgrade, changing the plan',
    path: '/upgrade-team?tier=pro',
    set: async (page) => {
      await asAdmin(page);
      await answerSeatPreview(page);
    },
    until: button(/^Pay \$/),
  },
  {
    name: 'team upgrade, of a plan that ends',
    path: '/upgrade-team',
    set: (page) => asAdmin(page, teamBilling(ending)),
    until: (page) =>
      page.getByRole('region', { name: 'Current plan' }).getByText('Nothing more will be charged.').waitFor(),
  },
  {
    name: 'team upgrade, replacing a plan that ends',
    path: '/upgrade-team?tier=pro',
    set: (page) => asAdmin(page, teamBilling(ending)),
    until: text('Keep Basic to change to Pro.'),
  },
  { name: 'team upgrade, as it is', path: '/upgrade-team', set: asAdmin, until: text('Next payment') },
  {
    name: 'seats, just paid for',
    path: '/team-manage-seats?payment=done',
    set: async (page) => {
      await rememberPlan(page, 'team_1');
      await asAdmin(page);
    },
    until: text('The team is on Basic'),
  },
  {
    name: 'team upgrade, as a reader',
    path: '/upgrade-team',
    set: (page) => answerTeams(page, 'reader'),
    until: async (page) => {
      await text(/^Admins manage the plan and seats/)(page);
      await backToTheTeam(page);
    },
  },
  {
    name: 'team upgrade, an error',
    path: '/upgrade-team',
    set: async (page) => {
      await answerTeams(page);
      await failWith(page, teamBillingEndpoints.getTeamBilling, 'unavailable');
    },
    until: button('Try again'),
  },

  {
    name: 'seats, more of them',
    path: '/team-manage-seats',
    set: async (page) => {
      await asAdmin(page);
      await answerSeatPreview(page);
    },
    act: (page) => page.getByRole('button', { name: 'Pay for: one more' }).click(),
    until: button(/^Pay \$6\.30 for 4 seats/),
  },
  {
    name: 'seats, fewer than assigned',
    path: '/team-manage-seats',
    set: asAdmin,
    act: (page) => page.getByRole('textbox', { name: 'Pay for' }).fill('1'),
    until: (page) =>
      page
        .getByRole('alert')
        .filter({ hasText: /^2 members have a seat\. Remove seats first/ })
        .waitFor(),
  },
  {
    name: 'seats, one more for a member',
    path: '/team-manage-seats',
    set: async (page) => {
      await asAdmin(page, teamBilling({ numberOfPaidSeats: 2 }));
      await answerSeatPreview(page);
    },
    act: (page) => page.getByRole('switch', { name: /cyrus/ }).click(),
    until: button('Pay $6.30'),
  },
  {
    name: 'seats, one more of a plan that ends',
    path: '/team-manage-seats',
    set: (page) => asAdmin(page, teamBilling({ ...ending, numberOfPaidSeats: 2 })),
    act: (page) => page.getByRole('switch', { name: /cyrus/ }).click(),
    until: async (page) => {
      await text('Keep Basic to change the number of seats.')(page);
      await text('Keep Basic to pay for more seats')(page);
    },
  },
  {
    name: 'seats, of a team without a plan',
    path: '/team-manage-seats',
    set: (page) => asAdmin(page, noBilling()),
    until: heading('No paid seats yet'),
  },
  {
    name: 'seats, as a reader',
    path: '/team-manage-seats',
    set: (page) => answerTeams(page, 'reader'),
    until: async (page) => {
      await text(/^Admins assign seats/)(page);
      await backToTheTeam(page);
    },
  },
  {
    name: 'seats, waiting',
    path: '/team-manage-seats',
    set: async (page) => {
      await answerTeams(page);
      await neverAnswer(page, teamBillingEndpoints.getTeamBilling);
    },
    until: text('Loading the seats…'),
  },

  {
    name: 'test payment, with a promotion code and declined',
    path: '/billing/test/checkout/checkout_1',
    set: (page) => answerTestCheckout(page, { wasDeclined: true, quantity: 3, totalCents: 2_700 }),
    until: text('The card was declined'),
  },
  {
    name: 'test payment, done',
    path: '/billing/test/checkout/checkout_1',
    set: (page) => answerTestCheckout(page, { status: 'complete' }),
    until: text('Already paid'),
  },
  {
    name: 'test payment, unknown',
    path: '/billing/test/checkout/checkout_1',
    set: (page) => failWith(page, testBillingEndpoints.describeTestCheckout, 'not-found'),
    until: text('Page not found'),
  },
  {
    name: 'test portal',
    path: '/billing/test/portal/portal_1',
    set: answerTestPortal,
    until: button('Advance to the next invoice'),
  },
  {
    name: 'test portal, of a user who only bought credits',
    path: '/billing/test/portal/portal_1',
    set: (page) => answerTestPortal(page, { subscription: null, payments: [], cardWorks: false }),
    until: text('Nothing has been charged yet.'),
  },
];

/** Readers see only the way back on the screens of admins. */
const backToTheTeam = (page: Page) => page.getByRole('link', { name: 'Back to the team' }).waitFor();

const rememberPlan = (page: Page, payer: string) =>
  runBefore(page, `sessionStorage.setItem('purchase:${payer}', '{"what":"plan"}')`);

async function applyPromotion(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add a promotion code' }).click();
  await page.getByRole('textbox', { name: 'Promotion code' }).fill('early20');
  await page.getByRole('button', { name: 'Apply' }).click();
}
