import { expect, test } from 'vitest';
import { AppError } from '#server/app-error.ts';
import { createCallMeter } from '#server/features/credits/call-meter.ts';
import { getCreditInfo, getMonthlyUsage } from '#server/features/credits/credit-info.ts';
import { onEachDatabase } from '#test/services/database.ts';
import { openBillingSample, pageId, start } from '#test/services/sample-billing.ts';
import {
  catchUpBilling,
  changePlan,
  checkPromotion,
  getBilling,
  listInvoices,
  openCreditCheckout,
  openPortal,
  openSubscriptionCheckout,
  payTestCheckout,
  previewChange,
  setCancellation,
} from './index.ts';
import { syncPurchase } from './sync-purchase.ts';

const month = (months: number) => Date.UTC(2026, months, 10, 12);
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );

onEachDatabase('billing of a user', (kind) => {
  const opened = async () => {
    const sample = await openBillingSample(kind);
    const anna = await sample.person('anna', 200);
    return { ...sample, anna, state: () => getBilling(anna, {}, sample.deps) };
  };

  test('users have no plan until they pay for one', async () => {
    const { anna, deps, state } = await opened();
    expect(await state()).toMatchObject({ mode: 'test', tier: 'Free', subscriptionStatus: null, hasPortal: false });
    const { url } = await openSubscriptionCheckout(anna, { tier: 'Basic', seats: 1 }, deps);
    expect(await state()).toMatchObject({ tier: 'Free', subscriptionStatus: null });
    expect(await payTestCheckout(anna, { checkoutId: pageId(url) }, deps)).toBe('http://x/subscribe?payment=done');
    expect(await state()).toMatchObject({
      ...{ tier: 'Basic', monthlyAllowance: 1000, subscriptionStatus: 'active', subscriptionStartDate: start },
      ...{ subscriptionEndDate: month(1), cancelAtPeriodEnd: false, paymentFailed: false, numberOfPaidSeats: 1 },
      ...{ nextAmountCents: 900, discount: null, hasPortal: true },
    });
  });

  test('a plan grants its allowance from its start date, with one ledger row for the cycle', async () => {
    const { anna, subscribe, ledger, balances } = await opened();
    await subscribe(anna, { tier: 'Pro' });
    expect(await getCreditInfo(anna)).toMatchObject({ purchasedCredits: 200, monthlyAllowance: 4000 });
    expect((await ledger('user:anna')).filter(({ source }) => source === 'subscription')).toEqual([
      { amount: 4000, source: 'subscription', isFromMonthlyAllowance: 1, details: 'Monthly allowance, Pro plan' },
    ]);
    expect(await balances('user:anna')).toEqual({ balance: 200, ledger: 200 });
  });

  test('a subscriber cannot buy a second subscription, and a new checkout page replaces the previous one', async () => {
    const { anna, as, deps, state } = await opened();
    const first = await openSubscriptionCheckout(anna, { tier: 'Basic', seats: 1 }, deps);
    const second = await openSubscriptionCheckout(as('anna'), { tier: 'Pro', seats: 1 }, deps);
    expect(await codeOf(payTestCheckout(anna, { checkoutId: pageId(first.url) }, deps))).toBe('checkout-over');
    const pay = () => payTestCheckout(anna, { checkoutId: pageId(second.url) }, deps);
    await Promise.all([pay(), pay(), pay()]);
    expect(await state()).toMatchObject({ tier: 'Pro' });
    expect(await listInvoices(anna, {}, deps)).toHaveLength(1);
    expect(await codeOf(openSubscriptionCheckout(as('anna'), { tier: 'Pro', seats: 1 }, deps))).toBe(
      'already-subscribed',
    );
  });

  test('an upgrade is charged immediately with prorated credits, a downgrade begins with the next period', async () => {
    const { anna, as, subscribe, deps, state, clock, act, ledger } = await opened();
    await subscribe(anna, {});
    clock.advance(15.5 * 86_400_000);
    expect(await previewChange(anna, { tier: 'Pro' }, deps)).toEqual({
      ...{ mode: 'test', tier: 'Pro', numberOfSeats: 1, dueNowCents: 1000, creditsNow: 1451, monthlyCents: 2900 },
      ...{ renewsAt: month(1), monthlyAllowance: 4000, startsAt: null },
    });
    await changePlan(as('anna'), { tier: 'Pro' }, deps);
    expect(await state()).toMatchObject({ tier: 'Pro', monthlyAllowance: 4000, nextPeriod: null });
    expect(await getCreditInfo(as('anna'))).toMatchObject({ monthlyAllowance: 2451, renewsAt: month(1) });
    const details = 'Allowance for 15 of 31 days, Pro plan';
    expect((await ledger('user:anna')).at(-1)).toMatchObject({ amount: 1451, details });

    expect(await previewChange(anna, { tier: 'Basic' }, deps)).toMatchObject({
      ...{
        tier: 'Basic',
        dueNowCents: 0,
        creditsNow: 0,
        monthlyCents: 900,
        startsAt: month(1),
        monthlyAllowance: 1000,
      },
    });
    await changePlan(as('anna'), { tier: 'Basic' }, deps);
    const basic = { tier: 'Basic', numberOfSeats: 1 };
    expect(await state()).toMatchObject({ tier: 'Pro', nextPeriod: basic, nextAmountCents: 900 });
    expect(await getCreditInfo(as('anna'))).toMatchObject({ tier: 'Pro', monthlyAllowance: 2451 });
    await act(anna, { kind: 'advance' });
    expect(await state()).toMatchObject({ tier: 'Basic', nextPeriod: null, nextAmountCents: 900 });
    expect(await getCreditInfo(as('anna'))).toMatchObject({ tier: 'Basic', monthlyAllowance: 1000 });
    const invoices = (await listInvoices(anna, {}, deps)).map(({ description, totalCents }) => [
      description,
      totalCents,
    ]);
    expect(invoices).toEqual([
      ['Basic plan', 900],
      ['Change to Pro, for the rest of the period', 1000],
      ['Basic plan, $9 a month', 900],
    ]);
  });

  test('returning to the current plan is free', async () => {
    const { anna, as, subscribe, deps, state } = await opened();
    await subscribe(anna, { tier: 'Pro' });
    for (const tier of ['Basic', 'Pro', 'Basic', 'Pro', 'Pro'] as const) await changePlan(as('anna'), { tier }, deps);
    expect(await state()).toMatchObject({ tier: 'Pro', nextPeriod: null });
    expect(await listInvoices(anna, {}, deps)).toHaveLength(1);
    expect(await getCreditInfo(as('anna'))).toMatchObject({ monthlyAllowance: 4000 });
  });

  test('a change declined by the card leaves everything unchanged', async () => {
    const { anna, as, subscribe, deps, state, act } = await opened();
    await subscribe(anna, {});
    await act(anna, { kind: 'card', works: false });
    expect(await codeOf(changePlan(as('anna'), { tier: 'Pro' }, deps))).toBe('payment-declined');
    expect(await state()).toMatchObject({ tier: 'Basic', subscriptionStatus: 'active' });
  });

  test('a canceled plan lasts until its period ends and can be resumed', async () => {
    const { anna, as, subscribe, deps, state, act, balances } = await opened();
    await subscribe(anna, {});
    await setCancellation(as('anna'), { isCancelled: true }, deps);
    await setCancellation(as('anna'), { isCancelled: true }, deps);
    expect(await state()).toMatchObject({ tier: 'Basic', cancelAtPeriodEnd: true, nextAmountCents: null });
    await setCancellation(as('anna'), { isCancelled: false }, deps);
    expect(await state()).toMatchObject({ cancelAtPeriodEnd: false, nextAmountCents: 900 });
    await setCancellation(as('anna'), { isCancelled: true }, deps);
    await act(anna, { kind: 'advance' });
    expect(await state()).toMatchObject({ tier: 'Free', monthlyAllowance: 0, subscriptionStatus: 'canceled' });
    expect(await codeOf(setCancellation(as('anna'), { isCancelled: true }, deps))).toBe('not-subscribed');
    expect(await balances('user:anna')).toEqual({ balance: 200, ledger: 200 });
    await subscribe(anna, { tier: 'Pro' });
    expect(await state()).toMatchObject({ tier: 'Pro', subscriptionStatus: 'active' });
  });

  test('a canceled plan grants no further allowance on its last day and says so', async () => {
    const { anna, as, subscribe, deps, clock, db } = await opened();
    await subscribe(anna, {});
    const spent = { workspace: 'user:anna' as const, year: 2026, month: 1, day: 10, creditsUsed: 1000 };
    await db.query.insertInto('monthlyUsage').values(spent).execute();
    await db.query.updateTable('users').set({ credits: 0 }).where('id', '=', 'anna').execute();
    const meter = createCallMeter({ publicUrl: 'http://x' });
    const search = () => meter.admit(as('anna'), { tool: 'search', args: { query: 'q' }, clientName: 'c' });
    expect(await getCreditInfo(as('anna'))).toMatchObject({ totalCreditsAvailable: 0, renewsAt: month(1) });
    await expect(search()).rejects.toThrow('The monthly allowance renews on 10 February 2026.');
    await setCancellation(as('anna'), { isCancelled: true }, deps);
    expect(await getCreditInfo(as('anna'))).toMatchObject({ monthlyAllowance: 1000, renewsAt: null });
    await expect(search()).rejects.toThrow('The Basic plan was cancelled, so its monthly allowance does not renew.');
    clock.set(Date.UTC(2026, 1, 10) + 1);
    expect(await getCreditInfo(as('anna'))).toMatchObject({ monthlyCreditsUsed: 1000, totalCreditsAvailable: 0 });
    expect(await getMonthlyUsage(as('anna'))).toMatchObject({ month: 1, creditsUsed: 1000 });
    await expect(search()).rejects.toThrow('does not renew');
    await setCancellation(as('anna'), { isCancelled: false }, deps);
    // The day has begun, but not the hour at which the next month is paid for.
    expect(await getCreditInfo(as('anna'))).toMatchObject({ monthlyCreditsUsed: 1000, totalCreditsAvailable: 0 });
    clock.set(month(1));
    await catchUpBilling(as('anna'), deps);
    expect(await getCreditInfo(as('anna'))).toMatchObject({ monthlyCreditsUsed: 0, totalCreditsAvailable: 1000 });
    await search();
  });

  test('credits paid for in the wrong currency or at the wrong price are not granted', async () => {
    const { anna, deps, balances } = await opened();
    const { provider, desk } = deps.payments;
    const { url } = await openCreditCheckout(anna, { packs: 1 }, deps);
    await desk?.pay(pageId(url), undefined);
    const paid = await provider.findCheckout(pageId(url));
    if (paid === undefined) throw new Error('the page is not there');
    for (const wrong of [{ currency: 'jpy' }, { subtotalCents: 899 }, { quantity: 0, subtotalCents: 0 }]) {
      expect(await syncPurchase(anna, { ...paid, ...wrong })).toMatchObject({ outcome: 'refused' });
    }
    expect(await balances('user:anna')).toEqual({ balance: 200, ledger: 200 });
    expect(await syncPurchase(anna, paid)).toMatchObject({ outcome: 'applied' });
    expect((await balances('user:anna')).balance).toBe(1200);
  });

  test('after a failed payment the plan stays without a new allowance during retries, then ends', async () => {
    const { anna, subscribe, state, act, ledger } = await opened();
    await subscribe(anna, {});
    await act(anna, { kind: 'card', works: false });
    await act(anna, { kind: 'advance' });
    expect(await state()).toMatchObject({ tier: 'Basic', subscriptionStatus: 'past_due', paymentFailed: true });
    const allowances = async () => (await ledger('user:anna')).filter(({ source }) => source === 'subscription').length;
    expect(await allowances()).toBe(1);
    // The rest of the previous month can still be used, and no screen promises more.
    expect(await getCreditInfo(anna)).toMatchObject({ monthlyAllowance: 1000, renewsAt: null });
    await act(anna, { kind: 'card', works: true });
    expect(await state()).toMatchObject({ subscriptionStatus: 'active', paymentFailed: false });
    expect(await allowances()).toBe(2);
    await act(anna, { kind: 'card', works: false });
    for (let tries = 0; tries < 4; tries += 1) await act(anna, { kind: 'advance' });
    expect(await state()).toMatchObject({ tier: 'Free', subscriptionStatus: 'canceled' });
    expect(await allowances()).toBe(2);
  });

  test('each renewal grants one allowance', async () => {
    const { anna, subscribe, act, ledger } = await opened();
    await subscribe(anna, {});
    await act(anna, { kind: 'advance' });
    await act(anna, { kind: 'advance' });
    expect((await ledger('user:anna')).map(({ amount }) => amount).toSorted((a, b) => a - b)).toEqual([
      200, 1000, 1000, 1000,
    ]);
  });

  test('a valid promotion code gives its discount, and an invalid one is refused', async () => {
    const { anna, as, deps, state } = await opened();
    expect(await checkPromotion(anna, { code: 'half' }, deps)).toMatchObject({ code: 'HALF', percentOff: 50 });
    expect(await codeOf(checkPromotion(anna, { code: 'nothing' }, deps))).toBe('promotion-not-found');
    const wrong = { tier: 'Basic', seats: 1, promotionCode: 'nothing' } as const;
    expect(await codeOf(openSubscriptionCheckout(as('anna'), wrong, deps))).toBe('promotion-not-found');
    const { url } = await openSubscriptionCheckout(as('anna'), { ...wrong, promotionCode: 'HALF' }, deps);
    await payTestCheckout(anna, { checkoutId: pageId(url) }, deps);
    expect(await state()).toMatchObject({ nextAmountCents: 450, discount: { code: 'HALF', percentOff: 50 } });
  });

  test('purchased credits are added once, and removed once when refunded', async () => {
    const { anna, buyCredits, act, balances, ledger, db } = await opened();
    await buyCredits(anna, { packs: 2 });
    expect(await balances('user:anna')).toEqual({ balance: 2200, ledger: 2200 });
    const { payments } = await act(anna, { kind: 'card', works: true });
    const paymentId = payments[0]?.paymentId ?? '';
    await act(anna, { kind: 'refund', paymentId });
    await act(anna, { kind: 'refund', paymentId });
    expect(await balances('user:anna')).toEqual({ balance: 200, ledger: 200 });
    expect((await ledger('user:anna')).at(-1)).toMatchObject({ amount: -2000, source: 'purchase' });
    const written = await db.query
      .selectFrom('auditLog')
      .select(['action', 'actorUserId'])
      .where('action', 'like', 'credits.%')
      .orderBy('action')
      .execute();
    expect(written).toEqual([
      { action: 'credits.purchase', actorUserId: 'anna' },
      { action: 'credits.refund', actorUserId: null },
    ]);
  });

  test('refunds of spent credits or unknown payments are refused; a refund made at the provider takes what remains', async () => {
    const { anna, as, buyCredits, subscribe, act, balances, ledger, db, deps } = await opened();
    await subscribe(anna, {});
    await buyCredits(anna, {});
    const spent = { id: 's', requestId: 's', userId: 'anna', amount: -900, timestamp: start };
    await db.query.insertInto('creditTransactions').values(spent).execute();
    await db.query.updateTable('users').set({ credits: 300 }).where('id', '=', 'anna').execute();
    const { payments, portalId } = await act(anna, { kind: 'card', works: true });
    const idOf = (isRefundable: boolean) =>
      payments.find((payment) => payment.isRefundable === isRefundable)?.paymentId ?? '';
    expect(await codeOf(act(anna, { kind: 'refund', paymentId: idOf(true) }))).toBe('purchase-spent');
    for (const paymentId of [idOf(false), 'pi_0', `${idOf(true)}0`]) {
      expect(await codeOf(act(anna, { kind: 'refund', paymentId }))).toBe('payment-not-refundable');
    }
    expect(await balances('user:anna')).toEqual({ balance: 300, ledger: 300 });
    await deps.payments.desk?.refund(portalId, idOf(true));
    await catchUpBilling(as('anna'), deps);
    expect(await balances('user:anna')).toEqual({ balance: 0, ledger: 0 });
    const row = (await ledger('user:anna')).find(({ details }) => details.startsWith('Refund'));
    expect(row).toMatchObject({ amount: -300, details: 'Refund of credits; 700 of 1000 had been spent' });
  });

  test('an event with a damaged row does not block those after it', async () => {
    const { anna, deps, db } = await opened();
    const row = { type: 'x', receivedAt: 0, detail: '' };
    const concern = JSON.stringify({ kind: 'subscription', id: 'sub_0' });
    const rows = [
      { ...row, id: 'one', concern: concern.slice(1) },
      { ...row, id: 'two', concern, receivedAt: 1 },
    ];
    await db.query.insertInto('billingEvents').values(rows).execute();
    await catchUpBilling(anna, deps);
    const events = await db.query.selectFrom('billingEvents').select(['id', 'outcome']).orderBy('id').execute();
    expect(events).toEqual([
      { id: 'one', outcome: null },
      { id: 'two', outcome: 'ignored' },
    ]);
  });

  test('a plan changes during charged calls without losing or double-spending credits', async () => {
    const { anna, as, subscribe, deps, balances, db } = await opened();
    await subscribe(anna, {});
    const meter = createCallMeter({ publicUrl: 'http://x' });
    const receipt = { hasContent: true, tokens: 1, wholePageTokens: 1, withheldTokens: 0 };
    const calls = Array.from({ length: 30 }, (_, index) =>
      meter.settle(as('anna'), { tool: 'search', args: { query: `q${index}` }, clientName: 'c' }, receipt),
    );
    const changes = async () => {
      for (const tier of ['Pro', 'Basic', 'Pro'] as const) await changePlan(as('anna'), { tier }, deps);
    };
    await Promise.all([...calls, changes()]);
    const usage = await db.query.selectFrom('monthlyUsage').select('creditsUsed').execute();
    expect(usage).toEqual([{ creditsUsed: 30 }]);
    expect(await balances('user:anna')).toEqual({ balance: 200, ledger: 200 });
  });

  test('an idempotency key opens one page for its own payer and cannot be reused for another order', async () => {
    const { as, deps, person } = await opened();
    await person('bert');
    const ask = (userId: string, packs: number) =>
      openCreditCheckout({ ...as(userId), idempotencyKey: 'one' }, { packs }, deps);
    const { url } = await ask('anna', 1);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        ask('anna', 1).then(
          (answer) => answer.url,
          (error: AppError) => error.code,
        ),
      ),
    );
    expect(answers.every((answer) => answer === url || answer === 'billing-busy')).toBe(true);
    expect(await codeOf(ask('anna', 2))).toBe('idempotency-key-reused');
    expect((await ask('bert', 2)).url).not.toBe(url);
  });

  test('agents, other users and visitors cannot open a checkout page or the portal', async () => {
    const { anna, as, subscribe, deps, person } = await opened();
    await subscribe(anna, {});
    await person('bert');
    const { url } = await openPortal(anna, {}, deps);
    const { describeTestPortal } = await import('./index.ts');
    const look = (ctx: typeof anna, portalId: string) => codeOf(describeTestPortal(ctx, { portalId }, deps));
    expect(await look(as('bert'), pageId(url))).toBe('not-found');
    expect(await look(as('bert'), 'bps_none')).toBe('not-found');
    expect(await codeOf(openPortal(as('bert'), {}, deps))).toBe('nothing-paid-yet');
    const agent = { ...anna, actor: { kind: 'key', userId: 'anna', keyId: 'k', clientKind: null } } as const;
    expect(await codeOf(getBilling(agent, {}, deps))).toBe('permission-denied');
    expect(await codeOf(getBilling({ ...anna, actor: { kind: 'anonymous' } }, {}, deps))).toBe('unauthenticated');
  });
});
