import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { billingAdministration, billingEndpoints, teamBillingEndpoints } from '#contract/billing.ts';
import { creditEndpoints } from '#contract/credits.ts';
import * as limits from '#contract/limits.ts';
import { teamAdministration, teamEndpoints } from '#contract/teams.ts';
import { testBillingEndpoints } from '#contract/test-billing.ts';
import { startStripeServer } from '../services/stripe-server.ts';
import { until } from '../services/until.ts';
import { type HttpRig, openHttpRig } from './http-rig.ts';

const lastPart = (url: string) => url.slice(url.lastIndexOf('/') + 1);
const pay = (rig: HttpRig, url: string, promotionCode?: string) =>
  rig.ask(testBillingEndpoints.payTestCheckout, { checkoutId: lastPart(url), promotionCode });

test('a person subscribes, changes, buys, cancels and is refunded, all labeled as test mode', async () => {
  const rig = await openHttpRig({ TEST_PROMOTION_CODES: 'FIVE:5usd' });
  const { ask } = rig;
  const before = await ask(billingEndpoints.getBilling, {});
  expect(before.billing).toMatchObject({ mode: 'test', tier: 'Free', priceIds: { Basic: 'price_test_basic' } });
  expect(await ask(billingEndpoints.checkPromotion, { code: 'five' })).toMatchObject({
    mode: 'test',
    promotion: { amountOffCents: 500 },
  });
  const page = await ask(billingEndpoints.subscribe, { tier: 'Basic' });
  expect(page).toMatchObject({ mode: 'test', url: expect.stringContaining(`${rig.url}/billing/test/checkout/`) });
  const checkoutId = lastPart(page.url);
  expect((await ask(testBillingEndpoints.describeTestCheckout, { checkoutId })).checkout.totalCents).toBe(900);
  const declined = await ask(testBillingEndpoints.declineTestCheckout, { checkoutId });
  expect(declined.checkout).toMatchObject({ wasDeclined: true, status: 'open' });
  const left = await ask(testBillingEndpoints.cancelTestCheckout, { checkoutId });
  expect(left.url).toBe(`${rig.url}/subscribe?tier=basic&payment=cancelled`);
  expect((await pay(rig, page.url, 'FIVE')).url).toBe(`${rig.url}/subscribe?payment=done`);
  expect((await ask(billingEndpoints.getBilling, {})).billing).toMatchObject({ tier: 'Basic', nextAmountCents: 400 });
  expect((await ask(billingEndpoints.previewPlan, { tier: 'Pro' })).preview.monthlyCents).toBe(2400);
  const { billing: pro } = await ask(billingEndpoints.changePlan, { tier: 'Pro' });
  expect(pro).toMatchObject({ tier: 'Pro', monthlyAllowance: 4000, nextPeriod: null });
  const days = ((pro.subscriptionEndDate ?? 0) - (pro.subscriptionStartDate ?? 0)) / 86_400_000;
  // Changed within the first day: the difference is paid and granted for the remaining whole days.
  const monthlyAllowance = 1000 + Math.floor((3000 * (days - 1)) / days);
  expect((await ask(billingEndpoints.cancelSubscription, {})).billing.cancelAtPeriodEnd).toBe(true);
  expect((await ask(billingEndpoints.resumeSubscription, {})).billing.cancelAtPeriodEnd).toBe(false);
  await pay(rig, (await ask(billingEndpoints.purchaseCredits, { packs: 2 })).url);
  expect((await ask(creditEndpoints.getCreditInfo, {})).credits).toMatchObject({
    ...{ purchasedCredits: limits.initialCredits + 2000, monthlyAllowance },
  });
  expect((await ask(billingEndpoints.listInvoices, {})).invoices.length).toBeGreaterThanOrEqual(2);
  const portalId = lastPart((await ask(billingEndpoints.openPortal, {})).url);
  const { portal } = await ask(testBillingEndpoints.describeTestPortal, { portalId });
  const paymentId = portal.payments.find(({ isRefundable }) => isRefundable)?.paymentId ?? '';
  const unknown = await rig.refusal(testBillingEndpoints.refundTestPayment, { portalId, paymentId: 'pi_0' });
  expect(unknown.code).toBe('payment-not-refundable');
  await ask(testBillingEndpoints.refundTestPayment, { portalId, paymentId });
  expect((await ask(creditEndpoints.getCreditInfo, {})).credits.purchasedCredits).toBe(limits.initialCredits);
  await ask(testBillingEndpoints.setTestCard, { portalId, works: false });
  await ask(testBillingEndpoints.advanceTestTime, { portalId });
  expect((await ask(billingEndpoints.getBilling, {})).billing).toMatchObject({ tier: 'Pro', paymentFailed: true });
  await ask(testBillingEndpoints.setTestCard, { portalId, works: true });
  await ask(testBillingEndpoints.cancelInTestPortal, { portalId });
  await ask(testBillingEndpoints.resumeInTestPortal, { portalId });
  expect((await ask(billingEndpoints.getBilling, {})).billing).toMatchObject({
    ...{ subscriptionStatus: 'active', cancelAtPeriodEnd: false, paymentFailed: false },
  });
});

test('a payment whose credits cannot be written yet is not called uncharged, and they come', async () => {
  const rig = await openHttpRig();
  const { url } = await rig.ask(billingEndpoints.purchaseCredits, { packs: 1 });
  const { query } = rig.running.installation.base.db;
  const rename = (from: string, to: string) =>
    sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(query);
  await rename('credit_transactions', 'away');
  const refusal = await rig.refusal(testBillingEndpoints.payTestCheckout, { checkoutId: lastPart(url) });
  expect(refusal).toMatchObject({ status: 500, code: 'internal' });
  await rename('away', 'credit_transactions');
  await pay(rig, url);
  expect((await rig.ask(creditEndpoints.getCreditInfo, {})).credits).toMatchObject({
    purchasedCredits: limits.initialCredits + 1000,
  });
});

test('a team buys seats and credits by the calls of its administration, and stops paying when it is deleted', async () => {
  const rig = await openHttpRig();
  const { ask, refusal } = rig;
  const { teamId } = await ask(teamAdministration.createTeam, { teamName: 'Docs' });
  const { billing } = await ask(teamBillingEndpoints.getTeamBilling, { teamId });
  const priceId = billing.priceIds.Basic;
  const created = await ask(billingAdministration.createSubscription, { teamId, numberOfSeats: 2, priceId });
  expect((await pay(rig, created.url)).url).toBe(`${rig.url}/team-manage-seats?teamId=${teamId}&payment=done`);
  expect((await ask(teamEndpoints.getTeam, { teamId })).team).toMatchObject({
    ...{ tier: 'Basic', numberOfPaidSeats: 2, monthlyAllowance: 2000, subscriptionStatus: 'active' },
  });
  const { members } = await ask(teamEndpoints.listTeamMembers, { teamId });
  const paidSeatMembershipIds = members.map(({ membershipId }) => membershipId);
  expect(await ask(billingAdministration.manageSeats, { teamId, paidSeatMembershipIds })).toEqual({
    ...{ success: true, mode: 'test', numberOfPaidSeats: 2 },
  });
  const seats = await ask(teamBillingEndpoints.changeSeatCount, { teamId, numberOfSeats: 3 });
  expect(seats.billing).toMatchObject({ numberOfPaidSeats: 3, assignedSeats: 1 });
  expect((await ask(teamBillingEndpoints.previewTeamChange, { teamId, tier: 'Pro' })).preview).toMatchObject({
    ...{ numberOfSeats: 3, monthlyCents: 8700, monthlyAllowance: 12_000 },
  });
  expect((await ask(teamBillingEndpoints.changeTeamPlan, { teamId, tier: 'Pro' })).billing.tier).toBe('Pro');
  await ask(teamBillingEndpoints.cancelTeamSubscription, { teamId });
  await ask(teamBillingEndpoints.resumeTeamSubscription, { teamId });
  await pay(rig, (await ask(billingAdministration.purchaseTeamCredits, { teamId, amount: 3000 })).url);
  expect((await ask(teamEndpoints.getTeam, { teamId })).team.credits).toBe(3000);
  expect((await ask(teamBillingEndpoints.listTeamInvoices, { teamId })).invoices.length).toBeGreaterThan(1);
  expect((await ask(billingAdministration.openTeamPortal, { teamId })).url).toContain('/billing/test/portal/');
  const wrong = await rig.send(`/admin/teams/${teamId}/create-subscription`, {
    method: 'POST',
    headers: rig.operator,
    body: JSON.stringify({ numberOfSeats: 1, priceId: 'price_of_nobody' }),
  });
  expect(wrong.status).toBe(400);
  expect(await wrong.json()).toMatchObject({ success: false, code: 'price-unknown', error: expect.any(String) });
  expect((await refusal(teamBillingEndpoints.getTeamBilling, { teamId: 'nobody' })).code).toBe('team-not-found');
  const { provider } = (await rig.running.installation.features.billing.needs()).payments;
  const subscriptionId = seats.billing.subscriptionId ?? '';
  await ask(teamAdministration.deleteTeam, { teamId });
  await until('the subscription has ended', async () => {
    return (await provider.findSubscription(subscriptionId))?.status === 'canceled';
  });
});

test('with Stripe configured, its pages open and its events count, and the test mode pages do not exist', async () => {
  const stripe = await startStripeServer();
  onTestFinished(() => stripe.stop());
  const rig = await openHttpRig(stripe.environment);
  stripe.deliverTo(`${rig.url}/webhooks/stripe`);
  const page = await rig.ask(billingEndpoints.subscribe, { tier: 'Pro' });
  expect(page).toMatchObject({ mode: 'stripe', url: expect.stringContaining(`${stripe.url}/pay/`) });
  stripe.pay(lastPart(page.url));
  const { billing } = await until('the plan is there', async () => {
    const answer = await rig.ask(billingEndpoints.getBilling, {});
    return answer.billing.tier === 'Pro' ? answer : undefined;
  });
  expect(billing).toMatchObject({ mode: 'stripe', monthlyAllowance: 4000, subscriptionStatus: 'active' });
  expect(stripe.complaints).toEqual([]);
  const checkoutId = lastPart(page.url);
  expect((await rig.refusal(testBillingEndpoints.payTestCheckout, { checkoutId })).code).toBe('not-found');
});

test('events that are unsigned, oversized or sent with another method are refused, from any origin', async () => {
  const rig = await openHttpRig();
  const post = (body: string, headers: Record<string, string> = {}) =>
    rig.send('/webhooks/stripe', { method: 'POST', headers, body });
  expect((await post('{}')).status).toBe(400);
  expect((await post('{}', { origin: 'https://elsewhere.example', 'stripe-signature': 't=1,v1=00' })).status).toBe(400);
  expect((await rig.send('/webhooks/stripe')).status).toBe(405);
  expect((await post('x'.repeat(limits.requestBytesMax + 1))).status).toBe(413);
  const refused = await (await post('{}')).json();
  expect(refused).toMatchObject({ error: { code: 'webhook-refused' } });
});
