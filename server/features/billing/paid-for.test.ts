import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { creditPack, plans } from '#contract/plans.ts';
import { AppError } from '#server/app-error.ts';
import { createCallMeter } from '#server/features/credits/call-meter.ts';
import { getCreditInfo } from '#server/features/credits/credit-info.ts';
import { checkLedger } from '#server/features/credits/index.ts';
import type { PaymentsConfig } from '#server/platform/payments/open-payments.ts';
import type { Book, BookInvoice } from '#server/platform/payments/test-mode/book.ts';
import { openBillingSample, pageId } from '#test/services/sample-billing.ts';
import { actingInTeam } from '#test/services/sample-team.ts';
import { loopbackPrices } from '#test/services/stripe-objects.ts';
import { startStripeServer } from '#test/services/stripe-server.ts';
import {
  catchUpBilling,
  changePlan,
  openCreditCheckout,
  openPortal,
  openSubscriptionCheckout,
  setCancellation,
} from './index.ts';
import { changeSeatCount } from './manage-seats.ts';
import { receiveEvent } from './receive-event.ts';
import { actInTestPortal, payTestCheckout } from './test-pages.ts';

const tier = fc.constantFrom('Basic' as const, 'Pro' as const);

/** Actions of a customer and their bank, and the passing of time. */
const act = fc.oneof(
  fc.record({ do: fc.constant('subscribe' as const), tier, seats: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ do: fc.constant('plan' as const), tier }),
  fc.record({ do: fc.constant('seats' as const), seats: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ do: fc.constant('cancel' as const), isCancelled: fc.boolean() }),
  fc.record({ do: fc.constant('card' as const), works: fc.boolean() }),
  fc.record({ do: fc.constant('buy' as const), packs: fc.integer({ min: 1, max: 2 }) }),
  fc.record({ do: fc.constant('refund' as const), which: fc.nat(5), cents: fc.integer({ min: 1, max: 3_000 }) }),
  fc.record({ do: fc.constant('dispute' as const), which: fc.nat(5), isWon: fc.boolean() }),
  fc.record({ do: fc.constant('spend' as const), calls: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constant('time' as const), hours: fc.integer({ min: 1, max: 24 * 40 }) }),
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

/** Refusals that a customer may get; no other error may occur. */
const expected = new Set([
  'already-subscribed',
  'not-subscribed',
  'plan-ending',
  'nothing-paid-yet',
  'payment-declined',
  'payment-not-refundable',
  'purchase-spent',
  'credits-exhausted',
]);

interface World {
  run(one: Act): Promise<void>;
  /** Reads the payments and the credits granted for them. */
  read(): Promise<{
    book: Book | undefined;
    /** Cents refunded at Stripe, by payment id. */
    returned: Map<string, number>;
    allowances: number[];
    bought: number;
    /** True if some of the purchased credits were spent. */
    isSpent: boolean;
    faults: unknown[];
    info: Info;
  }>;
}
type Info = Awaited<ReturnType<typeof getCreditInfo>>;

async function testModeWorld(kind: 'person' | 'team' = 'team'): Promise<World> {
  const sample = await openBillingSample();
  return world(kind, sample, {
    pay: async (ctx, id) => void (await payTestCheckout(ctx, { checkoutId: id }, sample.deps)),
    async portal(ctx, payer, one) {
      if (one.kind === 'dispute') return;
      const portalId = pageId((await openPortal(ctx, payer, sample.deps)).url);
      await actInTestPortal(ctx, { portalId, act: one }, sample.deps);
    },
    async book() {
      const row = await sample.db.query.selectFrom('testPaymentBooks').select('document').executeTakeFirst();
      return row && (JSON.parse(row.document) as Book);
    },
  });
}

async function stripeWorld(kind: 'person' | 'team'): Promise<World> {
  const stripe = await startStripeServer(0, () => sample.clock.now());
  onTestFinished(() => stripe.stop());
  const config: PaymentsConfig = {
    kind: 'stripe',
    secretKey: stripe.environment['STRIPE_SECRET_KEY'] ?? '',
    webhookSecret: stripe.environment['STRIPE_WEBHOOK_SECRET'] ?? '',
    prices: loopbackPrices,
    url: stripe.url,
  };
  const sample = await openBillingSample('sqlite', config, [stripe.host]);
  const only = () => [...stripe.books.values()][0];
  // Deliver late events first, then all events again.
  const deliver = async () => {
    const events = stripe.events.splice(0);
    for (const { body } of [...events.toReversed(), ...events]) {
      await receiveEvent(sample.as('anna'), { body, signature: stripe.sign(body) }, sample.deps);
    }
  };
  return world(kind, sample, {
    async pay(_ctx, id) {
      stripe.pay(id);
      await deliver();
    },
    async portal(_ctx, _payer, one) {
      const book = only();
      if (book === undefined) throw new AppError('nothing-paid-yet');
      if (one.kind === 'card') stripe.setCard(book.customerId, one.works);
      else {
        const invoice = book.invoices.find(({ paymentId }) => paymentId === one.paymentId);
        if (invoice?.status !== 'paid' || invoice.totalCents === 0) throw new AppError('payment-not-refundable');
        if (one.kind === 'refund') stripe.refund(one.paymentId, one.cents);
        else for (const status of disputes(one.isWon)) stripe.dispute(one.paymentId, status);
      }
      await deliver();
    },
    book: async () => only(),
    returned: () => {
      const gone = [...stripe.returns].map(([id, { refunded, disputed, status }]) => {
        return [id, refunded + (status === 'lost' ? disputed : 0)] as const;
      });
      return new Map(gone);
    },
    async tick() {
      stripe.runDue();
      await deliver();
    },
  });
}

const disputes = (isWon: boolean) => ['needs_response', isWon ? 'won' : 'lost'] as const;

type PortalHand =
  | { kind: 'card'; works: boolean }
  | { kind: 'refund'; paymentId: string; cents: number }
  | { kind: 'dispute'; paymentId: string; isWon: boolean };

interface Hands {
  pay(ctx: ReturnType<Sample['as']>, checkoutId: string): Promise<void>;
  portal(ctx: ReturnType<Sample['as']>, payer: { teamId?: string }, one: PortalHand): Promise<void>;
  book(): Promise<Book | undefined>;
  returned?(): Map<string, number>;
  tick?(): Promise<void>;
}
type Sample = Awaited<ReturnType<typeof openBillingSample>>;

/** Opens a user, or a team whose admin performs every action. */
async function world(kind: 'person' | 'team', sample: Sample, hands: Hands): Promise<World> {
  const { db, deps, clock } = sample;
  const teamId = kind === 'team' ? await sample.team({ anna: 'admin' }) : undefined;
  if (teamId === undefined) await sample.person('anna');
  const payer = teamId === undefined ? {} : { teamId };
  const giveSeat = () => db.query.updateTable('memberships').set({ hasPaidSeat: 1 }).execute();
  const anna = () => sample.as('anna');
  await giveSeat();
  const meter = createCallMeter({ publicUrl: 'http://x' });
  const receipt = { hasContent: true, tokens: 1, wholePageTokens: 1, withheldTokens: 0 };
  const acting = () => (teamId === undefined ? anna() : actingInTeam(anna(), 'anna', teamId));
  const seatsOf = ({ seats }: { seats: number }) => (teamId === undefined ? 1 : seats);
  const perform = async (one: Act): Promise<void> => {
    switch (one.do) {
      case 'subscribe': {
        const page = await openSubscriptionCheckout(anna(), { ...payer, tier: one.tier, seats: seatsOf(one) }, deps);
        return hands.pay(anna(), pageId(page.url));
      }
      case 'plan':
        return changePlan(anna(), { ...payer, tier: one.tier }, deps);
      case 'seats':
        if (teamId === undefined) return;
        await giveSeat();
        return changeSeatCount(anna(), { teamId, numberOfSeats: one.seats }, deps);
      case 'cancel':
        return setCancellation(anna(), { ...payer, isCancelled: one.isCancelled }, deps);
      case 'card':
        return hands.portal(anna(), payer, { kind: 'card', works: one.works });
      case 'buy': {
        const page = await openCreditCheckout(anna(), { ...payer, packs: one.packs }, deps);
        return hands.pay(anna(), pageId(page.url));
      }
      case 'refund':
      case 'dispute': {
        const { do: what, which, ...rest } = one;
        const paymentId = (await hands.book())?.invoices[which]?.paymentId ?? 'pi_0';
        return hands.portal(anna(), payer, { kind: what, paymentId, ...rest } as PortalHand);
      }
      case 'spend':
        for (let call = 0; call < one.calls; call += 1) {
          const search = { tool: 'search' as const, args: { query: randomUUID() }, clientName: 'c' };
          const ctx = await acting();
          await meter.admit(ctx, search);
          await meter.settle(ctx, search, receipt);
        }
        return;
      case 'time':
        clock.advance(one.hours * 3_600_000);
        await hands.tick?.();
        return catchUpBilling(anna(), deps);
      default:
        one satisfies never;
    }
  };
  return {
    async run(one) {
      await perform(one).catch((error: unknown) => {
        if (!(error instanceof AppError) || !expected.has(error.code)) throw error;
      });
    },
    async read() {
      const rows = await db.query.selectFrom('creditTransactions').selectAll().execute();
      const of = (source: string) => rows.filter((row) => row.source === source).map(({ amount }) => amount);
      return {
        book: await hands.book(),
        returned: hands.returned?.() ?? new Map(),
        isSpent: rows.some(({ source, isFromMonthlyAllowance: free }) => source === 'usage' && free === 0),
        allowances: of('subscription'),
        bought: of('purchase').reduce((sum, amount) => sum + amount, 0),
        faults: await checkLedger(anna()),
        info: await getCreditInfo(await acting()),
      };
    },
  };
}

const centsOf = (name: 'Basic' | 'Pro') => plans[name].usdPerMonth * 100;
/** An upgrade from Basic to Pro costs the difference, even if Basic's invoice was refunded. */
const centsPerCredit = (centsOf('Pro') - centsOf('Basic')) / (plans.Pro.creditsPerMonth - plans.Basic.creditsPerMonth);
const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);

async function expectPaidFor({ read }: World): Promise<void> {
  const { book, returned, allowances, bought, isSpent, faults, info } = await read();
  expect(faults).toEqual([]);
  const paid = (book?.invoices ?? []).filter(({ status }) => status === 'paid');
  const kept = ({ paymentId, totalCents }: BookInvoice) => totalCents - (returned.get(paymentId) ?? 0);
  // The card paid what the paid invoices state minus refunds, and the book has no other entries.
  expect((book?.takenCents ?? 0) - sum(paid.map(kept))).toBe(0);
  for (const invoice of book?.invoices ?? []) expectSumOfLines(invoice, book as Book);
  const plan = sum(paid.filter(({ reason }) => reason !== 'credits').map(kept));
  const packs = sum(paid.filter(({ reason }) => reason === 'credits').map(kept));
  expect(plan).toBeGreaterThanOrEqual(sum(allowances) * centsPerCredit);
  const packCents = (credits: number) => (credits / creditPack.credits) * creditPack.usd * 100;
  // Credits spent before a refund are gone; all remaining ones were paid for.
  expect(packs).toBeGreaterThanOrEqual(packCents(isSpent ? info.purchasedCredits : bought));
  if (!isSpent) expect(packs).toBeLessThan(packCents(bought) + 2 * (returned.size + 1));
  expect(info.monthlyAllowance).toBeLessThanOrEqual(sum(allowances));
  // No one holds more Pro credits than were paid for: each period is priced by the plan it was paid on.
  const basicOnly = paid.every(({ tier: plan }) => plan !== 'Pro');
  if (basicOnly)
    expect(plan).toBeGreaterThanOrEqual((sum(allowances) * centsOf('Basic')) / plans.Basic.creditsPerMonth);
}

/**
 * Expects an invoice's total to be the sum of its lines: whole months, or shares of the month in which a change falls.
 */
function expectSumOfLines({ reason, paidFor, quantity, totalCents, subscriptionId }: BookInvoice, book: Book): void {
  if (reason === 'credits') return expect(totalCents).toBe(quantity * creditPack.usd * 100);
  const period = book.invoices.find((one) => {
    const isOfPeriod = one.reason === 'period' && one.paidFor[0]?.endAt === paidFor[0]?.endAt;
    return isOfPeriod && one.subscriptionId === subscriptionId;
  });
  const [whole] = period?.paidFor ?? [];
  if (whole === undefined) throw new Error('a change is of no period');
  const lines = paidFor.map(({ tier: plan, quantity: seats, startAt, endAt }) => {
    return (centsOf(plan) * seats * (endAt - startAt)) / (whole.endAt - whole.startAt);
  });
  // A negative sum is not paid out.
  expect(totalCents).toBe(Math.ceil(Math.max(0, sum(lines)) - 1e-6));
}

const worlds = {
  'the test mode': testModeWorld,
  'the test mode, for a person': () => testModeWorld('person'),
  Stripe: () => stripeWorld('team'),
  'Stripe, for a person': () => stripeWorld('person'),
};
/** Runs the same sequences each time; `MONEY_RUNS` sets the number of additional ones. */
const runs = Number(process.env['MONEY_RUNS'] ?? 0);
const sequences = runs > 0 ? { numRuns: runs } : { numRuns: 20, seed: 2_212 };

describe.each(Object.entries(worlds))('money and credits with %s', (_name, open) => {
  test('in any order of actions, the money paid covers the price of the credits granted', {
    timeout: 120_000 + runs * 3_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 25 }), async (acts) => {
        const opened = await open();
        for (const one of acts) {
          await opened.run(one);
          await expectPaidFor(opened);
        }
      }),
      sequences,
    );
  });

  test('former ways to get more than was paid for are closed', async () => {
    const ways: Act[][] = [
      // Credits for free: switch plans repeatedly, then wait three months.
      [
        { do: 'subscribe', tier: 'Pro', seats: 1 },
        ...Array.from({ length: 6 }, (_, turn) => ({
          do: 'plan' as const,
          tier: turn % 2 ? ('Pro' as const) : ('Basic' as const),
        })),
        ...Array.from({ length: 3 }, () => ({ do: 'time' as const, hours: 31 * 24 })),
      ],
      // Pro's allowance at Basic's price.
      [
        { do: 'subscribe', tier: 'Pro', seats: 1 },
        { do: 'spend', calls: 3 },
        { do: 'plan', tier: 'Basic' },
        { do: 'time', hours: 31 * 24 },
        { do: 'plan', tier: 'Pro' },
        { do: 'plan', tier: 'Basic' },
        { do: 'time', hours: 31 * 24 },
      ],
      // Seats for a minute.
      [
        { do: 'subscribe', tier: 'Basic', seats: 2 },
        { do: 'time', hours: 24 * 29 },
        { do: 'seats', seats: 6 },
        { do: 'seats', seats: 2 },
        { do: 'time', hours: 24 * 5 },
      ],
    ];
    for (const way of ways) {
      const opened = await open();
      for (const one of way) {
        await opened.run(one);
        await expectPaidFor(opened);
      }
    }
  });

  test('a failed payment brings no allowance until it succeeds', async () => {
    const { run, read } = await open();
    await run({ do: 'subscribe', tier: 'Basic', seats: 1 });
    await run({ do: 'card', works: false });
    await run({ do: 'time', hours: 31 * 24 + 1 });
    expect((await read()).allowances).toEqual([1000]);
    await run({ do: 'time', hours: 24 });
    await run({ do: 'card', works: true });
    expect((await read()).allowances).toEqual([1000, 1000]);
  });
});

test('credits of added seats are prorated by the day', async () => {
  const { run, read } = await testModeWorld();
  await run({ do: 'subscribe', tier: 'Basic', seats: 1 });
  await run({ do: 'time', hours: 21 * 24 + 1 });
  await run({ do: 'seats', seats: 4 });
  // January has 31 days, and nine full days remain.
  expect((await read()).allowances.toSorted((a, b) => b - a)).toEqual([1000, Math.floor((3 * 1000 * 9) / 31)]);
  expect((await read()).info.monthlyAllowance).toBe(1870);
});
