import { describe, expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { setCancellation } from '#server/features/billing/index.ts';
import type { Database } from '#server/platform/db/database.ts';
import { attacksOf } from '../services/attacks.ts';
import { onEachDatabase } from '../services/database.ts';
import { loopbackPrices } from '../services/stripe-objects.ts';
import type { SignedEvent } from '../services/stripe-server.ts';
import { until } from '../services/until.ts';
import { openWebhookRig, type WebhookRig } from './webhook-rig.ts';

interface SignatureCase {
  id: string;
  name: string;
  header: string;
  body: string;
  now?: number;
  secret: string;
  scheme?: string;
  expect: 'accept' | 'reject' | 'accept-ignored' | 'policy';
}

interface SequenceCase {
  id: string;
  class: string;
  case: string;
  expect: string;
  events: string[];
  parallel?: number;
}

const signatures = attacksOf<SignatureCase>('webhook-signatures.jsonl');
const sequences = attacksOf<SequenceCase>('webhook-sequences.jsonl');

describe.skipIf(signatures.length === 0)('event signatures', () => {
  test.each(signatures)('$id: $name', async (attack) => {
    const rig = await openWebhookRig('sqlite', { webhookSecret: attack.secret });
    rig.clock.set((attack.now ?? 1_795_000_000) * 1000);
    const isBig = attack.name.includes('2 MB');
    const body = isBig ? attack.body.replace(/a{50,}/, 'a'.repeat(2 * limits.requestBytesMax)) : attack.body;
    const { status } = await rig.post(body, attack.header);
    // Other schemes' signatures are not accepted; a time in the future is refused like one in the past.
    const isAccepted = attack.scheme === undefined && attack.expect.startsWith('accept');
    expect(status).toBe(isBig ? 413 : isAccepted ? 200 : 400);
    expect(await rig.balances('user:anna')).toEqual({ balance: 200, ledger: 200 });
    const kept = await rig.db.query.selectFrom('billingEvents').select('outcome').execute();
    expect(kept).toEqual(isAccepted ? [{ outcome: 'ignored' }] : []);
    expect(Object.prototype).not.toHaveProperty('admin');
  });
});

/** Makes the listed events happen at the provider, and returns them by their letter. */
async function happen(rig: WebhookRig, letters: Set<string>): Promise<Map<string, SignedEvent>> {
  const told = new Map<string, SignedEvent>();
  const take = (names: Record<string, string>) => {
    for (const event of rig.news()) {
      const letter = names[event.type];
      if (letter !== undefined) told.set(letter, event);
    }
  };
  if (letters.has('B')) {
    const { paymentId } = await rig.payForCredits();
    take({ 'checkout.session.completed': 'B' });
    if (letters.has('R')) rig.stripe.refund(paymentId);
    take({ 'charge.refunded': 'R' });
    return told;
  }
  const { subscriptionId, customerId } = await rig.payForPlan();
  take({ 'checkout.session.completed': 'C', 'customer.subscription.created': 'S', 'invoice.paid': 'I' });
  if (letters.has('U')) {
    const change = { tier: 'Pro', quantity: 1, proration: 'invoice' } as const;
    await rig.deps.payments.provider.changeSubscription(subscriptionId, change, 'upgrade');
    take({ 'customer.subscription.updated': 'U' });
  }
  if (letters.has('F')) rig.stripe.setCard(customerId, false);
  if (letters.has('F') || letters.has('I2')) {
    rig.stripe.advance(customerId);
    take({ 'invoice.payment_failed': 'F', 'customer.subscription.updated': 'P', 'invoice.paid': 'I2' });
  }
  if (letters.has('D')) {
    // The late event is about a period that begins as the subscription ends; otherwise it ends some days into the
    // first.
    if (!letters.has('I2')) rig.clock.advance(5 * 86_400_000);
    rig.stripe.end(subscriptionId);
    take({ 'customer.subscription.deleted': 'D' });
  }
  return told;
}

/** Requires the end state that a list describes. */
async function expectEnd(rig: WebhookRig, said: string): Promise<void> {
  const { tier, monthlyAllowance, subscriptionStatus } = await rig.db.query
    .selectFrom('users')
    .selectAll()
    .where('id', '=', 'anna')
    .executeTakeFirstOrThrow();
  const rows = await rig.ledger('user:anna');
  const allowances = rows
    .filter(({ source }) => source === 'subscription')
    .map(({ amount }) => amount)
    .toSorted((a, b) => a - b);
  const bought = rows.filter(({ source }) => source === 'purchase').map(({ amount }) => amount);
  const is = { tier, monthlyAllowance, subscriptionStatus, allowances, bought };
  const basic = { tier: 'Basic', monthlyAllowance: 1000, subscriptionStatus: 'active', bought: [] };
  const free = { tier: 'Free', monthlyAllowance: 0, subscriptionStatus: 'canceled', bought: [] };
  const none = { tier: 'Free', monthlyAllowance: 0, subscriptionStatus: null, allowances: [] };
  const ends: Record<string, object> = {
    'tier Basic, one monthly allowance grant': { ...basic, allowances: [1000] },
    // The second is the difference for the whole period, which the change on its first day paid for.
    'tier Pro at the end': { ...basic, tier: 'Pro', monthlyAllowance: 4000, allowances: [1000, 3000] },
    'Basic, two allowance grants in two cycles': { ...basic, allowances: [1000, 1000] },
    'Free, allowance 0, bought credits kept': { ...free, allowances: [1000] },
    'Basic, past_due shown, no new allowance': { ...basic, subscriptionStatus: 'past_due', allowances: [1000] },
    'Free; no allowance granted for a cycle after the end': { ...free, allowances: [1000] },
    // Our credits are sold in packs of 1,000.
    '+100 bought credits, one ledger row': { ...none, bought: [1000] },
    '0 net, two ledger rows': { ...none, bought: [1000, -1000] },
  };
  const end = ends[said];
  if (end === undefined) throw new Error(`there is no check for "${said}"`);
  expect({ ...is, bought: is.bought.toSorted((a, b) => b - a) }).toEqual(end);
  const balance = 200 + bought.reduce((sum, amount) => sum + amount, 0);
  expect(await rig.balances('user:anna')).toEqual({ balance, ledger: balance });
}

const ordered = sequences.filter(({ class: kind }) => /^(order|duplicate|late)/.test(kind));

const backwards: SequenceCase = {
  id: 'ours',
  class: 'order-cancel',
  case: 'deliver D > I > S > C, twice',
  expect: 'Free, allowance 0, bought credits kept',
  events: ['D', 'I', 'S', 'C', 'D', 'I', 'S', 'C'],
};

onEachDatabase('sequences of events', (kind) => {
  test.each([...ordered, backwards])('$id: $case ends as "$expect"', async (attack) => {
    const rig = await openWebhookRig(kind);
    const told = await happen(rig, new Set(attack.events));
    const deliveries = attack.events.map((letter) => told.get(letter));
    expect(deliveries).not.toContain(undefined);
    const post = async (event: SignedEvent | undefined) => {
      const { body } = event as SignedEvent;
      expect((await rig.post(body, rig.stripe.sign(body))).status).toBe(200);
    };
    const queue = [...deliveries];
    const worker = async () => {
      for (let event = queue.shift(); event !== undefined; event = queue.shift()) await post(event);
    };
    await Promise.all(Array.from({ length: attack.parallel ?? 1 }, worker));
    await expectEnd(rig, attack.expect);
  });
});

onEachDatabase('an object of the provider with', (kind) => {
  const subscription = { what: 'payForPlan', event: 'customer.subscription.created' } as const;
  const purchase = { what: 'payForCredits', event: 'checkout.session.completed' } as const;
  test.each([
    { has: 'a start after all dates', ...subscription, from: /"start_date":\d+/, to: '"start_date":1e15' },
    { has: 'a start before all dates', ...subscription, from: /"start_date":\d+/, to: '"start_date":-1e15' },
    { has: 'a start in words', ...subscription, from: /"start_date":\d+/, to: '"start_date":"soon"' },
    { has: 'no start', ...subscription, from: /"start_date":\d+,/, to: '' },
    { has: 'an end that no number holds', ...subscription, from: /"ended_at":null/, to: '"ended_at":1e300' },
    { has: 'no period', ...subscription, from: /,"current_period_start":\d+/, to: '' },
    { has: 'no list of items', ...subscription, from: /"items":/, to: '"things":' },
    { has: 'more seats than there are people', ...subscription, from: /"quantity":1/g, to: '"quantity":1e12' },
    { has: 'a buyer that PostgreSQL can’t store', ...subscription, from: /"buyer":"/, to: '"buyer":"\\u0000' },
    { has: 'a line without a time', ...subscription, from: /"period":/, to: '"time":' },
    { has: 'half a pack of credits', ...purchase, from: /"quantity":1/, to: '"quantity":0.5' },
    { has: 'an amount in words', ...purchase, from: /"amount_subtotal":\d+/, to: '"amount_subtotal":"nine"' },
    { has: 'less than nothing refunded', ...purchase, from: /"amount_refunded":0/, to: '"amount_refunded":-900' },
  ])('$has is refused once and reported, and changes nothing', async ({ what, event: type, from, to }) => {
    const rig = await openWebhookRig(kind);
    await rig[what]();
    const event = rig.news().find((told) => told.type === type) as SignedEvent;
    const account = () => rig.db.query.selectFrom('users').selectAll().executeTakeFirstOrThrow();
    const before = await account();
    rig.stripe.distort = (json) => json.replace(from, to);
    for (let delivery = 0; delivery < 2; delivery += 1) {
      expect((await rig.post(event.body, rig.stripe.sign(event.body))).status).toBe(200);
    }
    const kept = await rig.db.query.selectFrom('billingEvents').select(['outcome', 'tries']).execute();
    expect(kept).toEqual([{ outcome: 'refused', tries: 1 }]);
    expect(await account()).toEqual(before);
    const reported = rig.db.query.selectFrom('auditLog').select('action').where('action', '=', 'payment.refuse');
    expect(await reported.execute()).toHaveLength(1);
  });
});

// wh-seq-0034 to wh-seq-0039, each in a separate test.
describe('failures and forgeries', () => {
  const bought = async (rig: WebhookRig): Promise<SignedEvent> => {
    const told = await happen(rig, new Set(['B']));
    return told.get('B') as SignedEvent;
  };
  const kept = (rig: WebhookRig) => rig.db.query.selectFrom('billingEvents').selectAll().execute();

  test('wh-seq-0034: an event is delivered again after a database failure, and counts once', async () => {
    const rig = await openWebhookRig();
    const event = await bought(rig);
    const refuse = () => {
      throw new Error('refused');
    };
    // Only the first method that the handler calls exists, and it fails.
    const broken = { ...rig.db, query: { insertInto: refuse } };
    expect((await rig.postWith(broken as unknown as Database, event)).status).toBe(500);
    expect((await rig.postWith(rig.db, event)).status).toBe(200);
    expect((await rig.postWith(rig.db, event)).status).toBe(200);
    await expectEnd(rig, '+100 bought credits, one ledger row');
  });

  test('an event is delivered again after a provider outage', async () => {
    const rig = await openWebhookRig();
    const event = await bought(rig);
    rig.stripe.isBroken = true;
    expect((await rig.postWith(rig.db, event)).status).toBe(503);
    rig.stripe.isBroken = false;
    expect((await rig.postWith(rig.db, event)).status).toBe(200);
    await expectEnd(rig, '+100 bought credits, one ledger row');
  });

  test('wh-seq-0035: a slow event is acknowledged at once, and applied once', async () => {
    const rig = await openWebhookRig('sqlite', { eventAnswerMs: 5 });
    const event = await bought(rig);
    let release = () => {};
    rig.stripe.hold = new Promise<void>((resolve) => {
      release = resolve;
    });
    expect((await rig.postWith(rig.db, event)).status).toBe(202);
    expect(await rig.balances('user:anna')).toEqual({ balance: 200, ledger: 200 });
    release();
    await until('the credits are there', async () => (await kept(rig))[0]?.outcome === 'applied');
    await expectEnd(rig, '+100 bought credits, one ledger row');
  });

  test('wh-seq-0036: a purchase that names a workspace other than its customer’s is refused', async () => {
    const rig = await openWebhookRig();
    await rig.person('bert');
    const event = await bought(rig);
    for (const book of rig.stripe.books.values()) {
      for (const { order } of book.checkouts) order.payer = 'user:bert';
    }
    expect((await rig.postWith(rig.db, event)).status).toBe(200);
    expect(await kept(rig)).toMatchObject([{ outcome: 'refused', detail: expect.stringContaining('another payer') }]);
    for (const payer of ['user:anna', 'user:bert'] as const) expect((await rig.balances(payer)).balance).not.toBe(1200);
    expect(await rig.balances('user:bert')).toEqual({ balance: 0, ledger: 0 });
  });

  test('a subscription that names a workspace other than its customer’s is refused', async () => {
    const rig = await openWebhookRig();
    await rig.person('bert');
    const told = await happen(rig, new Set(['C', 'S', 'I']));
    for (const book of rig.stripe.books.values()) {
      for (const subscription of book.subscriptions) subscription.payer = 'user:bert';
    }
    for (const event of told.values()) expect((await rig.postWith(rig.db, event)).status).toBe(200);
    const tiers = await rig.db.query.selectFrom('users').select('tier').execute();
    expect(tiers.map(({ tier }) => tier)).toEqual(['Free', 'Free']);
  });

  test('wh-seq-0037: a test mode event is ignored in live mode', async () => {
    const rig = await openWebhookRig('sqlite', { secretKey: 'sk_live_x' });
    const body = JSON.stringify({
      ...{ id: 'evt_t', type: 'checkout.session.completed', livemode: false },
      data: { object: { id: 'cs_1' } },
    });
    expect((await rig.post(body, rig.stripe.sign(body))).status).toBe(200);
    expect(await kept(rig)).toMatchObject([{ outcome: 'ignored', concern: null }]);
    expect(rig.stripe.complaints).toEqual([]);
  });

  test('wh-seq-0038: an unknown event is acknowledged and changes nothing', async () => {
    const rig = await openWebhookRig();
    const unknown = { id: 'evt_x', type: 'no.such.thing', api_version: '1999-01-01', livemode: false };
    // A balance and an upcoming invoice have no id.
    const withoutId = { ...unknown, id: 'evt_y', type: 'invoice.upcoming', data: { object: { object: 'invoice' } } };
    for (const event of [unknown, unknown, withoutId, withoutId, unknown]) {
      const body = JSON.stringify(event);
      expect((await rig.post(body, rig.stripe.sign(body))).status).toBe(200);
    }
    expect(await kept(rig)).toMatchObject([{ outcome: 'ignored' }, { outcome: 'ignored' }]);
  });

  test('a plan whose end is not known here yet cannot be resumed, and ends at once', async () => {
    const rig = await openWebhookRig();
    const { customerId } = await rig.payForPlan();
    for (const event of rig.news()) expect((await rig.postWith(rig.db, event)).status).toBe(200);
    await setCancellation(rig.as('anna'), { isCancelled: true }, rig.deps);
    rig.stripe.advance(customerId);
    const resumed = setCancellation(rig.as('anna'), { isCancelled: false }, rig.deps);
    await expect(resumed).rejects.toMatchObject({ code: 'not-subscribed' });
    await expectEnd(rig, 'Free, allowance 0, bought credits kept');
  });

  const sellAnew = (rig: WebhookRig, former: WebhookRig['prices']['former']) => {
    Object.assign(rig.prices, { Basic: 'price_new', Pro: 'price_dear', credits: 'price_packs', former });
  };

  test('a subscriber at a discontinued price keeps the plan, with its renewals', async () => {
    const rig = await openWebhookRig();
    const { customerId } = await rig.payForPlan();
    sellAnew(rig, { [loopbackPrices.Basic]: 'Basic' });
    rig.stripe.advance(customerId);
    for (const event of rig.news()) expect((await rig.postWith(rig.db, event)).status).toBe(200);
    await expectEnd(rig, 'Basic, two allowance grants in two cycles');
  });

  test('a subscription at an unknown price grants nothing, and its end ends the plan', async () => {
    const rig = await openWebhookRig();
    const { subscriptionId, customerId } = await rig.payForPlan();
    const post = async () => {
      for (const event of rig.news()) expect((await rig.postWith(rig.db, event)).status).toBe(200);
    };
    await post();
    sellAnew(rig, {});
    rig.stripe.advance(customerId);
    await post();
    await expectEnd(rig, 'tier Basic, one monthly allowance grant');
    rig.stripe.end(subscriptionId);
    await post();
    await expectEnd(rig, 'Free, allowance 0, bought credits kept');
  });

  test.each([
    { of: 'a plan', what: 'payForPlan', unit: 1000 },
    { of: 'credits', what: 'payForCredits', unit: 1000 },
  ] as const)(
    'a disputed or refunded payment for $of takes its credits back, and a won dispute returns them',
    async ({ what, unit }) => {
      const rig = await openWebhookRig();
      await rig[what]();
      const [book] = [...rig.stripe.books.values()];
      const paymentId = book?.invoices[0]?.paymentId ?? '';
      const credits = async () => {
        for (const event of rig.news()) expect((await rig.postWith(rig.db, event)).status).toBe(200);
        const { credits: bought, monthlyAllowance } = await rig.db.query
          .selectFrom('users')
          .select(['credits', 'monthlyAllowance'])
          .executeTakeFirstOrThrow();
        return bought - 200 + monthlyAllowance;
      };
      expect(await credits()).toBe(unit);
      // A bank inquiry moves no money.
      rig.stripe.dispute(paymentId, 'warning_needs_response');
      expect(await credits()).toBe(unit);
      rig.stripe.dispute(paymentId, 'needs_response');
      expect(await credits()).toBe(0);
      rig.stripe.dispute(paymentId, 'won');
      expect(await credits()).toBe(unit);
      rig.stripe.refund(paymentId, 300);
      expect(await credits()).toBe(666);
      rig.stripe.refund(paymentId);
      expect(await credits()).toBe(0);
    },
  );

  test('wh-seq-0039: a payment at a foreign price buys nothing', async () => {
    const rig = await openWebhookRig('sqlite', { prices: { ...loopbackPrices, credits: 'price_of_ours' } });
    const own = await openWebhookRig();
    const event = await bought(own);
    // The same checkout page, read by an installation that sells credits at another price.
    for (const [id, book] of own.stripe.books) rig.stripe.books.set(id, book);
    const [customerId = ''] = own.stripe.books.keys();
    await rig.db.query
      .insertInto('billingAccounts')
      .values({ payer: 'user:anna', mode: 'stripe', customerId })
      .execute();
    expect((await rig.post(event.body, rig.stripe.sign(event.body))).status).toBe(200);
    expect(await kept(rig)).toMatchObject([{ outcome: 'refused', detail: expect.stringContaining('price') }]);
    expect(await rig.balances('user:anna')).toEqual({ balance: 200, ledger: 200 });
  });
});
