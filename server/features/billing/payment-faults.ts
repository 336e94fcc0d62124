import { AppError } from '#server/app-error.ts';
import { PaymentError } from '#server/platform/payments/payment-provider.ts';

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
