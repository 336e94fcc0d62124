import type { Discount } from '#contract/billing.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import type { Outbound } from '../outbound/index.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { createStripePayments, type StripeOptions } from './stripe/stripe-payments.ts';
import type { TestDesk } from './test-mode/desk.ts';
import { createTestPayments } from './test-mode/test-payments.ts';

export type PaymentsConfig = { kind: 'test'; promotions: Discount[] } | ({ kind: 'stripe' } & StripeOptions);

/** The payment provider, and the pages of the test mode if that is on. */
export interface Payments {
  provider: PaymentProvider;
  desk: TestDesk | undefined;
}

/** Opens the configured provider: Stripe, or the test mode. `secret` signs events of the test mode. */
export function openPayments(
  config: PaymentsConfig,
  parts: { db: Database; clock: Clock; outbound: Outbound; publicUrl: string; secret: string },
): Payments {
  if (config.kind === 'test') return createTestPayments({ ...parts, promotions: config.promotions });
  return { provider: createStripePayments(config, parts.outbound), desk: undefined };
}
