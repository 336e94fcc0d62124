import { createHash, randomUUID } from 'node:crypto';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { type Payer, PaymentError } from '#server/platform/payments/payment-provider.ts';
import type { BillingDependencies } from './dependencies.ts';
import { claimAccount, ensureAccount, releaseAccount } from './store.ts';

/** Longer than the few provider requests of one change take, so that a claim is briefly outlived at most. */
const claimMs = 90_000;

/**
 * Makes a change at the payment provider, one per payer at a time across all processes, since a transaction cannot stay
 * open during requests to another service. Concurrent changes are refused (`billing-busy`).
 */
export async function withClaim<T>(
  ctx: Context,
  payer: Payer,
  { payments }: Pick<BillingDependencies, 'payments'>,
  change: () => Promise<T>,
): Promise<T> {
  const token = randomUUID();
  const now = ctx.clock.now();
  await ensureAccount(ctx.db.query, payer, payments.provider.mode);
  const isClaimed = await claimAccount(ctx.db.query, payer, { token, now, until: now + claimMs });
  if (!isClaimed) throw new AppError('billing-busy');
  try {
    return await change();
  } finally {
    await releaseAccount(ctx.db.query, payer, token);
  }
}

/**
 * Returns the idempotency key of a provider request, from the caller's own key, so that repeated requests count once,
 * or from the request id. Hashed, since a caller's key may already have the provider's maximum length.
 */
export function requestKey(ctx: Context, payer: Payer, what: string): string {
  const name = createHash('sha256').update(ctx.idempotencyKey ?? ctx.requestId);
  return `${what}:${payer}:${name.digest('base64url')}`;
}

const codes = {
  declined: 'payment-declined',
  'not-refundable': 'payment-not-refundable',
  'key-reused': 'idempotency-key-reused',
  'no-promotion': 'promotion-not-found',
  unavailable: 'payment-provider-failed',
  unreadable: 'payment-provider-failed',
  forged: 'webhook-refused',
} as const;

/** Calls the payment provider; translates its errors to those of the error table. */
export async function askProvider<T>(question: () => Promise<T> | T): Promise<T> {
  try {
    return await question();
  } catch (cause) {
    if (cause instanceof PaymentError) throw new AppError(codes[cause.code], { cause, detail: cause.message });
    throw cause;
  }
}
