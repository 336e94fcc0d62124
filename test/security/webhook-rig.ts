import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { Context } from '#server/context.ts';
import { openCreditCheckout, openSubscriptionCheckout } from '#server/features/billing/index.ts';
import { receiveEvent } from '#server/features/billing/receive-event.ts';
import { createPaymentsWebhook } from '#server/http/webhooks.ts';
import type { PaymentsConfig } from '#server/platform/payments/open-payments.ts';
import type { DatabaseKind } from '../services/database.ts';
import { type BillingSample, openBillingSample, pageId, start } from '../services/sample-billing.ts';
import { loopbackPrices } from '../services/stripe-objects.ts';
import { type SignedEvent, type StripeServer, startStripeServer } from '../services/stripe-server.ts';

/** Billing with a fake Stripe on loopback, whose events are held back until a test posts them. */
export interface WebhookRig extends BillingSample {
  stripe: StripeServer;
  anna: Context;
  /** The prices offered, which a test can change. */
  prices: Extract<PaymentsConfig, { kind: 'stripe' }>['prices'];
  /** Posts a body unchanged. */
  post(body: string, signature: string): Promise<Response>;
  /** Posts an event with a database of the test's choice. */
  postWith(db: Context['db'], event: SignedEvent): Promise<Response>;
  /** Returns the events since the last call. */
  news(): SignedEvent[];
  /** Anna subscribes and pays; no event has been delivered yet. */
  payForPlan(): Promise<{ subscriptionId: string; customerId: string }>;
  /** Anna buys a pack of credits. */
  payForCredits(): Promise<{ paymentId: string; checkoutId: string; customerId: string }>;
}

export async function openWebhookRig(
  kind: DatabaseKind = 'sqlite',
  { eventAnswerMs = 30_000, ...change }: Partial<PaymentsConfig & { kind: 'stripe' }> & { eventAnswerMs?: number } = {},
): Promise<WebhookRig> {
  const clockOf: { now(): number } = { now: () => start };
  const stripe = await startStripeServer(0, () => clockOf.now());
  onTestFinished(() => stripe.stop());
  const config: Extract<PaymentsConfig, { kind: 'stripe' }> = {
    kind: 'stripe',
    secretKey: stripe.environment['STRIPE_SECRET_KEY'] ?? '',
    webhookSecret: stripe.environment['STRIPE_WEBHOOK_SECRET'] ?? '',
    prices: { ...loopbackPrices },
    url: stripe.url,
    ...change,
  };
  const sample = await openBillingSample(kind, config, [stripe.host]);
  clockOf.now = () => sample.clock.now();
  const billing = { ...sample.deps, eventAnswerMs };
  const anna = await sample.person('anna', 200);
  const routeOn = (db: Context['db']) =>
    createPaymentsWebhook({
      contextOf: () => ({ ...anna, db, actor: { kind: 'anonymous' }, workspace: null, requestId: randomUUID() }),
      billing: { receiveEvent: (ctx, input) => receiveEvent(ctx, input, billing) },
      errorReporter: { report: () => undefined, close: async () => undefined },
    });
  const send = (db: Context['db'], body: string, signature: string) => {
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
    return routeOn(db).handle(new Request('http://x/webhooks/stripe', { method: 'POST', headers, body }));
  };
  const bookOf = (url: string) => {
    const id = pageId(url);
    stripe.pay(id);
    const book = [...stripe.books.values()].find(({ checkouts }) => checkouts.some((checkout) => checkout.id === id));
    if (book === undefined) throw new Error('the page is in no book');
    return book;
  };
  return {
    ...sample,
    ...{ stripe, anna, prices: config.prices },
    post: (body, signature) => send(sample.db, body, signature),
    postWith: (db, { body }) => send(db, body, stripe.sign(body)),
    news: () => stripe.events.splice(0),
    async payForPlan() {
      const { url } = await openSubscriptionCheckout(sample.as('anna'), { tier: 'Basic', seats: 1 }, billing);
      const { subscriptions, customerId } = bookOf(url);
      return { subscriptionId: subscriptions.at(-1)?.id ?? '', customerId };
    },
    async payForCredits() {
      const { url } = await openCreditCheckout(sample.as('anna'), { packs: 1 }, billing);
      const { invoices, customerId } = bookOf(url);
      return { paymentId: invoices.at(-1)?.paymentId ?? '', checkoutId: pageId(url), customerId };
    },
  };
}
