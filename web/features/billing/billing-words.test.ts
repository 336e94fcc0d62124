import { expect, test } from 'vitest';
import type { Billing } from '#contract/billing.ts';
import { discountCents, discountWords, standingOf } from './billing-words.ts';

function standing(part: Partial<Billing>) {
  return standingOf({
    ...{ subscriptionStatus: 'active', cancelAtPeriodEnd: false, paymentFailed: false, subscriptionEndDate: 1 },
    ...part,
  } as Billing).state;
}

test('an ended plan takes precedence over a failed payment, and that over a cancellation', () => {
  expect([
    standing({ subscriptionStatus: null }),
    standing({ subscriptionStatus: 'incomplete' }),
    standing({}),
    standing({ cancelAtPeriodEnd: true }),
    standing({ cancelAtPeriodEnd: true, paymentFailed: true }),
    standing({ subscriptionStatus: 'past_due' }),
    standing({ subscriptionStatus: 'unpaid', paymentFailed: true }),
    standing({ subscriptionStatus: 'canceled', cancelAtPeriodEnd: true }),
  ]).toEqual(['none', 'incomplete', 'active', 'ending', 'past-due', 'past-due', 'ended', 'ended']);
});

test('a discount equals the one of the server and never exceeds the price', () => {
  const share = { code: 'A', percentOff: 15, amountOffCents: null };
  const amount = { code: 'B', percentOff: null, amountOffCents: 500 };
  expect([discountCents(2_700, null), discountCents(2_730, share), discountCents(2_700, amount)]).toEqual([
    0, 409, 500,
  ]);
  expect(discountCents(300, amount)).toBe(300);
  expect([discountWords(share), discountWords(amount)]).toEqual(['15% off', '$5.00 off']);
});
