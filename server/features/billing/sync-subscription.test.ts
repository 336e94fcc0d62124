import { expect, test } from 'vitest';
import { creditPack } from '#contract/plans.ts';
import { PaymentError } from '#server/platform/payments/payment-provider.ts';
import { onEachDatabase } from '#test/services/database.ts';
import { openBillingSample, pageId } from '#test/services/sample-billing.ts';
import { deliverTestEvents } from './catch-up.ts';
import { closeBilling, endClosedBilling, forgetBuyer, forgetOtherMode } from './close-billing.ts';
import { catchUpBilling, getBilling, listInvoices, openCreditCheckout, openSubscriptionCheckout } from './index.ts';
import { settleWaitingEvents } from './receive-event.ts';
import { syncSubscription } from './sync-subscription.ts';

onEachDatabase('synchronizing subscriptions', (kind) => {
  const opened = async () => {
    const sample = await openBillingSample(kind);
    const anna = await sample.person('anna', 200);
    return { ...sample, anna, state: () => getBilling(anna, {}, sample.deps) };
  };

  test('a subscription state read earlier but saved late does not overwrite a newer one', async () => {
    const { anna, as, subscribe, deps, state } = await opened();
    await subscribe(anna, {});
    const id = (await state()).subscriptionId ?? '';
    const { provider } = deps.payments;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let hasRead = () => {};
    const read = new Promise<void>((resolve) => {
      hasRead = resolve;
    });
    let reads = 0;
    const slow = {
      ...provider,
      async findSubscription(subscriptionId: string) {
        const subscription = await provider.findSubscription(subscriptionId);
        reads += 1;
        if (reads === 1) {
          hasRead();
          await held;
        }
        return subscription;
      },
    };
    const late = syncSubscription(as('anna'), id, { payments: { provider: slow, desk: undefined } });
    await read;
    await provider.changeSubscription(id, { tier: 'Pro', quantity: 1, proration: 'invoice' }, 'k');
    await syncSubscription(as('anna'), id, deps);
    expect(await state()).toMatchObject({ tier: 'Pro' });
    release();
    expect(await late).toMatchObject({ outcome: 'applied' });
    expect(await state()).toMatchObject({ tier: 'Pro' });
  });

  test('of two concurrent subscriptions the later one is ended, whichever is read first', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const { anna, as, deps, state, clock, db } = await opened();
      const { provider, desk } = deps.payments;
      const { url } = await openSubscriptionCheckout(anna, { tier: 'Basic', seats: 1 }, deps);
      const { customerId } = (await provider.findCheckout(pageId(url))) ?? {};
      const order2 = { payer: 'user:anna', buyerId: 'anna', customerId: customerId ?? '', quantity: 1 } as const;
      const what = { kind: 'subscription', tier: 'Pro' } as const;
      const second = await provider.openCheckout({ ...order2, what, returnUrl: 'x', cancelUrl: 'x' }, 'second');
      await desk?.pay(pageId(url), undefined);
      clock.advance(1000);
      await desk?.pay(second.checkoutId, undefined);
      const ids = [];
      for (const checkoutId of [pageId(url), second.checkoutId]) {
        ids.push((await provider.findCheckout(checkoutId))?.subscriptionId ?? '');
      }
      for (const place of order) await syncSubscription(as('anna'), ids[place] ?? '', deps);
      await catchUpBilling(as('anna'), deps);
      expect(await state()).toMatchObject({ tier: 'Basic', subscriptionId: ids[0], subscriptionStatus: 'active' });
      expect(await provider.findSubscription(ids[1] ?? '')).toMatchObject({ status: 'canceled' });
      expect(await db.query.selectFrom('billingEvents').select('id').where('outcome', 'is', null).execute()).toEqual(
        [],
      );
    }
  });

  test('a paid checkout prevents a second one even before its event arrives', async () => {
    const { anna, as, deps, state } = await opened();
    const { provider, desk } = deps.payments;
    const first = await openSubscriptionCheckout(anna, { tier: 'Basic', seats: 1 }, deps);
    await desk?.pay(pageId(first.url), undefined);
    expect(await state()).toMatchObject({ tier: 'Free', subscriptionId: null });
    const opening = openSubscriptionCheckout(as('anna'), { tier: 'Pro', seats: 1 }, deps);
    await expect(opening).rejects.toMatchObject({ code: 'already-subscribed' });
    const { subscriptionId } = (await provider.findCheckout(pageId(first.url))) ?? {};
    expect(await state()).toMatchObject({ tier: 'Basic', subscriptionId, subscriptionStatus: 'active' });
  });

  test('a checkout paid while another is being opened wins, and the other expires', async () => {
    const { anna, as, deps, state } = await opened();
    const { provider, desk } = deps.payments;
    const first = await openSubscriptionCheckout(anna, { tier: 'Basic', seats: 1 }, deps);
    let secondId = '';
    const slow: typeof provider = {
      ...provider,
      async openCheckout(order, key) {
        const page = await provider.openCheckout(order, key);
        secondId = page.checkoutId;
        await desk?.pay(pageId(first.url), undefined);
        return page;
      },
    };
    const slowly = { ...deps, payments: { provider: slow, desk } };
    const opening = openSubscriptionCheckout(as('anna'), { tier: 'Pro', seats: 1 }, slowly);
    await expect(opening).rejects.toMatchObject({ code: 'already-subscribed' });
    expect(await state()).toMatchObject({ tier: 'Basic', subscriptionStatus: 'active' });
    expect(await provider.findCheckout(secondId)).toMatchObject({ status: 'expired' });
  });

  test('an ended plan can be bought again', async () => {
    const { anna, as, deps, subscribe, state } = await opened();
    await subscribe(anna, {});
    const { subscriptionId } = await state();
    await deps.payments.provider.endSubscription(subscriptionId ?? '');
    await catchUpBilling(as('anna'), deps);
    await subscribe(as('anna'), { tier: 'Pro' });
    expect(await state()).toMatchObject({ tier: 'Pro', subscriptionStatus: 'active' });
  });

  test('a plan bought with test money ends when real payments are enabled; purchased credits stay', async () => {
    const { anna, subscribe, buyCredits, deps, state, balances, db } = await opened();
    await subscribe(anna, { tier: 'Pro' });
    await buyCredits(anna, {});
    const provider = { ...deps.payments.provider, mode: 'stripe' as const };
    await forgetOtherMode(anna, { payments: { provider, desk: undefined } });
    expect(await state()).toMatchObject({ tier: 'Free', subscriptionStatus: null, hasPortal: false });
    expect(await db.query.selectFrom('users').select(['tier', 'monthlyAllowance', 'customerId']).execute()).toEqual([
      { tier: 'Free', monthlyAllowance: 0, customerId: null },
    ]);
    const credits = 200 + creditPack.credits;
    expect(await balances('user:anna')).toEqual({ balance: credits, ledger: credits });
  });

  test('plans paid at Stripe are kept without its variables until they have ended there', async () => {
    const { anna, subscribe, deps, state, db } = await opened();
    await subscribe(anna, { tier: 'Pro' });
    await db.query.updateTable('billingAccounts').set({ mode: 'stripe' }).execute();
    const before = await db.query.selectFrom('billingAccounts').selectAll().execute();
    const refused = await forgetOtherMode(anna, deps).catch((error: Error) => error);
    expect(refused).toMatchObject({ name: 'PaymentModeError' });
    expect(await db.query.selectFrom('billingAccounts').selectAll().execute()).toEqual(before);
    expect(await state()).toMatchObject({ tier: 'Pro' });
    await db.query.updateTable('billingAccounts').set({ closingAt: 1, subscriptionStatus: 'canceled' }).execute();
    await expect(forgetOtherMode(anna, deps)).rejects.toThrow('paid through Stripe');
    await db.query.updateTable('billingAccounts').set({ closingAt: null }).execute();
    await forgetOtherMode(anna, deps);
    expect(await state()).toMatchObject({ tier: 'Free' });
  });

  test('deleting an account removes its name and address from billing, and team payments continue', async () => {
    const { anna, as, subscribe, deps, db, team } = await opened();
    const address = { displayName: 'Anna Canary', email: 'anna@canary.example' };
    await db.query.updateTable('users').set(address).where('id', '=', 'anna').execute();
    await subscribe(anna, {});
    const teamId = await team({ anna: 'admin', bert: 'admin' });
    await subscribe(as('anna'), { teamId, seats: 2 });
    const books = async () => JSON.stringify(await db.query.selectFrom('testPaymentBooks').selectAll().execute());
    expect(await books()).toContain(address.displayName);
    await db.transaction((tx) => forgetBuyer(tx, 'anna'));
    expect(await books()).not.toMatch(/canary/i);
    expect(await getBilling(as('bert'), { teamId }, deps)).toMatchObject({ tier: 'Basic', numberOfPaidSeats: 2 });
    expect(await listInvoices(as('bert'), { teamId }, deps)).toHaveLength(1);
  });

  test('a deleted account stops paying, also through open checkout pages', async () => {
    const { anna, as, subscribe, deps, state, db } = await opened();
    await subscribe(anna, {});
    const { subscriptionId } = await state();
    const erin = await openPageFor('erin');
    const credits = pageId((await openCreditCheckout(as('erin'), { packs: 1 }, deps)).url);
    await db.transaction(async (tx) => {
      for (const id of ['anna', 'erin']) {
        await tx.deleteFrom('users').where('id', '=', id).execute();
        await closeBilling(tx, `user:${id}`, 1);
      }
    });
    await catchUpBilling(as('anna'), deps);
    expect(await deps.payments.provider.findSubscription(subscriptionId ?? '')).toMatchObject({ status: 'canceled' });
    for (const page of [erin, credits]) {
      expect(await deps.payments.provider.findCheckout(page)).toMatchObject({ status: 'expired' });
    }
    expect(await db.query.selectFrom('billingAccounts').selectAll().execute()).toEqual([]);

    async function openPageFor(userId: string) {
      await db.query.insertInto('users').values({ id: userId, displayName: userId, createdAt: 0 }).execute();
      const { url } = await openSubscriptionCheckout(as(userId), { tier: 'Basic', seats: 1 }, deps);
      return pageId(url);
    }
  });

  test('deleting a team while a checkout page is opened leaves no payable page and no name', async () => {
    const { anna, deps, db, team } = await opened();
    const teamId = await team({ anna: 'admin' });
    const { provider } = deps.payments;
    const pages: string[] = [];
    const deleting: typeof provider = {
      ...provider,
      async openCheckout(order, key) {
        const page = await provider.openCheckout(order, key);
        pages.push(page.checkoutId);
        await db.transaction(async (tx) => {
          await tx.deleteFrom('teams').where('id', '=', teamId).execute();
          await closeBilling(tx, `team:${teamId}`, 1);
        });
        await catchUpBilling(anna, deps);
        // Expired with the other open pages, as if the provider had not listed it yet.
        await db.query
          .updateTable('testPaymentBooks')
          .set(({ fn, val }) => ({ document: fn('replace', ['document', val('"expired"'), val('"open"')]) }))
          .execute();
        return page;
      },
    };
    const opening = openCreditCheckout(
      anna,
      { teamId, packs: 1 },
      { ...deps, payments: { ...deps.payments, provider: deleting } },
    );
    await expect(opening).rejects.toMatchObject({ code: 'team-not-found' });
    expect(await provider.findCheckout(pages[0] ?? '')).toMatchObject({ status: 'expired' });
    const [book] = await db.query.selectFrom('testPaymentBooks').selectAll().execute();
    expect(JSON.parse(book?.document ?? '')).toMatchObject({ payer: `team:${teamId}`, name: '', email: null });
  });

  test.each(['credits', 'subscription'] as const)(
    'the operator’s audit log shows a payment for %s that arrives after its team was deleted, once',
    async (what) => {
      for (const isEndedFirst of [true, false]) {
        const { anna, deps, db, team } = await opened();
        const teamId = await team({ anna: 'admin' });
        const order = what === 'credits' ? { packs: 1 } : { tier: 'Basic' as const, seats: 1 };
        const open = 'packs' in order ? openCreditCheckout : openSubscriptionCheckout;
        const { url } = await open(anna, { teamId, ...order } as never, deps);
        await deps.payments.desk?.pay(pageId(url), undefined);
        await db.transaction(async (tx) => {
          await tx.deleteFrom('teams').where('id', '=', teamId).execute();
          await closeBilling(tx, `team:${teamId}`, 1);
        });
        if (!isEndedFirst) await deliverTestEvents(anna, deps);
        await catchUpBilling(anna, deps);
        await catchUpBilling(anna, deps);
        const refused = db.query
          .selectFrom('auditLog')
          .select(['teamId', 'detail'])
          .where('action', '=', 'payment.refuse');
        expect((await refused.execute()).map(({ teamId, detail }) => [teamId, JSON.parse(detail)])).toEqual([
          [
            null,
            {
              name: expect.stringMatching(/^(cs|sub|in)_/),
              why: expect.stringMatching(/^(the payer is gone|no one here is this customer|there is another .*)$/),
            },
          ],
        ]);
      }
    },
  );

  test('a subscription that a deleted team has not paid yet is ended, too, and no payment is reported', async () => {
    const { anna, deps, db, team } = await opened();
    const teamId = await team({ anna: 'admin' });
    const { url } = await openSubscriptionCheckout(anna, { teamId, tier: 'Basic', seats: 1 } as never, deps);
    await deps.payments.desk?.pay(pageId(url), undefined);
    const { provider } = deps.payments;
    const unpaid: typeof provider = {
      ...provider,
      async findSubscription(id) {
        const found = await provider.findSubscription(id);
        return found && { ...found, status: found.status === 'active' ? 'unpaid' : found.status };
      },
    };
    await db.transaction(async (tx) => {
      await tx.deleteFrom('teams').where('id', '=', teamId).execute();
      await closeBilling(tx, `team:${teamId}`, 1);
    });
    const subscriptionId = (await provider.findCheckout(pageId(url)))?.subscriptionId ?? '';
    await endClosedBilling(anna, { ...deps, payments: { ...deps.payments, provider: unpaid } });
    expect(await provider.findSubscription(subscriptionId)).toMatchObject({ status: 'canceled' });
    expect(await db.query.selectFrom('auditLog').select('id').where('action', '=', 'payment.refuse').execute()).toEqual(
      [],
    );
  });

  test('an event that the provider keeps refusing is retried less and less often, and blocks no other', async () => {
    const { anna, deps, db, clock, subscribe, state } = await opened();
    await subscribe(anna, {});
    let asked = 0;
    const broken: typeof deps.payments.provider = {
      ...deps.payments.provider,
      findCheckoutOfPayment: async () => {
        asked += 1;
        throw new PaymentError('unavailable', 'no such right');
      },
    };
    const row = { type: 'x', receivedAt: clock.now(), detail: '' };
    const concern = JSON.stringify({ kind: 'payment', id: 'pi_0' });
    const refused = Array.from({ length: 120 }, (_, index) => ({ ...row, id: `evt_${index}`, concern }));
    await db.query.insertInto('billingEvents').values(refused).execute();
    const minutes = async (count: number) => {
      for (let minute = 0; minute < count; minute += 1) {
        clock.advance(60_000);
        await settleWaitingEvents(anna, { ...deps, payments: { ...deps.payments, provider: broken } }, 60_000);
      }
    };
    await minutes(70);
    expect(asked / refused.length).toBeLessThanOrEqual(9);
    const { subscriptionId } = await state();
    const other = JSON.stringify({ kind: 'subscription', id: subscriptionId });
    await db.query
      .insertInto('billingEvents')
      .values({ ...row, id: 'other', receivedAt: clock.now(), concern: other })
      .execute();
    await minutes(1);
    const { outcome } = await db.query
      .selectFrom('billingEvents')
      .select('outcome')
      .where('id', '=', 'other')
      .executeTakeFirstOrThrow();
    expect(outcome).toBe('applied');
    clock.advance(20 * 60_000);
    await settleWaitingEvents(anna, deps, 60_000);
    await settleWaitingEvents(anna, deps, 60_000);
    expect(await db.query.selectFrom('billingEvents').select('id').where('outcome', 'is', null).execute()).toEqual([]);
  });
});
