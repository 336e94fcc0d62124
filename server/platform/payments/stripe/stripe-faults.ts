import type Stripe from 'stripe';
import { z } from 'zod';
import { PaymentError } from '../payment-provider.ts';
import { stripeSdk } from '../stripe-sdk.ts';

/** Returns options for a request that has no effect when repeated. */
export function idempotent(key: string): Stripe.RequestOptions {
  return { idempotencyKey: key };
}

/** Sends a request and converts its errors to PaymentError. */
export async function asked<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (cause) {
    throw faultOf(cause);
  }
}

/** Requests one object; returns undefined if Stripe does not have it. */
export async function found<T>(request: () => Promise<T>, what: string): Promise<T | undefined> {
  try {
    return await request();
  } catch (cause) {
    if (cause instanceof stripeSdk().errors.StripeInvalidRequestError && cause.code === 'resource_missing')
      return undefined;
    throw cause instanceof Error ? faultOf(cause) : new PaymentError('unavailable', `no ${what}`, { cause });
  }
}

/**
 * Returns what `read` makes of Stripe's objects. Throws PaymentError `unreadable` if a field that it needs is missing,
 * or has a value that rows can't hold.
 */
export function readAs<T>(schema: z.ZodType<T>, read: () => T): T {
  try {
    return schema.parse(read());
  } catch (cause) {
    throw new PaymentError('unreadable', 'Stripe sent an object that can’t be read', { cause });
  }
}

const objects = z.array(z.looseObject({}));

/** Returns a list's objects. Throws PaymentError `unreadable` for a response without them. */
export function listed<T>(list: Stripe.ApiList<T>): T[] {
  return readAs(
    z.custom<T[]>((data) => objects.safeParse(data).success),
    () => list.data,
  );
}

function faultOf(cause: unknown): PaymentError {
  if (cause instanceof stripeSdk().errors.StripeCardError) {
    return new PaymentError('declined', 'Stripe could not take the money', { cause });
  }
  if (cause instanceof stripeSdk().errors.StripeIdempotencyError) {
    return new PaymentError('key-reused', 'Stripe has seen this key with another request', { cause });
  }
  return new PaymentError('unavailable', 'Stripe did not do what was asked', { cause });
}
