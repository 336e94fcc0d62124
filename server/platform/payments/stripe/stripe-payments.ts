import type Stripe from 'stripe';
import { z } from 'zod';
import { invoiceSchema } from '#contract/billing.ts';
import type { Outbound } from '../../outbound/index.ts';
import type { PaymentProvider } from '../payment-provider.ts';
import { readSignedEvent } from '../signed-event.ts';
import { stripeSdk } from '../stripe-sdk.ts';
import { stripeCheckouts } from './stripe-checkouts.ts';
import { asked, found, idempotent, listed, readAs } from './stripe-faults.ts';
import { invoiceSnapshot, presentInvoice, returnedShareOf, type StripePrices } from './stripe-snapshots.ts';
import { stripeSubscriptions } from './stripe-subscriptions.ts';

export interface StripeOptions {
  secretKey: string;
  webhookSecret: string;
  prices: StripePrices;
  /** Address of the API. */
  url: string;
}

/** Creates the Stripe provider: payment pages, portal and subscriptions. */
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
      return readAs(z.string(), () => customer.id);
    },
    async findInvoice(id) {
      const invoice = await found(() => stripe.invoices.retrieve(id), 'invoice');
      return invoice && invoiceSnapshot(invoice, prices);
    },
    async findInvoiceOfPayment(paymentId) {
      const payment = { type: 'payment_intent', payment_intent: paymentId };
      const expand = ['data.invoice', 'data.payment.payment_intent.latest_charge'];
      const [paid] = listed(await asked(() => stripe.invoicePayments.list({ payment, limit: 1, expand })));
      const invoice = paid?.invoice;
      if (paid === undefined || typeof invoice !== 'object' || invoice === null || !('billing_reason' in invoice))
        return undefined;
      const intent = readAs(
        z.custom<Stripe.InvoicePayment.Payment['payment_intent']>(),
        () => paid.payment.payment_intent,
      );
      const returnedShare = await returnedShareOf(stripe, intent, invoice.total);
      return { ...invoiceSnapshot(invoice, prices), returnedShare };
    },
    async openPortal(customer, returnUrl) {
      const session = { customer, return_url: returnUrl, configuration: await configuration() };
      const portal = await asked(() => stripe.billingPortal.sessions.create(session));
      return readAs(z.string(), () => portal.url);
    },
    async listInvoices(customer) {
      const invoices = await asked(() => stripe.invoices.list({ customer, limit: 100 }));
      const issued = listed(invoices).filter(({ status }) => status !== 'draft');
      return readAs(z.array(invoiceSchema), () => issued.map(presentInvoice));
    },
    readEvent: (body, signature, receivedAt) =>
      readSignedEvent({ body, signature, secret: webhookSecret }, { isLive: secretKey.includes('_live_'), receivedAt }),
  };
}

const callTimeoutMs = 20_000;
const answerBytesMax = 5_000_000;

/**
 * Creates the SDK client, whose requests go through the guarded client. A request without a response is retried under
 * its key.
 */
function createStripeClient({ secretKey, url }: { secretKey: string; url: string }, outbound: Outbound): Stripe {
  const { protocol, hostname, port } = new URL(url);
  const Sdk = stripeSdk();
  return new Sdk(secretKey, {
    host: hostname,
    port: port || (protocol === 'https:' ? 443 : 80),
    protocol: protocol === 'https:' ? 'https' : 'http',
    maxNetworkRetries: 2,
    timeout: callTimeoutMs,
    telemetry: false,
    httpClient: Sdk.createFetchHttpClient(fetchThrough(outbound)),
  });
}

/** Provides the part of `fetch` that the SDK uses. */
function fetchThrough(outbound: Outbound): Parameters<typeof Stripe.createFetchHttpClient>[0] {
  return async (input, init = {}) => {
    const address = input instanceof Request ? input.url : String(input);
    const answer = await outbound.request(address, {
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers).entries()),
      // The SDK sends forms as text.
      body: typeof init.body === 'string' ? init.body : undefined,
      redirectsMax: 0,
      timeoutMs: callTimeoutMs,
      bytesMax: answerBytesMax,
    });
    const headers = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined || name === 'content-encoding' || name === 'content-length' ? [] : [[name, String(value)]],
    );
    const text = new TextDecoder().decode(answer.body);
    // The SDK refuses other text, but for JSON that is no object it never returns, and throws where no one can catch it.
    return new Response(text.trimStart().startsWith('{') ? text : '', { status: answer.status, headers });
  };
}

/** Identifies our configuration at Stripe; change the number when its permissions change. */
const name = 'lectern-1';

/**
 * Returns the portal's configuration, and creates it if it is missing. It does not allow changes of plans and
 * quantities: Stripe would refund time whose credits were used.
 */
function portalConfiguration(stripe: Stripe): () => Promise<string> {
  let known: Promise<string> | undefined;
  return () => {
    known ??= findOrMake(stripe).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}

async function findOrMake(stripe: Stripe): Promise<string> {
  const all = listed(await asked(() => stripe.billingPortal.configurations.list({ active: true, limit: 100 })));
  const found = all.find(({ metadata }) => metadata?.['name'] === name);
  if (found !== undefined) return readAs(z.string(), () => found.id);
  const made = await asked(() =>
    stripe.billingPortal.configurations.create(
      {
        metadata: { name },
        features: {
          invoice_history: { enabled: true },
          payment_method_update: { enabled: true },
          subscription_cancel: { enabled: true, mode: 'at_period_end' },
          subscription_update: { enabled: false },
        },
      },
      idempotent(`portal:${name}`),
    ),
  );
  return readAs(z.string(), () => made.id);
}
