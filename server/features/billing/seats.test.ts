import { expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { listTransactions } from '#server/features/credits/list-transactions.ts';
import { onEachDatabase } from '#test/services/database.ts';
import { openBillingSample, pageId } from '#test/services/sample-billing.ts';
import { actingInTeam } from '#test/services/sample-team.ts';
import { closeBilling } from './close-billing.ts';
import {
  catchUpBilling,
  changePlan,
  getBilling,
  listInvoices,
  openPortal,
  previewChange,
  setCancellation,
} from './index.ts';
import { changeSeatCount, manageSeats } from './manage-seats.ts';

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );

onEachDatabase('team seats', (kind) => {
  async function opened(seats = 2) {
    const sample = await openBillingSample(kind);
    const { db, deps, as } = sample;
    const teamId = await sample.team({ anna: 'admin', bert: 'admin', cleo: 'writer', dora: 'reader' });
    if (seats > 0) await sample.subscribe(as('anna'), { teamId, seats });
    const rows = await db.query
      .selectFrom('memberships')
      .select(['id', 'userId'])
      .where('teamId', '=', teamId)
      .execute();
    const idOf = (userId: string) => rows.find((row) => row.userId === userId)?.id ?? '';
    const manage = (who: string, members: string[], updateSubscription = false) =>
      manageSeats(as(who), { teamId, paidSeatMembershipIds: members.map(idOf), updateSubscription }, deps);
    const holders = async () =>
      (
        await db.query
          .selectFrom('memberships')
          .select('userId')
          .where('teamId', '=', teamId)
          .where('hasPaidSeat', '=', 1)
          .orderBy('userId')
          .execute()
      ).map(({ userId }) => userId);
    const state = () => getBilling(as('anna'), { teamId }, deps);
    /** In every case, assigned seats do not exceed paid seats, and the pool matches the paid seats. */
    const expectToAgree = async () => {
      const team = await db.query.selectFrom('teams').selectAll().where('id', '=', teamId).executeTakeFirstOrThrow();
      const billing = await state();
      const atProvider = await deps.payments.provider.findSubscription(billing.subscriptionId ?? '');
      expect(team.numberOfPaidSeats).toBe(billing.numberOfPaidSeats);
      expect(atProvider?.quantity).toBe(billing.nextPeriod?.numberOfSeats ?? team.numberOfPaidSeats);
      expect(team.numberOfPaidSeats).toBeGreaterThanOrEqual(atProvider?.quantity ?? 0);
      expect(team.monthlyAllowance).toBe(1000 * team.numberOfPaidSeats);
      expect((await holders()).length).toBeLessThanOrEqual(team.numberOfPaidSeats);
    };
    return { ...sample, teamId, idOf, manage, holders, state, expectToAgree };
  }

  test.each([
    ['changeSubscription', 'subscription.change'],
    ['setCancelAtPeriodEnd', 'subscription.cancel'],
  ] as const)('the audit log names who asked for a change if the answer of %s is lost', async (call, action) => {
    const { db, deps, as, teamId } = await opened();
    const { provider } = deps.payments;
    const asked = new Proxy(provider, {
      get: (target, name) =>
        name === call
          ? async (...input: never[]) => {
              await (target[call] as (...given: never[]) => Promise<void>)(...input);
              throw new Error('the connection was lost');
            }
          : target[name as 'priceIds'],
    });
    const cut = { ...deps, payments: { ...deps.payments, provider: asked } };
    const change =
      call === 'changeSubscription'
        ? changeSeatCount(as('bert'), { teamId, numberOfSeats: 4 }, cut)
        : setCancellation(as('bert'), { teamId, isCancelled: true }, cut);
    await expect(change).rejects.toThrow('the connection was lost');
    const row = await db.query.selectFrom('auditLog').selectAll().where('action', '=', action).executeTakeFirst();
    expect(row).toMatchObject({ actorUserId: 'bert', teamId });
  });

  test('a team pays per seat, and its pool is the sum of all allowances', async () => {
    const { state, db, teamId, ledger } = await opened(3);
    expect(await state()).toMatchObject({
      tier: 'Basic',
      numberOfPaidSeats: 3,
      assignedSeats: 0,
      nextAmountCents: 2700,
    });
    const team = await db.query.selectFrom('teams').selectAll().where('id', '=', teamId).executeTakeFirstOrThrow();
    expect(team).toMatchObject({ tier: 'Basic', numberOfPaidSeats: 3, monthlyAllowance: 3000 });
    expect(await ledger(`team:${teamId}`)).toMatchObject([{ amount: 3000, isFromMonthlyAllowance: 1 }]);
  });

  test('a renewal after the buyer deleted their account does not name them', async () => {
    const { db, as, act, teamId } = await opened(2);
    const before = await db.query.selectFrom('creditTransactions').selectAll().where('teamId', '=', teamId).execute();
    expect(before).toMatchObject([{ userId: 'anna' }]);
    await db.query.deleteFrom('users').where('id', '=', 'anna').execute();
    await act(as('bert'), { kind: 'advance' }, teamId);
    const renewals = db.query.selectFrom('creditTransactions').selectAll().where('teamId', '=', teamId);
    const [renewal, ...more] = await renewals.where('userId', '!=', 'anna').execute();
    expect([renewal?.userId, renewal?.amount, more]).toEqual([expect.stringMatching(/^deleted-/), 2000, []]);
  });

  test('team activity shows who bought its credits', async () => {
    const { db, as, buyCredits, teamId } = await opened(0);
    await db.query
      .updateTable('users')
      .set({ displayName: 'Bert', email: 'b@x.example' })
      .where('id', '=', 'bert')
      .execute();
    await buyCredits(as('bert'), { teamId });
    const acting = await actingInTeam(as('anna'), 'anna', teamId);
    const [bought] = await listTransactions(acting, { type: 'purchase', limit: 9 });
    expect(bought).toMatchObject({
      amount: 1000,
      userId: 'bert',
      metadata: { user: 'Bert', userEmail: 'b@x.example' },
    });
  });

  test('exactly the named members get a seat, and never more than are paid for', async () => {
    const { manage, holders } = await opened();
    expect(await manage('anna', ['anna', 'cleo'])).toBe(2);
    expect(await holders()).toEqual(['anna', 'cleo']);
    expect(await manage('bert', ['bert', 'bert'])).toBe(2);
    expect(await holders()).toEqual(['bert']);
    expect(await codeOf(manage('anna', ['anna', 'bert', 'cleo']))).toBe('seats-exceeded');
    expect(await codeOf(manage('anna', ['anna', 'nobody']))).toBe('seat-not-assignable');
    expect(await holders()).toEqual(['bert']);
  });

  test('invites and members of other teams get no seat, and nothing is paid for them', async () => {
    const { db, as, deps, teamId, team, state, holders } = await opened(1);
    const other = await team({ anna: 'admin', eve: 'writer' });
    const { id } = await db.query
      .selectFrom('memberships')
      .select('id')
      .where('teamId', '=', other)
      .where('userId', '=', 'eve')
      .executeTakeFirstOrThrow();
    const invite = { id: 'inv', teamId, email: 'x@y.example', role: 'writer', state: 'invited', joinedAt: 0 } as const;
    await db.query.insertInto('memberships').values(invite).execute();
    for (const paidSeatMembershipIds of [[id], ['inv'], ['inv', id]]) {
      const input = { teamId, paidSeatMembershipIds, updateSubscription: true };
      expect(await codeOf(manageSeats(as('anna'), input, deps))).toBe('seat-not-assignable');
    }
    expect(await state()).toMatchObject({ numberOfPaidSeats: 1 });
    expect(await holders()).toEqual([]);
  });

  test('with updateSubscription the number of paid seats follows the number of assigned seats', async () => {
    const { manage, holders, state, expectToAgree, act, as, teamId } = await opened(1);
    expect(await manage('anna', ['anna', 'bert', 'cleo'], true)).toBe(3);
    expect(await state()).toMatchObject({ numberOfPaidSeats: 3, monthlyAllowance: 3000 });
    await expectToAgree();
    expect(await manage('anna', ['dora'], true)).toBe(3);
    expect(await holders()).toEqual(['dora']);
    expect(await state()).toMatchObject({ nextPeriod: { tier: 'Basic', numberOfSeats: 1 }, nextAmountCents: 900 });
    await expectToAgree();
    expect(await manage('anna', [], true)).toBe(3);
    await expectToAgree();
    await act(as('anna'), { kind: 'advance' }, teamId);
    expect(await state()).toMatchObject({ numberOfPaidSeats: 1, nextPeriod: null });
    await expectToAgree();
  });

  test('a declined card adds no seat', async () => {
    const { manage, holders, act, as, teamId, expectToAgree } = await opened(1);
    await manage('anna', ['anna']);
    await act(as('anna'), { kind: 'card', works: false }, teamId);
    expect(await codeOf(manage('anna', ['anna', 'bert'], true))).toBe('payment-declined');
    expect(await holders()).toEqual(['anna']);
    await expectToAgree();
  });

  test('the number of seats cannot fall below the number assigned', async () => {
    const { manage, as, deps, teamId, state, expectToAgree } = await opened(3);
    await manage('anna', ['anna', 'bert']);
    const to = (numberOfSeats: number) => changeSeatCount(as('anna'), { teamId, numberOfSeats }, deps);
    expect(await codeOf(to(1))).toBe('seats-in-use');
    await to(2);
    expect(await state()).toMatchObject({ numberOfPaidSeats: 3, nextPeriod: { numberOfSeats: 2 } });
    // Three are paid for: two more cost two, even though fewer are scheduled for later.
    const five = { dueNowCents: 1800, creditsNow: 2000, monthlyCents: 4500, startsAt: null };
    expect(await previewChange(as('anna'), { teamId, numberOfSeats: 5 }, deps)).toMatchObject(five);
    await to(5);
    expect(await state()).toMatchObject({ numberOfPaidSeats: 5, nextPeriod: null });
    expect((await listInvoices(as('anna'), { teamId }, deps))[0]).toMatchObject({
      description: 'Change to Basic, 5 seats, for the rest of the period',
      totalCents: 1800,
    });
    expect(await previewChange(as('anna'), { teamId, numberOfSeats: 6 }, deps)).toMatchObject({ monthlyCents: 5400 });
    await expectToAgree();
  });

  test('a change that costs more than the agreed price is refused and changes nothing', async () => {
    const { as, deps, teamId, state, idOf } = await opened(2);
    const { dueNowCents, monthlyCents } = await previewChange(as('anna'), { teamId, numberOfSeats: 3 }, deps);
    const agreedPrice = { dueNowCents, monthlyCents };
    await changePlan(as('bert'), { teamId, tier: 'Pro' }, deps);
    const invoices = await listInvoices(as('anna'), { teamId }, deps);

    expect(await codeOf(changeSeatCount(as('anna'), { teamId, numberOfSeats: 3, agreedPrice }, deps))).toBe(
      'price-changed',
    );
    const three = { teamId, paidSeatMembershipIds: ['anna', 'bert', 'cleo'].map(idOf), updateSubscription: true };
    expect(await codeOf(manageSeats(as('anna'), { ...three, agreedPrice }, deps))).toBe('price-changed');
    const cheaper = { ...agreedPrice, monthlyCents: 0 };
    const fewer = { ...three, paidSeatMembershipIds: [idOf('anna')], agreedPrice: cheaper };
    expect(await codeOf(manageSeats(as('anna'), fewer, deps))).toBe('price-changed');
    expect(await codeOf(changePlan(as('anna'), { teamId, tier: 'Basic', agreedPrice: cheaper }, deps))).toBe(
      'price-changed',
    );
    expect(await state()).toMatchObject({ tier: 'Pro', numberOfPaidSeats: 2, assignedSeats: 0, nextPeriod: null });
    expect(await listInvoices(as('anna'), { teamId }, deps)).toEqual(invoices);

    const price = await previewChange(as('anna'), { teamId, numberOfSeats: 3 }, deps);
    expect(price.monthlyCents).toBeGreaterThan(monthlyCents);
    // The extra cent comes from rounding the remaining days.
    await manageSeats(as('anna'), { ...three, agreedPrice: { ...price, dueNowCents: price.dueNowCents - 1 } }, deps);
    expect(await state()).toMatchObject({ numberOfPaidSeats: 3, assignedSeats: 3 });
  });

  test('a seat that cannot be assigned because of the daily limit is not paid for', async () => {
    const { as, db, deps, teamId, state, idOf } = await opened(2);
    const seats = { teamId, paidSeatMembershipIds: ['anna', 'bert'].map(idOf), updateSubscription: true };
    await manageSeats(as('anna'), seats, deps);
    await db.query.updateTable('rateCounts').set({ count: limits.repeatedChangesPerDayMax }).execute();
    const before = await state();
    const three = { ...seats, paidSeatMembershipIds: ['anna', 'bert', 'cleo'].map(idOf) };
    expect(await codeOf(manageSeats(as('anna'), three, deps))).toBe('rate-limited');
    expect(await state()).toEqual(before);
  });

  test('a plan that is ending must be resumed before it changes; its seats can still be assigned', async () => {
    const { as, deps, teamId, state, idOf } = await opened(2);
    const [anna, bert, cleo] = ['anna', 'bert', 'cleo'].map(idOf);
    const seatsOf = (paidSeatMembershipIds: (string | undefined)[], updateSubscription: boolean) =>
      manageSeats(
        as('anna'),
        { teamId, paidSeatMembershipIds: paidSeatMembershipIds.map((id) => id ?? ''), updateSubscription },
        deps,
      );
    await seatsOf([anna, bert], false);
    await setCancellation(as('anna'), { teamId, isCancelled: true }, deps);
    const before = await state();
    for (const change of [
      () => changePlan(as('anna'), { teamId, tier: 'Pro' }, deps),
      () => changeSeatCount(as('anna'), { teamId, numberOfSeats: 3 }, deps),
      () => seatsOf([anna, bert, cleo], true),
      () => seatsOf([bert], true),
      () => previewChange(as('anna'), { teamId, numberOfSeats: 3 }, deps),
    ]) {
      expect(await codeOf(change())).toBe('plan-ending');
      expect(await state()).toEqual(before);
    }
    await seatsOf([bert, cleo], true);
    await seatsOf([cleo], false);
    await changeSeatCount(as('anna'), { teamId, numberOfSeats: 2 }, deps);
    await changePlan(as('anna'), { teamId, tier: 'Basic' }, deps);
    expect(await state()).toMatchObject({ cancelAtPeriodEnd: true, assignedSeats: 1, numberOfPaidSeats: 2 });
    await setCancellation(as('anna'), { teamId, isCancelled: false }, deps);
    await changeSeatCount(as('anna'), { teamId, numberOfSeats: 3 }, deps);
    expect(await state()).toMatchObject({ cancelAtPeriodEnd: false, numberOfPaidSeats: 3 });
  });

  test('a scheduled smaller plan remains when seats are added or cannot be paid for', async () => {
    const { as, deps, teamId, state, act, subscribe } = await opened(0);
    await subscribe(as('anna'), { teamId, tier: 'Pro', seats: 2 });
    await changePlan(as('anna'), { teamId, tier: 'Basic' }, deps);
    const more = await previewChange(as('anna'), { teamId, numberOfSeats: 3 }, deps);
    expect(more).toMatchObject({ dueNowCents: 2900, creditsNow: 4000, monthlyCents: 2700, tier: 'Basic' });
    await changeSeatCount(as('anna'), { teamId, numberOfSeats: 3 }, deps);
    const next = { tier: 'Basic', numberOfSeats: 3 };
    expect(await state()).toMatchObject({ tier: 'Pro', numberOfPaidSeats: 3, nextPeriod: next });
    await act(as('anna'), { kind: 'card', works: false }, teamId);
    expect(await codeOf(changeSeatCount(as('anna'), { teamId, numberOfSeats: 9 }, deps))).toBe('payment-declined');
    expect(await state()).toMatchObject({ tier: 'Pro', numberOfPaidSeats: 3, nextPeriod: next });
  });

  test('adding seats after an unnoticed renewal is charged from the renewed seat count', async () => {
    const { as, deps, teamId, state, subscribe, expectToAgree } = await opened(0);
    await subscribe(as('anna'), { teamId, seats: 4 });
    await changeSeatCount(as('anna'), { teamId, numberOfSeats: 1 }, deps);
    // Renewed for one seat, and its event has not arrived yet.
    const { url } = await openPortal(as('anna'), { teamId }, deps);
    await deps.payments.desk?.advance(pageId(url));
    await changeSeatCount(as('anna'), { teamId, numberOfSeats: 5 }, deps);
    expect(await state()).toMatchObject({ numberOfPaidSeats: 5, nextPeriod: null });
    const [more, renewal] = await listInvoices(as('anna'), { teamId }, deps);
    expect([more?.totalCents, renewal?.totalCents]).toEqual([3600, 900]);
    await expectToAgree();
  });

  test('a larger plan after an unnoticed renewal is charged anew', async () => {
    const { as, deps, teamId, state, subscribe } = await opened(0);
    await subscribe(as('anna'), { teamId, tier: 'Pro' });
    await changePlan(as('anna'), { teamId, tier: 'Basic' }, deps);
    const { url } = await openPortal(as('anna'), { teamId }, deps);
    await deps.payments.desk?.advance(pageId(url));
    await changePlan(as('anna'), { teamId, tier: 'Pro' }, deps);
    expect(await state()).toMatchObject({ tier: 'Pro', nextPeriod: null });
    expect((await listInvoices(as('anna'), { teamId }, deps))[0]).toMatchObject({ totalCents: 2000 });
  });

  test('changes are refused around the end of a period', async () => {
    const { as, deps, teamId, state, clock } = await opened(2);
    const before = await state();
    for (const fromEnd of [-9_000, 9_000]) {
      clock.set((before.subscriptionEndDate ?? 0) + fromEnd);
      const [plan, seats] = [
        { teamId, tier: 'Pro' as const },
        { teamId, numberOfSeats: 3 },
      ];
      expect(await codeOf(changePlan(as('anna'), plan, deps))).toBe('billing-busy');
      expect(await codeOf(changeSeatCount(as('anna'), seats, deps))).toBe('billing-busy');
    }
  });

  test('seats removed at the provider are taken from the members who joined last', async () => {
    const { manage, deps, state, holders, db, teamId, as, act, expectToAgree } = await opened(3);
    for (const [acceptedAt, userId] of ['cleo', 'anna', 'bert'].entries()) {
      const own = db.query.updateTable('memberships').set({ acceptedAt }).where('userId', '=', userId);
      await own.where('teamId', '=', teamId).execute();
    }
    await manage('anna', ['anna', 'bert', 'cleo']);
    const { subscriptionId } = await state();
    const change = { tier: 'Basic', quantity: 1, proration: 'none' } as const;
    await deps.payments.provider.changeSubscription(subscriptionId ?? '', change, 'k');
    await catchUpBilling(as('anna'), deps);
    expect(await holders()).toEqual(['anna', 'bert', 'cleo']);
    await act(as('anna'), { kind: 'advance' }, teamId);
    expect(await holders()).toEqual(['cleo']);
    await expectToAgree();
  });

  test('the last seat assigned to two members concurrently goes to one', async () => {
    const { manage, holders, expectToAgree } = await opened(1);
    await Promise.all([manage('anna', ['cleo']), manage('bert', ['dora'])]);
    expect(await holders()).toHaveLength(1);
    await expectToAgree();
  });

  test('concurrent purchases and removals of seats leave provider and team consistent', async () => {
    const { manage, as, deps, teamId, expectToAgree } = await opened(2);
    const outcomes = await Promise.all([
      codeOf(manage('anna', ['anna', 'bert', 'cleo', 'dora'], true)),
      codeOf(manage('bert', ['bert'], true)),
      codeOf(changeSeatCount(as('anna'), { teamId, numberOfSeats: 3 }, deps)),
      codeOf(manage('bert', ['bert', 'cleo'])),
      codeOf(changePlan(as('bert'), { teamId, tier: 'Basic' }, deps)),
    ]);
    expect(outcomes).toContain('done');
    const known = ['done', 'billing-busy', 'seats-exceeded', 'seats-in-use'];
    expect(outcomes.filter((outcome) => !known.includes(String(outcome)))).toEqual([]);
    await expectToAgree();
  });

  test('members, other users and visitors cannot change seats or see billing', async () => {
    const { as, deps, teamId, person, idOf } = await opened(1);
    const stranger = await person('eve');
    const input = { teamId, paidSeatMembershipIds: [idOf('cleo')], updateSubscription: false };
    const ask = async (ctx: Context, id = teamId) => [
      await codeOf(manageSeats(ctx, { ...input, teamId: id }, deps)),
      await codeOf(getBilling(ctx, { teamId: id }, deps)),
    ];
    for (const member of ['cleo', 'dora'])
      expect(await ask(as(member))).toEqual(['permission-denied', 'permission-denied']);
    expect(await ask(stranger)).toEqual(['team-not-found', 'team-not-found']);
    expect(await ask(as('anna'), 'none')).toEqual(['team-not-found', 'team-not-found']);
    const visitor: Context = { ...stranger, actor: { kind: 'anonymous' }, workspace: null };
    expect(await ask(visitor)).toEqual(['unauthenticated', 'unauthenticated']);
  });

  test('the end of the subscription frees every seat', async () => {
    const { manage, as, act, teamId, holders, db } = await opened(2);
    await manage('anna', ['anna', 'bert']);
    await act(as('anna'), { kind: 'cancel' }, teamId);
    await act(as('anna'), { kind: 'advance' }, teamId);
    expect(await holders()).toEqual([]);
    const team = await db.query.selectFrom('teams').selectAll().where('id', '=', teamId).executeTakeFirstOrThrow();
    expect(team).toMatchObject({ tier: 'Free', numberOfPaidSeats: 0, monthlyAllowance: 0 });
  });

  test('deleting a team ends its payments, even while a checkout page is open', async () => {
    const { db, deps, as, teamId, state } = await opened(2);
    const { subscriptionId } = await state();
    await db.transaction(async (tx) => {
      await closeBilling(tx, `team:${teamId}`, 1);
      await tx.deleteFrom('teams').where('id', '=', teamId).execute();
    });
    await catchUpBilling(as('anna'), deps);
    expect(await deps.payments.provider.findSubscription(subscriptionId ?? '')).toMatchObject({ status: 'canceled' });
    expect(await db.query.selectFrom('billingAccounts').selectAll().execute()).toEqual([]);
  });
});
