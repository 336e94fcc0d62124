import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import type { Discount } from '#contract/billing.ts';
import { PaymentError } from '#server/platform/payments/payment-provider.ts';
import { type Book, type BookEvent, customerOf } from '#server/platform/payments/test-mode/book.ts';
import { payCheckout } from '#server/platform/payments/test-mode/book-checkouts.ts';
import { endSubscription, nextDueAt, runDue, setCard } from '#server/platform/payments/test-mode/book-subscriptions.ts';
import { answerRequest, type StripeFault } from './stripe-api.ts';
import { parseForm } from './stripe-form.ts';
import { loopbackPrices, type Returned, type Returns, stripeObject } from './stripe-objects.ts';

/** A signed event, as it would be posted. */
export interface SignedEvent {
  id: string;
  type: string;
  body: string;
  signature: string;
}

/** A server on loopback that implements the part of Stripe's API that we use, without real money. */
export interface StripeServer {
  url: string;
  host: string;
  /** The variables to configure on the server. */
  environment: Record<string, string>;
  books: Map<string, Book>;
  promotions: Discount[];
  returns: Returns;
  portalConfigurations: { id: string; features?: unknown }[];
  /** Checkout pages on which promotion codes can be entered. */
  withCodes: Set<string>;
  /** Every event, in order; delivered only to the address given to `deliverTo`. */
  events: SignedEvent[];
  /** Returns the time of this clock. */
  now(): number;
  /** Requests that were refused because they violate Stripe's rules. */
  complaints: string[];
  /** Every request fails with status 500, as in an outage. */
  isBroken: boolean;
  /** Changes the body of each response. */
  distort(json: string): string;
  /** Requests wait for this promise. */
  hold: Promise<void> | undefined;
  /** Paths of changing requests, with their idempotency keys. */
  writes: { path: string; key: string | undefined }[];
  pay(checkoutId: string, discount?: Discount): void;
  setCard(customerId: string, works: boolean): void;
  /** Advances to the customer's next invoice or payment attempt. */
  advance(customerId: string): void;
  /** Processes everything that is due, for every customer. */
  runDue(): void;
  /** Refunds a payment: completely, or `cents` of it. */
  refund(paymentId: string, cents?: number): void;
  /** The bank disputes a payment, or decides the dispute. */
  dispute(paymentId: string, status: 'needs_response' | 'won' | 'lost' | 'warning_needs_response'): void;
  end(subscriptionId: string): void;
  /** Signs an event's body. */
  sign(body: string, at?: number): string;
  /** Posts each further event to this address, as Stripe does. */
  deliverTo(url: string): void;
  stop(): Promise<void>;
}

const secretKey = 'sk_test_loopback';
const webhookSecret = 'whsec_loopback';
const apiVersion = '2026-10-28.endive';

/** Starts the server; port 0 picks a free one. */
export async function startStripeServer(port = 0, now: () => number = Date.now): Promise<StripeServer> {
  const answered = new Map<string, { request: string; status: number; body: string }>();
  let deliveryUrl: string | undefined;
  const server = createServer((request, response) => void answer(request, response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  const sign = (body: string, at = now()) =>
    Stripe.webhooks.generateTestHeaderString({
      payload: body,
      secret: webhookSecret,
      timestamp: Math.floor(at / 1000),
    });

  const happen = (id: string, change: (book: Book) => BookEvent[]) => {
    const book = self.books.get(customerOf(id) ?? '');
    if (book === undefined) throw new Error(`there is no book for ${id}`);
    for (const event of change(book)) tell(book, event);
  };
  /** Changes a payment's refunded or disputed amount, in the books too. */
  function giveBack(
    paymentId: string,
    type: BookEvent['type'] | 'charge.dispute.created' | 'charge.dispute.closed',
    change: (returned: Returned, totalCents: number) => void,
  ): void {
    const book = self.books.get(customerOf(paymentId) ?? '');
    const invoice = book?.invoices.find((one) => one.paymentId === paymentId);
    if (book === undefined || invoice === undefined) throw new Error(`there is no payment ${paymentId}`);
    const returned = self.returns.get(paymentId) ?? { refunded: 0, disputed: 0, status: 'none' };
    const gone = () => returned.refunded + (isWithdrawn(returned) ? returned.disputed : 0);
    const before = gone();
    change(returned, invoice.totalCents);
    self.returns.set(paymentId, returned);
    if (type === 'charge.refunded' && gone() === before) return;
    book.takenCents -= gone() - before;
    tell(book, { type, objectId: paymentId, createdAt: nowIn(book) });
  }
  const nowIn = (book: Book) => now() + book.aheadMs;
  function tell(book: Book, event: Omit<BookEvent, 'type'> & { type: string }): void {
    const id = `evt_${randomBytes(12).toString('hex')}`;
    const created = Math.floor(event.createdAt / 1000);
    const object = stripeObject(book, event.objectId, event.type, self);
    const body = JSON.stringify({
      ...{ id, object: 'event', api_version: apiVersion, created, livemode: false, type: event.type },
      data: { object },
    });
    self.events.push({ id, type: event.type, body, signature: sign(body) });
    if (deliveryUrl === undefined) return;
    const headers = { 'content-type': 'application/json', 'stripe-signature': sign(body) };
    void fetch(deliveryUrl, { method: 'POST', headers, body }).catch(() => undefined);
  }

  const self: StripeServer = {
    url: `http://${host}`,
    host,
    environment: {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_PRICE_BASIC: loopbackPrices.Basic,
      STRIPE_PRICE_PRO: loopbackPrices.Pro,
      STRIPE_PRICE_CREDITS: loopbackPrices.credits,
      STRIPE_URL: `http://${host}`,
    },
    books: new Map(),
    promotions: [{ code: 'LAUNCH20', percentOff: 20, amountOffCents: null }],
    portalConfigurations: [],
    withCodes: new Set(),
    returns: new Map(),
    events: [],
    now,
    complaints: [],
    isBroken: false,
    distort: (json) => json,
    hold: undefined,
    writes: [],
    pay: (checkoutId, discount) =>
      happen(checkoutId, (book) => {
        const checkout = book.checkouts.find(({ id }) => id === checkoutId);
        if (checkout === undefined) throw new Error('there is no such page');
        if (discount && !self.withCodes.has(checkoutId)) throw new Error('this page takes no code');
        return payCheckout(book, checkout, discount ?? checkout.discount, nowIn(book));
      }),
    setCard: (customerId, works) => happen(customerId, (book) => setCard(book, works, nowIn(book))),
    runDue() {
      for (const id of self.books.keys()) happen(id, (book) => runDue(book, nowIn(book)));
    },
    advance: (customerId) =>
      happen(customerId, (book) => {
        const dueAt = Math.min(...book.subscriptions.map((one) => nextDueAt(book, one) ?? Infinity));
        book.aheadMs = Math.max(book.aheadMs, dueAt - now());
        return runDue(book, nowIn(book));
      }),
    refund: (paymentId, cents) =>
      giveBack(paymentId, 'charge.refunded', (returned, totalCents) => {
        const most = totalCents - (isWithdrawn(returned) ? returned.disputed : 0);
        returned.refunded = Math.min(most, returned.refunded + (cents ?? totalCents));
      }),
    dispute: (paymentId, status) =>
      giveBack(
        paymentId,
        status === 'needs_response' ? 'charge.dispute.created' : 'charge.dispute.closed',
        (returned, totalCents) => {
          Object.assign(returned, { status, disputed: totalCents - returned.refunded });
        },
      ),
    end: (subscriptionId) =>
      happen(subscriptionId, (book) => {
        const subscription = book.subscriptions.find(({ id }) => id === subscriptionId);
        return subscription === undefined ? [] : endSubscription(book, subscription, nowIn(book));
      }),
    sign,
    deliverTo(url) {
      deliveryUrl = url;
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', self.url);
    const body = await text(request);
    if (servePage(self, request, url, response)) return;
    await self.hold;
    const send = (status: number, answerBody: string) => {
      response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_loopback' });
      response.end(answerBody);
    };
    const refuse = ({ status, ...error }: StripeFault) => send(status, JSON.stringify({ error }));
    if (self.isBroken) return send(500, JSON.stringify({ error: { type: 'api_error', message: 'broken' } }));
    const key = request.headers['idempotency-key'] as string | undefined;
    const isWrite = request.method !== 'GET';
    // A request that only checks whether the server responds needs no key.
    if (url.pathname === '/')
      return refuse({ status: 404, type: 'invalid_request_error', message: 'Unknown address.' });
    const complaint = complaintAbout(request, url, key);
    if (complaint !== undefined) {
      self.complaints.push(complaint.message);
      return refuse(complaint);
    }
    const earlier = isWrite && key ? answered.get(key) : undefined;
    const fingerprint = `${request.method} ${url.pathname} ${body}`;
    if (earlier !== undefined) {
      if (earlier.request === fingerprint) return send(earlier.status, earlier.body);
      return refuse({
        status: 400,
        type: 'idempotency_error',
        message: 'Keys for idempotent requests can only be used with the same parameters they were first used with.',
      });
    }
    if (isWrite) self.writes.push({ path: `${request.method} ${url.pathname}`, key });
    try {
      const form = parseForm(isWrite && body !== '' ? new URLSearchParams(body) : url.searchParams);
      const outcome = answerRequest(self, {
        method: request.method ?? 'GET',
        path: url.pathname,
        form,
        key: key ?? '',
      });
      for (const { book, event } of outcome.events) tell(book, event);
      const answerBody = self.distort(JSON.stringify(outcome.body));
      if (isWrite && key) answered.set(key, { request: fingerprint, status: outcome.status, body: answerBody });
      send(outcome.status, answerBody);
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error;
      send(
        402,
        JSON.stringify({ error: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' } }),
      );
    }
  }
  return self;
}

const isWithdrawn = ({ status }: Returned) => status === 'needs_response' || status === 'lost';

/** Returns Stripe's error for a request that is invalid whatever it asks for. */
function complaintAbout(request: IncomingMessage, url: URL, key: string | undefined): StripeFault | undefined {
  const wrong = (status: number, message: string): StripeFault => ({ status, type: 'invalid_request_error', message });
  if (request.headers.authorization !== `Bearer ${secretKey}`) return wrong(401, 'Invalid API Key provided.');
  if (request.headers['stripe-version'] !== apiVersion) return wrong(400, 'Unknown API version.');
  if (request.method !== 'POST') return undefined;
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('application/x-www-form-urlencoded')) return wrong(400, 'Send a form.');
  const isCreation = /^\/v1\/(customers|checkout\/sessions)$/.test(url.pathname);
  // The SDK generates keys for retries; a creating request must send a meaningful key.
  if (isCreation && (key === undefined || key.startsWith('stripe-node-retry'))) return wrong(400, 'A key is missing.');
  return undefined;
}

/** Serves the pages where people would pay, for `./lectern dev`. */
function servePage(self: StripeServer, request: IncomingMessage, url: URL, response: ServerResponse): boolean {
  const [, page, id = '', action] = url.pathname.split('/');
  if (page !== 'pay' && page !== 'portal') return false;
  const book = self.books.get(customerOf(id) ?? '');
  const checkout = book?.checkouts.find((candidate) => candidate.id === id);
  const back = page === 'pay' ? checkout?.order.returnUrl : book?.portalReturnUrl;
  if (back === undefined) {
    response.writeHead(404).end('there is no such page');
    return true;
  }
  if (request.method === 'POST') {
    if (action === 'pay') self.pay(id);
    else if (action === 'fail') self.setCard(id, false);
    else if (action === 'mend') self.setCard(id, true);
    else if (action === 'advance') self.advance(id);
    response.writeHead(303, { location: action === 'pay' ? back : `/${page}/${id}` }).end();
    return true;
  }
  const button = (name: string, label: string) =>
    `<form method="post" action="/${page}/${id}/${name}"><button>${label}</button></form>`;
  const buttons =
    page === 'pay'
      ? button('pay', 'Pay')
      : [
          button('fail', 'Use a card that fails'),
          button('mend', 'Use a card that works'),
          button('advance', 'Next invoice'),
        ].join('');
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(
    `<!doctype html><html lang="en"><title>Stripe (loopback)</title><h1>No money here</h1>${buttons}<p><a href="${back.replaceAll('&', '&amp;')}">Back</a></p>`,
  );
  return true;
}
