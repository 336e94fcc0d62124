import { createHash, randomUUID } from 'node:crypto';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { type Payer, PaymentError } from '#server/platform/payments/payment-provider.ts';
import type { BillingDependencies } from './dependencies.ts';
import { claimAccount, ensureAccount, releaseAccount } from './store.ts';

/** Longer than the provider may take for the few requests of one change, so that a claim outlives its holder briefly. */
const claimMs = 90_000;

/**
 * Changes something at the provider, one change of a payer at a time on all processes: a transaction cannot be held open
 * over requests to someone else. Another change meanwhile is refused (`billing-busy`).
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
 * Names a request to the provider: the caller's own key, so that a repeated request is one, or this request's id. Hashed,
 * since a caller's key may be as long as the provider takes one in all.
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
  forged: 'webhook-refused',
} as const;

/** Asks the payment provider; its refusals become errors of the table. */
export async function askProvider<T>(question: () => Promise<T> | T): Promise<T> {
  try {
    return await question();
  } catch (cause) {
    if (cause instanceof PaymentError) throw new AppError(codes[cause.code], { cause, detail: cause.message });
    throw cause;
  }
}
