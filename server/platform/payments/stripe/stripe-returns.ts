import type Stripe from 'stripe';
import { asked } from './stripe-faults.ts';

/** Disputes in which the bank holds the money; of an inquiry (`warning_…`) nothing is taken. */
const withdrawn = new Set(['needs_response', 'under_review', 'appeal_needs_response', 'appeal_under_review', 'lost']);

/**
 * Returns how much of a payment was refunded or charged back, 0 to 1. `latest_charge` of the payment must be expanded.
 * `totalCents`: what was due, where more than this payment covered it.
 */
export async function returnedShareOf(
  stripe: Stripe,
  payment: string | Stripe.PaymentIntent | null | undefined,
  totalCents = 0,
): Promise<number> {
  if (typeof payment !== 'object' || payment === null) return 0;
  const charge = payment.latest_charge;
  if (typeof charge !== 'object' || charge === null || charge.amount === 0) return 0;
  const disputed = charge.disputed ? await disputedCents(stripe, payment.id) : 0;
  return Math.min(1, (charge.amount_refunded + disputed) / Math.max(charge.amount, totalCents));
}

async function disputedCents(stripe: Stripe, paymentIntent: string): Promise<number> {
  const { data } = await asked(() => stripe.disputes.list({ payment_intent: paymentIntent, limit: 100 }));
  return data.reduce((sum, { status, amount }) => sum + (withdrawn.has(status) ? amount : 0), 0);
}
