import type { Context } from '#server/context.ts';
import { endClosedBilling } from './close-billing.ts';
import { deliverTestEvents } from './deliver-test-events.ts';
import type { BillingDependencies } from './dependencies.ts';
import { settleWaitingEvents } from './receive-event.ts';

const waitingMs = 60_000;

/**
 * Does what is due with no request asking for it: subscriptions of who is gone are ended, events whose effect is missing
 * are tried again, and in the test mode time goes on.
 */
export async function catchUpBilling(ctx: Context, deps: BillingDependencies): Promise<void> {
  await endClosedBilling(ctx, deps);
  await deps.payments.desk?.runDue();
  await deliverTestEvents(ctx, deps);
  await settleWaitingEvents(ctx, deps, waitingMs);
}
