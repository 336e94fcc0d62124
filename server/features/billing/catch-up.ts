import type { Context } from '#server/context.ts';
import { endClosedBilling } from './close-billing.ts';
import type { BillingDependencies } from './dependencies.ts';
import { receiveEvent, settleWaitingEvents } from './receive-event.ts';

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

/** Delivers what happened in the test mode, signed, the way a provider's events come. */
export async function deliverTestEvents(ctx: Context, deps: BillingDependencies): Promise<void> {
  const { desk } = deps.payments;
  if (desk === undefined) return;
  for (const { id, body, signature } of await desk.pendingEvents()) {
    await receiveEvent(ctx, { body, signature }, deps);
    await desk.removeEvent(id);
  }
}
