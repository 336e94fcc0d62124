import type { Outbound } from '../../outbound/index.ts';
import type { PaymentProvider } from '../payment-provider.ts';
import { readSignedEvent } from '../signed-event.ts';
import { stripeCheckouts } from './stripe-checkouts.ts';
import { createStripeClient } from './stripe-client.ts';
import { asked, found, idempotent } from './stripe-faults.ts';
import { portalConfiguration } from './stripe-portal.ts';
import { invoiceSnapshot, presentInvoice, type StripePrices } from './stripe-snapshots.ts';
import { stripeSubscriptions } from './stripe-subscriptions.ts';

export interface StripeOptions {
  secretKey: string;
  webhookSecret: string;
  prices: StripePrices;
  /** Of the API. */
  url: string;
}

/** Payments by Stripe: its payment pages, its portal, its subscriptions. */
export function createStripePayments(options: StripeOptions, outbound: Outbound): PaymentProvider {
  const { prices, webhookSecret, secretKey } = options;
  const stripe = createStripeClient(options, outbound);
  const configuration = portalConfiguration(stripe);
  return {
    mode: 'stripe',
    priceIds: { Basic: prices.Basic, Pro: prices.Pro },
    ...stripeCheckouts(stripe, prices),
    ...stripeSubscriptions(stripe, prices),
    async createCustomer({ payer, name, email }, key) {
      const customer = await asked(() =>
        stripe.customers.create({ name, ...(email === null ? {} : { email }), metadata: { payer } }, idempotent(key)),
      );
      return customer.id;
    },
    async findInvoice(id) {
      const invoice = await found(() => stripe.invoices.retrieve(id), 'invoice');
      return invoice && invoiceSnapshot(invoice, prices);
    },
    async openPortal(customer, returnUrl) {
      const session = { customer, return_url: returnUrl, configuration: await configuration() };
      return (await asked(() => stripe.billingPortal.sessions.create(session))).url;
    },
    async listInvoices(customer) {
      const invoices = await asked(() => stripe.invoices.list({ customer, limit: 100 }));
      return invoices.data.filter(({ status }) => status !== 'draft').map(presentInvoice);
    },
    readEvent: (body, signature, receivedAt) =>
      readSignedEvent({ body, signature, secret: webhookSecret }, { isLive: secretKey.includes('_live_'), receivedAt }),
  };
}
