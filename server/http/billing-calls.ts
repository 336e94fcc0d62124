import { billingAdministration, billingEndpoints, teamBillingEndpoints } from '#contract/billing.ts';
import { testBillingEndpoints } from '#contract/test-billing.ts';
import type { Context } from '#server/context.ts';
import {
  actInTestPortal,
  type BillingDependencies,
  changePlan,
  changeSeatCount,
  checkPromotion,
  declineTestCheckout,
  describeTestCheckout,
  describeTestPortal,
  getBilling,
  listInvoices,
  manageSeats,
  openCreditCheckout,
  openPortal,
  openSubscriptionCheckout,
  packsOf,
  payTestCheckout,
  previewChange,
  setCancellation,
  tierOfPrice,
} from '#server/features/billing/index.ts';
import { type Call, call } from './call-table.ts';

export interface BillingCallDependencies {
  billing: BillingDependencies;
}

/** Plans, payments and seats of people and teams. */
export function billingCalls({ billing }: BillingCallDependencies): Call[] {
  return [
    ...personCalls(billing),
    ...teamBillingCalls(billing),
    ...administrationCalls(billing),
    ...testCheckoutCalls(billing),
    ...testPortalCalls(billing),
  ];
}

const modeOf = ({ payments }: BillingDependencies) => payments.provider.mode;
const nobody = {};

function personCalls(deps: BillingDependencies): Call[] {
  const mode = modeOf(deps);
  const state = async (ctx: Context) => ({ billing: await getBilling(ctx, nobody, deps) });
  return [
    call(billingEndpoints.getBilling, (ctx) => state(ctx)),
    call(billingEndpoints.subscribe, async (ctx, input) => {
      return { mode, ...(await openSubscriptionCheckout(ctx, { ...input, seats: 1 }, deps)) };
    }),
    call(billingEndpoints.previewPlan, async (ctx, input) => ({ preview: await previewChange(ctx, input, deps) })),
    call(billingEndpoints.changePlan, async (ctx, input) => {
      await changePlan(ctx, input, deps);
      return state(ctx);
    }),
    call(billingEndpoints.cancelSubscription, async (ctx) => {
      await setCancellation(ctx, { isCancelled: true }, deps);
      return state(ctx);
    }),
    call(billingEndpoints.resumeSubscription, async (ctx) => {
      await setCancellation(ctx, { isCancelled: false }, deps);
      return state(ctx);
    }),
    call(billingEndpoints.purchaseCredits, async (ctx, input) => {
      return { mode, ...(await openCreditCheckout(ctx, input, deps)) };
    }),
    call(billingEndpoints.openPortal, async (ctx) => ({ mode, ...(await openPortal(ctx, nobody, deps)) })),
    call(billingEndpoints.listInvoices, async (ctx) => ({ mode, invoices: await listInvoices(ctx, nobody, deps) })),
    call(billingEndpoints.checkPromotion, async (ctx, input) => {
      return { mode, promotion: await checkPromotion(ctx, input, deps) };
    }),
  ];
}

function teamBillingCalls(deps: BillingDependencies): Call[] {
  const mode = modeOf(deps);
  const state = async (ctx: Context, { teamId }: { teamId: string }) => {
    return { billing: await getBilling(ctx, { teamId }, deps) };
  };
  return [
    call(teamBillingEndpoints.getTeamBilling, state),
    call(teamBillingEndpoints.previewTeamChange, async (ctx, input) => {
      return { preview: await previewChange(ctx, input, deps) };
    }),
    call(teamBillingEndpoints.changeTeamPlan, async (ctx, input) => {
      await changePlan(ctx, input, deps);
      return state(ctx, input);
    }),
    call(teamBillingEndpoints.changeSeatCount, async (ctx, input) => {
      await changeSeatCount(ctx, input, deps);
      return state(ctx, input);
    }),
    call(teamBillingEndpoints.cancelTeamSubscription, async (ctx, input) => {
      await setCancellation(ctx, { ...input, isCancelled: true }, deps);
      return state(ctx, input);
    }),
    call(teamBillingEndpoints.resumeTeamSubscription, async (ctx, input) => {
      await setCancellation(ctx, { ...input, isCancelled: false }, deps);
      return state(ctx, input);
    }),
    call(teamBillingEndpoints.listTeamInvoices, async (ctx, input) => {
      return { mode, invoices: await listInvoices(ctx, input, deps) };
    }),
  ];
}

function administrationCalls(deps: BillingDependencies): Call[] {
  const done = { success: true, mode: modeOf(deps) } as const;
  return [
    call(billingAdministration.createSubscription, async (ctx, { numberOfSeats: seats, priceId, ...input }) => {
      const tier = tierOfPrice(priceId, deps);
      return { ...done, ...(await openSubscriptionCheckout(ctx, { ...input, tier, seats }, deps)) };
    }),
    call(billingAdministration.manageSeats, async (ctx, input) => {
      return { ...done, numberOfPaidSeats: await manageSeats(ctx, input, deps) };
    }),
    call(billingAdministration.purchaseTeamCredits, async (ctx, { teamId, amount }) => {
      return { ...done, ...(await openCreditCheckout(ctx, { teamId, packs: packsOf(amount) }, deps)) };
    }),
    call(billingAdministration.openTeamPortal, async (ctx, input) => {
      return { ...done, ...(await openPortal(ctx, input, deps)) };
    }),
  ];
}

function testCheckoutCalls(deps: BillingDependencies): Call[] {
  const mode = modeOf(deps);
  return [
    call(testBillingEndpoints.describeTestCheckout, async (ctx, input) => {
      return { checkout: await describeTestCheckout(ctx, input, deps) };
    }),
    call(testBillingEndpoints.payTestCheckout, async (ctx, input) => {
      return { mode, url: await payTestCheckout(ctx, input, deps) };
    }),
    call(testBillingEndpoints.declineTestCheckout, async (ctx, input) => {
      return { checkout: await declineTestCheckout(ctx, input, deps) };
    }),
    call(testBillingEndpoints.cancelTestCheckout, async (ctx, input) => {
      return { mode, url: (await describeTestCheckout(ctx, input, deps)).cancelUrl };
    }),
  ];
}

function testPortalCalls(deps: BillingDependencies): Call[] {
  const act = async (ctx: Context, portalId: string, done: Parameters<typeof actInTestPortal>[1]['act']) => {
    return { portal: await actInTestPortal(ctx, { portalId, act: done }, deps) };
  };
  return [
    call(testBillingEndpoints.describeTestPortal, async (ctx, input) => {
      return { portal: await describeTestPortal(ctx, input, deps) };
    }),
    call(testBillingEndpoints.setTestCard, (ctx, { portalId, works }) => act(ctx, portalId, { kind: 'card', works })),
    call(testBillingEndpoints.advanceTestTime, (ctx, { portalId }) => act(ctx, portalId, { kind: 'advance' })),
    call(testBillingEndpoints.cancelInTestPortal, (ctx, { portalId }) => act(ctx, portalId, { kind: 'cancel' })),
    call(testBillingEndpoints.resumeInTestPortal, (ctx, { portalId }) => act(ctx, portalId, { kind: 'resume' })),
    call(testBillingEndpoints.refundTestPayment, (ctx, { portalId, paymentId }) => {
      return act(ctx, portalId, { kind: 'refund', paymentId });
    }),
  ];
}
