import { createHmac } from 'node:crypto';
import type { billingAdministration, billingEndpoints, teamBillingEndpoints } from '#contract/billing.ts';
import type { testBillingEndpoints } from '#contract/test-billing.ts';
import type { Context } from '#server/context.ts';
import type { Platform } from '#server/platform/open-platform.ts';
import { openPayments } from '#server/platform/payments/open-payments.ts';
import type { Handlers } from '../call.ts';
import { catchUpBilling } from './catch-up.ts';
import { changePlan, previewChange, setCancellation } from './change-subscription.ts';
import { checkPromotion } from './check-promotion.ts';
import { closeBilling, forgetBuyer, forgetOtherMode } from './close-billing.ts';
import type { BillingDependencies } from './dependencies.ts';
import { getBilling, listInvoices, openPortal } from './get-billing.ts';
import { changeSeatCount, manageSeats } from './manage-seats.ts';
import { openCreditCheckout, openSubscriptionCheckout, packsOf, tierOfPrice } from './open-checkout.ts';
import { receiveEvent } from './receive-event.ts';
import {
  actInTestPortal,
  declineTestCheckout,
  describeTestCheckout,
  describeTestPortal,
  type PortalAct,
  payTestCheckout,
} from './test-pages.ts';

/** The provider aborts a delivery after some seconds and counts it as failed. */
const eventAnswerMs = 4_000;
const nobody = {};

/** Opens payments, with all calls of the feature. */
export function assembleBilling(platform: Platform) {
  const needs = needsOf(platform);
  return {
    needs,
    catchUpBilling,
    closeBilling,
    forgetBuyer,
    forgetOtherMode,
    receiveEvent,
    person: personHandlers(needs),
    team: teamHandlers(needs),
    administration: administrationHandlers(needs),
    testCheckout: testCheckoutHandlers(needs),
  };
}

function needsOf({ config, db, clock, publicUrl, sealingKeys, outboundTo }: Platform): BillingDependencies {
  const { payments } = config;
  const outbound = outboundTo([payments.kind === 'stripe' ? payments.url : undefined]);
  const digest = createHmac('sha256', sealingKeys[0]).update('events of the test mode').digest('base64url');
  const parts = { db, clock, outbound, publicUrl, secret: `whsec_${digest}` };
  return { payments: openPayments(payments, parts), publicUrl, eventAnswerMs };
}

function personHandlers(needs: BillingDependencies): Handlers<typeof billingEndpoints> {
  const { mode } = needs.payments.provider;
  const state = async (ctx: Context) => ({ billing: await getBilling(ctx, nobody, needs) });
  return {
    getBilling: (ctx) => state(ctx),
    subscribe: async (ctx, input) => {
      return { mode, ...(await openSubscriptionCheckout(ctx, { ...input, seats: 1 }, needs)) };
    },
    previewPlan: async (ctx, input) => ({ preview: await previewChange(ctx, input, needs) }),
    changePlan: async (ctx, input) => {
      await changePlan(ctx, input, needs);
      return state(ctx);
    },
    cancelSubscription: async (ctx) => {
      await setCancellation(ctx, { isCancelled: true }, needs);
      return state(ctx);
    },
    resumeSubscription: async (ctx) => {
      await setCancellation(ctx, { isCancelled: false }, needs);
      return state(ctx);
    },
    purchaseCredits: async (ctx, input) => ({ mode, ...(await openCreditCheckout(ctx, input, needs)) }),
    openPortal: async (ctx) => ({ mode, ...(await openPortal(ctx, nobody, needs)) }),
    listInvoices: async (ctx) => ({ mode, invoices: await listInvoices(ctx, nobody, needs) }),
    checkPromotion: async (ctx, input) => ({ mode, promotion: await checkPromotion(ctx, input, needs) }),
  };
}

function teamHandlers(needs: BillingDependencies): Handlers<typeof teamBillingEndpoints> {
  const { mode } = needs.payments.provider;
  const state = async (ctx: Context, { teamId }: { teamId: string }) => ({
    billing: await getBilling(ctx, { teamId }, needs),
  });
  return {
    getTeamBilling: state,
    previewTeamChange: async (ctx, input) => ({ preview: await previewChange(ctx, input, needs) }),
    changeTeamPlan: async (ctx, input) => {
      await changePlan(ctx, input, needs);
      return state(ctx, input);
    },
    changeSeatCount: async (ctx, input) => {
      await changeSeatCount(ctx, input, needs);
      return state(ctx, input);
    },
    cancelTeamSubscription: async (ctx, input) => {
      await setCancellation(ctx, { ...input, isCancelled: true }, needs);
      return state(ctx, input);
    },
    resumeTeamSubscription: async (ctx, input) => {
      await setCancellation(ctx, { ...input, isCancelled: false }, needs);
      return state(ctx, input);
    },
    listTeamInvoices: async (ctx, input) => ({ mode, invoices: await listInvoices(ctx, input, needs) }),
  };
}

function administrationHandlers(needs: BillingDependencies): Handlers<typeof billingAdministration> {
  const done = { success: true, mode: needs.payments.provider.mode } as const;
  return {
    createSubscription: async (ctx, { numberOfSeats: seats, priceId, ...input }) => {
      const tier = tierOfPrice(priceId, needs);
      return { ...done, ...(await openSubscriptionCheckout(ctx, { ...input, tier, seats }, needs)) };
    },
    manageSeats: async (ctx, input) => ({ ...done, numberOfPaidSeats: await manageSeats(ctx, input, needs) }),
    purchaseTeamCredits: async (ctx, { teamId, amount }) => {
      return { ...done, ...(await openCreditCheckout(ctx, { teamId, packs: packsOf(amount) }, needs)) };
    },
    openTeamPortal: async (ctx, input) => ({ ...done, ...(await openPortal(ctx, input, needs)) }),
  };
}

/** Returns the calls of the payment page and portal that replace a provider's in test mode. */
function testCheckoutHandlers(needs: BillingDependencies): Handlers<typeof testBillingEndpoints> {
  const { mode } = needs.payments.provider;
  const act = async (ctx: Context, portalId: string, done: PortalAct) => ({
    portal: await actInTestPortal(ctx, { portalId, act: done }, needs),
  });
  return {
    describeTestCheckout: async (ctx, input) => ({ checkout: await describeTestCheckout(ctx, input, needs) }),
    payTestCheckout: async (ctx, input) => ({ mode, url: await payTestCheckout(ctx, input, needs) }),
    declineTestCheckout: async (ctx, input) => ({ checkout: await declineTestCheckout(ctx, input, needs) }),
    cancelTestCheckout: async (ctx, input) => {
      return { mode, url: (await describeTestCheckout(ctx, input, needs)).cancelUrl };
    },
    describeTestPortal: async (ctx, input) => ({ portal: await describeTestPortal(ctx, input, needs) }),
    setTestCard: (ctx, { portalId, works }) => act(ctx, portalId, { kind: 'card', works }),
    advanceTestTime: (ctx, { portalId }) => act(ctx, portalId, { kind: 'advance' }),
    cancelInTestPortal: (ctx, { portalId }) => act(ctx, portalId, { kind: 'cancel' }),
    resumeInTestPortal: (ctx, { portalId }) => act(ctx, portalId, { kind: 'resume' }),
    refundTestPayment: (ctx, { portalId, paymentId }) => act(ctx, portalId, { kind: 'refund', paymentId }),
  };
}
