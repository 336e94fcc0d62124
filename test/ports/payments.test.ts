import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Discount } from '#contract/billing.ts';
import { createOutbound } from '#server/platform/outbound/index.ts';
import { openPayments } from '#server/platform/payments/open-payments.ts';
import {
  type Order,
  PaymentError,
  type PaymentEvent,
  type PaymentProvider,
} from '#server/platform/payments/payment-provider.ts';
import { freshDatabase, onEachDatabase } from '#test/services/database.ts';
import { createSettableClock } from '#test/services/settable-clock.ts';
import { loopbackPrices } from '#test/services/stripe-objects.ts';
import { type StripeServer, startStripeServer } from '#test/services/stripe-server.ts';

const start = Date.UTC(2026, 0, 31, 12);
const dayMs = 86_400_000;
const launch: Discount = { code: 'LAUNCH20', percentOff: 20, amountOffCents: null };

/** A provider with helpers that act as a paying customer. */
interface Rig {
  provider: PaymentProvider;
  clock: ReturnType<typeof createSettableClock>;
  pay(checkoutId: string, code?: Discount): Promise<void>;
  setCard(customerId: string, works: boolean): Promise<void>;
  advance(customerId: string): Promise<void>;
  refund(customerId: string, paymentId: string): Promise<void>;
  /** Returns the events since the last call, as the provider parses them. */
  events(): Promise<PaymentEvent[]>;
  paymentIds(customerId: string): Promise<string[]>;
}

const running: StripeServer[] = [];
afterEach(() => {
  for (const stripe of running.splice(0)) expect(stripe.complaints).toEqual([]);
});

async function stripeRig(): Promise<Rig & { stripe: StripeServer }> {
  const clock = createSettableClock(start);
  const stripe = await startStripeServer(0, () => clock.now());
  running.push(stripe);
  const outbound = createOutbound({ allowHosts: [stripe.host], userAgent: 'test' });
  onTestFinished(async () => {
    await outbound.close();
    await stripe.stop();
  });
  const { provider } = openPayments(
    {
      kind: 'stripe',
      secretKey: stripe.environment['STRIPE_SECRET_KEY'] ?? '',
      webhookSecret: stripe.environment['STRIPE_WEBHOOK_SECRET'] ?? '',
      prices: loopbackPrices,
      url: stripe.url,
    },
    // Stripe does not use the test mode's parameters.
    { db: await freshDatabase(), clock, outbound, publicUrl: 'http://x', secret: '' },
  );
  return {
    ...{ stripe, provider, clock },
    pay: async (id, code) => stripe.pay(id, code),
    setCard: async (id, works) => stripe.setCard(id, works),
    advance: async (id) => stripe.advance(id),
    refund: async (_customerId, id) => stripe.refund(id),
    events: async () =>
      stripe.events.splice(0).map(({ body }) => provider.readEvent(body, stripe.sign(body), clock.now())),
    paymentIds: async (id) => (stripe.books.get(id)?.invoices ?? []).map(({ paymentId }) => paymentId),
  };
}

async function testModeRig(kind: 'sqlite' | 'postgres'): Promise<Rig> {
  const clock = createSettableClock(start);
  const db = await freshDatabase(kind);
  const outbound = createOutbound({ allowHosts: [], userAgent: 'test' });
  onTestFinished(() => outbound.close());
  const { provider, desk } = openPayments(
    { kind: 'test', promotions: [launch] },
    { db, clock, outbound, publicUrl: 'http://x', secret: 'whsec_test' },
  );
  if (desk === undefined) throw new Error('the test mode has a desk');
  const portal = (customerId: string) => customerId.replace('cus_', 'bps_');
  return {
    ...{ provider, clock },
    pay: async (id, code) => void (await desk.pay(id, code?.code)),
    setCard: (id, works) => desk.setCard(portal(id), works),
    advance: (id) => desk.advance(portal(id)),
    refund: (customerId, id) => desk.refund(portal(customerId), id),
    async events() {
      const events = await desk.pendingEvents();
      for (const { id } of events) await desk.removeEvent(id);
      return events.map(({ body, signature }) => provider.readEvent(body, signature, clock.now()));
    },
    paymentIds: async (id) =>
      ((await desk.describePortal(portal(id)))?.payments ?? []).map(({ paymentId }) => paymentId).reverse(),
  };
}

/** Declares the suite that applies to both payment providers. */
function paymentProvider(open: () => Promise<Rig>): void {
  const customer = { payer: 'team:t1', name: 'Team One', email: 'anna@docs.example' } as const;
  const order = (customerId: string, more: Partial<Order> = {}): Order => ({
    payer: 'team:t1',
    buyerId: 'anna',
    customerId,
    what: { kind: 'subscription', tier: 'Basic' },
    quantity: 2,
    returnUrl: 'http://x/done',
    cancelUrl: 'http://x/left',
    ...more,
  });

  async function subscribed(more: Partial<Order> = {}) {
    const rig = await open();
    const customerId = await rig.provider.createCustomer(customer, 'c1');
    const { checkoutId } = await rig.provider.openCheckout(order(customerId, more), 'k1');
    await rig.pay(checkoutId);
    const { subscriptionId } = (await rig.provider.findCheckout(checkoutId)) ?? {};
    if (!subscriptionId) throw new Error('paying made no subscription');
    const read = async () => {
      const subscription = await rig.provider.findSubscription(subscriptionId);
      if (subscription === undefined) throw new Error('the subscription is gone');
      return subscription;
    };
    const types = async () => (await rig.events()).map(({ type }) => type);
    return { ...rig, customerId, checkoutId, subscriptionId, read, types };
  }

  test('a checkout page has an address and creates nothing until it is paid', async () => {
    const { provider, events } = await open();
    const customerId = await provider.createCustomer(customer, 'c1');
    const { checkoutId, url } = await provider.openCheckout(order(customerId), 'k1');
    expect(URL.canParse(url)).toBe(true);
    expect(await provider.findCheckout(checkoutId)).toMatchObject({
      ...{ payer: 'team:t1', buyerId: 'anna', customerId, kind: 'subscription', status: 'open', isPaid: false },
      ...{ subscriptionId: null, quantity: 2, subtotalCents: 1800, currency: 'usd' },
    });
    expect(await events()).toEqual([]);
    expect(await provider.findCheckout('cs_0_1')).toBeUndefined();
  });

  test('the same key opens one page, and another order with that key is refused', async () => {
    const { provider } = await open();
    const customerId = await provider.createCustomer(customer, 'c1');
    const opened = await Promise.all([1, 2, 3].map(() => provider.openCheckout(order(customerId), 'same')));
    expect(new Set(opened.map(({ checkoutId }) => checkoutId)).size).toBe(1);
    await expect(provider.openCheckout(order(customerId, { quantity: 3 }), 'same')).rejects.toMatchObject({
      code: 'key-reused',
    });
  });

  test('a payment creates a subscription and events that say what to read', async () => {
    const { read, events, checkoutId, subscriptionId, provider, customerId } = await subscribed();
    expect(await read()).toMatchObject({
      ...{ payer: 'team:t1', buyerId: 'anna', customerId, status: 'active', tier: 'Basic', quantity: 2 },
      ...{ startedAt: start, periodEndAt: Date.UTC(2026, 1, 28, 12), cancelAtPeriodEnd: false, discount: null },
    });
    const told = await events();
    expect(told.map(({ concern }) => concern)).toMatchObject([
      { kind: 'checkout', id: checkoutId },
      { kind: 'subscription', id: subscriptionId },
      { kind: 'invoice' },
    ]);
    const invoice = await provider.findInvoice(told[2]?.concern?.id ?? '');
    const paidFor = [{ startAt: start, endAt: Date.UTC(2026, 1, 28, 12), tier: 'Basic', quantity: 2 }];
    expect(invoice).toEqual({ id: told[2]?.concern?.id, subscriptionId, isPaid: true, paidFor });
    expect((await read()).latestInvoice).toEqual(invoice);
  });

  test('a voided page cannot be paid', async () => {
    const { provider, pay, events } = await open();
    const customerId = await provider.createCustomer(customer, 'c1');
    const { checkoutId } = await provider.openCheckout(order(customerId), 'k1');
    const other = await provider.openCheckout({ ...order(customerId), what: { kind: 'credits' } }, 'k2');
    // More than the provider returns on one page.
    const more = [];
    for (let at = 0; at < 101; at++) more.push(await provider.openCheckout(order(customerId), `more-${at}`));
    await provider.expireCheckout(checkoutId);
    await provider.expireCheckout(checkoutId);
    expect(await provider.findCheckout(other.checkoutId)).toMatchObject({ status: 'open' });
    await provider.expireCheckouts(customerId);
    for (const { checkoutId: id } of more) {
      expect(await provider.findCheckout(id)).toMatchObject({ status: 'expired' });
    }
    await provider.expireCheckouts(customerId);
    for (const id of [checkoutId, other.checkoutId]) {
      await pay(id);
      expect(await provider.findCheckout(id)).toMatchObject({ status: 'expired', isPaid: false });
    }
    expect(await events()).toEqual([]);
  });

  test('an upgrade charges the rest of the period at once, a downgrade neither charges nor refunds', async () => {
    const { provider, subscriptionId, read, clock, customerId, advance } = await subscribed();
    clock.advance(14 * dayMs);
    const more = { tier: 'Pro', quantity: 2 } as const;
    const paidTime = { startAt: start + 14 * dayMs, endAt: Date.UTC(2026, 1, 28, 12) };
    const paidFor = [
      { tier: 'Basic', quantity: -2, ...paidTime },
      { ...more, ...paidTime },
    ];
    expect(await provider.previewChange(subscriptionId, more)).toEqual({
      ...{ dueNowCents: 2000, monthlyCents: 5800, renewsAt: paidTime.endAt, paidFor },
    });
    await provider.changeSubscription(subscriptionId, { ...more, proration: 'invoice' }, 'up');
    expect(await read()).toMatchObject({ tier: 'Pro', quantity: 2, startedAt: start });
    expect((await read()).latestInvoice).toMatchObject({ isPaid: true, paidFor });
    const less = { tier: 'Pro', quantity: 1 } as const;
    expect(await provider.previewChange(subscriptionId, less)).toMatchObject({ dueNowCents: 0, monthlyCents: 2900 });
    await provider.changeSubscription(subscriptionId, { ...less, proration: 'none' }, 'down');
    await advance(customerId);
    expect((await provider.listInvoices(customerId)).map(({ totalCents }) => totalCents)).toEqual([2900, 2000, 1800]);
  });

  test('a change that the card cannot pay for changes nothing', async () => {
    const { provider, subscriptionId, read, customerId, setCard } = await subscribed();
    await setCard(customerId, false);
    const change = { tier: 'Pro', quantity: 2, proration: 'invoice' } as const;
    await expect(provider.changeSubscription(subscriptionId, change, 'up')).rejects.toMatchObject({ code: 'declined' });
    expect(await read()).toMatchObject({ tier: 'Basic' });
  });

  test('each period is followed by the next, on the same day or the last day of a shorter month', async () => {
    const { advance, customerId, read, types } = await subscribed();
    await types();
    await advance(customerId);
    expect(await read()).toMatchObject({ periodStartAt: Date.UTC(2026, 1, 28, 12) });
    await advance(customerId);
    expect(await read()).toMatchObject({ periodStartAt: Date.UTC(2026, 2, 31, 12), startedAt: start });
    const renewal = ['invoice.paid', 'customer.subscription.updated'];
    expect(await types()).toEqual([...renewal, ...renewal]);
  });

  test('a failed payment is retried, and ends the subscription after the last attempt', async () => {
    const { advance, customerId, read, types, setCard } = await subscribed();
    await setCard(customerId, false);
    await types();
    await advance(customerId);
    expect(await read()).toMatchObject({ status: 'past_due', tier: 'Basic' });
    expect(await types()).toEqual(['invoice.payment_failed', 'customer.subscription.updated']);
    for (let tries = 0; tries < 3; tries += 1) await advance(customerId);
    expect(await read()).toMatchObject({ status: 'canceled' });
    expect((await types()).at(-1)).toBe('customer.subscription.deleted');
  });

  test('a working card settles open invoices', async () => {
    const { advance, customerId, read, setCard, provider } = await subscribed();
    await setCard(customerId, false);
    await advance(customerId);
    expect((await provider.listInvoices(customerId))[0]).toMatchObject({ status: 'open' });
    await setCard(customerId, true);
    expect(await read()).toMatchObject({ status: 'active' });
    expect((await provider.listInvoices(customerId))[0]).toMatchObject({ status: 'paid' });
  });

  test('a cancellation takes effect at the end of the period, and can be reverted until then', async () => {
    const { provider, subscriptionId, read, advance, customerId } = await subscribed();
    await provider.setCancelAtPeriodEnd(subscriptionId, true);
    expect(await read()).toMatchObject({ status: 'active', cancelAtPeriodEnd: true });
    await provider.setCancelAtPeriodEnd(subscriptionId, false);
    expect(await read()).toMatchObject({ cancelAtPeriodEnd: false });
    await provider.setCancelAtPeriodEnd(subscriptionId, true);
    await advance(customerId);
    expect(await read()).toMatchObject({ status: 'canceled', endedAt: Date.UTC(2026, 1, 28, 12) });
  });

  test('a subscription is ended at once, and ending it twice has no further effect', async () => {
    const { provider, subscriptionId, read, types } = await subscribed();
    await types();
    await provider.endSubscription(subscriptionId);
    await provider.endSubscription(subscriptionId);
    expect(await read()).toMatchObject({ status: 'canceled', endedAt: start });
    expect(await types()).toEqual(['customer.subscription.deleted']);
  });

  test('a promotion code reduces every invoice', async () => {
    const { provider, read, customerId } = await subscribed({ promotionCode: 'launch20' });
    expect(await provider.findPromotion('Launch20')).toEqual(launch);
    expect(await provider.findPromotion('nothing')).toBeUndefined();
    expect(await read()).toMatchObject({ discount: launch });
    expect(await provider.listInvoices(customerId)).toMatchObject([{ totalCents: 1440, status: 'paid' }]);
    const wrong = order(customerId, { promotionCode: 'nothing' });
    await expect(provider.openCheckout(wrong, 'k2')).rejects.toMatchObject({ code: 'no-promotion' });
  });

  test('a promotion code entered on the payment page applies to a plan, not to credits', async () => {
    const { provider, pay } = await open();
    const customerId = await provider.createCustomer(customer, 'c1');
    const credits = await provider.openCheckout(order(customerId, { what: { kind: 'credits' } }), 'k1');
    await expect(pay(credits.checkoutId, launch)).rejects.toThrow();
    expect(await provider.findCheckout(credits.checkoutId)).toMatchObject({ isPaid: false });
    const plan = await provider.openCheckout(order(customerId), 'k2');
    await pay(plan.checkoutId, launch);
    expect(await provider.listInvoices(customerId)).toMatchObject([{ totalCents: 1440, status: 'paid' }]);
  });

  test('credits are bought once and refunded in full, and a second refund has no effect', async () => {
    const { provider, pay, refund, events, paymentIds } = await open();
    const customerId = await provider.createCustomer(customer, 'c1');
    const credits = order(customerId, { what: { kind: 'credits' }, quantity: 3 });
    const { checkoutId } = await provider.openCheckout(credits, 'k1');
    await pay(checkoutId);
    const bought = { kind: 'credits', isPaid: true, returnedShare: 0, isCreditPrice: true, subtotalCents: 2700 };
    expect(await provider.findCheckout(checkoutId)).toMatchObject(bought);
    const [paymentId = ''] = await paymentIds(customerId);
    await events();
    await refund(customerId, paymentId);
    await refund(customerId, paymentId);
    expect((await events()).map(({ concern }) => concern)).toEqual([{ kind: 'payment', id: paymentId }]);
    expect(await provider.findCheckoutOfPayment(paymentId)).toMatchObject({ id: checkoutId, returnedShare: 1 });
    expect(await provider.findCheckoutOfPayment('pi_0')).toBeUndefined();
  });

  test('the portal has an address', async () => {
    const { provider, customerId } = await subscribed();
    expect(URL.canParse(await provider.openPortal(customerId, 'http://x/back'))).toBe(true);
  });
}

onEachDatabase('test mode payments', (kind) => paymentProvider(() => testModeRig(kind)));

describe('Stripe payments', () => {
  paymentProvider(stripeRig);

  test('every creating request sends an idempotency key', async () => {
    const { provider, stripe } = await stripeRig();
    const customerId = await provider.createCustomer({ payer: 'user:u', name: 'Anna', email: null }, 'customer:u');
    expect(stripe.writes).toEqual([{ path: 'POST /v1/customers', key: 'customer:u' }]);
    expect(stripe.books.get(customerId)).toMatchObject({ payer: 'user:u', email: null });
  });

  test('plans cannot be changed in the portal, whose settings are created once', async () => {
    const { provider, stripe } = await stripeRig();
    const customerId = await provider.createCustomer({ payer: 'user:u', name: 'Anna', email: null }, 'customer:u');
    for (const back of ['http://x/a', 'http://x/b']) await provider.openPortal(customerId, back);
    expect(stripe.portalConfigurations).toMatchObject([{ features: { subscription_update: { enabled: false } } }]);
  });

  test('a response without the fields that are needed is an error of the provider in every call', async () => {
    const { provider, stripe, pay, paymentIds } = await stripeRig();
    const customerId = await provider.createCustomer({ payer: 'user:u', name: 'Anna', email: null }, 'customer');
    const order: Order = {
      ...{ payer: 'user:u', buyerId: 'anna', customerId, what: { kind: 'subscription', tier: 'Basic' }, quantity: 1 },
      ...{ promotionCode: 'LAUNCH20', returnUrl: 'http://x/done', cancelUrl: 'http://x/left' },
    };
    const { checkoutId } = await provider.openCheckout(order, 'k');
    await pay(checkoutId);
    const id = (await provider.findCheckout(checkoutId))?.subscriptionId ?? '';
    const [paymentId = ''] = await paymentIds(customerId);
    const calls: Record<string, (key: string) => Promise<unknown>> = {
      createCustomer: (key) => provider.createCustomer({ payer: 'user:v', name: 'Bert', email: null }, key),
      openCheckout: (key) => provider.openCheckout(order, key),
      expireCheckouts: () => provider.expireCheckouts(customerId),
      findCheckout: () => provider.findCheckout(checkoutId),
      findCheckoutOfPayment: () => provider.findCheckoutOfPayment(paymentId),
      findPromotion: () => provider.findPromotion('LAUNCH20'),
      findSubscription: () => provider.findSubscription(id),
      previewChange: () => provider.previewChange(id, { tier: 'Pro', quantity: 1 }),
      changeSubscription: (key) =>
        provider.changeSubscription(id, { tier: 'Pro', quantity: 1, proration: 'none' }, key),
      findInvoiceOfPayment: () => provider.findInvoiceOfPayment(paymentId),
      listInvoices: () => provider.listInvoices(customerId),
      openPortal: () => provider.openPortal(customerId, 'http://x/back'),
    };
    for (const body of ['{}', '[]', '7', '{"data":null}', '{"data":{}}', '{"data":[null]}', '{"data":[{}]}']) {
      stripe.distort = () => body;
      for (const [name, call] of Object.entries(calls)) {
        const outcome = await call(`${name} ${body}`).then(
          () => 'done',
          (error: unknown) => (error instanceof PaymentError ? error.code : error),
        );
        // A listed object without its fields looks like one that does not match.
        const expected =
          body === '{"data":[{}]}' ? /^(?:done|unreadable|unavailable)$/ : /^(?:unreadable|unavailable)$/;
        expect(outcome, `${name} ${body}`).toMatch(expected);
      }
    }
  });

  test('an outage is reported as an outage', async () => {
    const { provider, stripe } = await stripeRig();
    stripe.isBroken = true;
    await expect(provider.findSubscription('sub_1')).rejects.toMatchObject({ code: 'unavailable' });
  });
});
