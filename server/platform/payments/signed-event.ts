import { z } from 'zod';
import { type Concern, PaymentError, type PaymentEvent } from './payment-provider.ts';
import { stripeSdk } from './stripe-sdk.ts';

const toleranceSeconds = 5 * 60;
const idOf = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]);
const envelope = z.object({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  livemode: z.boolean().optional(),
  // Some objects have no id, such as a balance or an upcoming invoice.
  data: z.object({ object: z.object({ id: z.string().optional(), payment_intent: idOf.nullish() }) }).optional(),
});

/**
 * Reads a signed event. Requires a `v1` signature over exactly these bytes, at most five minutes before or after
 * `receivedAt`. Ignores an event of the other mode (test events on a live installation, or the reverse).
 */
export function readSignedEvent(
  { body, signature, secret }: { body: string; signature: string; secret: string },
  { isLive, receivedAt }: { isLive: boolean; receivedAt: number },
): PaymentEvent {
  let parsed: unknown;
  try {
    parsed = stripeSdk().webhooks.constructEvent(body, signature, secret, toleranceSeconds, undefined, receivedAt);
  } catch (cause) {
    throw new PaymentError('forged', 'the signature of an event is not right', { cause });
  }
  // The SDK accepts any time in the future.
  const signedAt = Number(/(?:^|,)\s*t=(\d+)/.exec(signature)?.[1]);
  if (!(signedAt <= receivedAt / 1000 + toleranceSeconds)) throw new PaymentError('forged', 'an event of the future');
  const event = envelope.safeParse(parsed);
  if (!event.success) throw new PaymentError('forged', 'a signed body is no event', { cause: event.error });
  const { id, type, livemode = isLive, data } = event.data;
  const isForeign = livemode !== isLive;
  return { id, type, concern: isForeign || data === undefined ? undefined : concernOf(type, data.object) };
}

function concernOf(
  type: string,
  { id, payment_intent: payment }: { id?: string | undefined; payment_intent?: string | null | undefined },
): Concern | undefined {
  if (id === undefined) return undefined;
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return { kind: 'checkout', id };
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
      return { kind: 'subscription', id };
    case 'invoice.paid':
    case 'invoice.payment_failed':
      return { kind: 'invoice', id };
    case 'charge.refunded':
    case 'charge.dispute.created':
    case 'charge.dispute.closed':
    case 'refund.failed':
      return payment ? { kind: 'payment', id: payment } : undefined;
    default:
      return undefined;
  }
}

/** Returns the signature header for events that this program creates. */
export function signEvent(body: string, secret: string, at: number): string {
  return stripeSdk().webhooks.generateTestHeaderString({ payload: body, secret, timestamp: Math.floor(at / 1000) });
}
