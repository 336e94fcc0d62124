import type { Context } from '#server/context.ts';
import { endClosedBilling } from './close-billing.ts';
import type { BillingDependencies } from './dependencies.ts';
import { receiveEvent, settleWaitingEvents } from './receive-event.ts';

const waitingMs = 60_000;

/**
 * Performs work that no request triggers: ends deleted payers' subscriptions, retries events that were not applied, and
 * advances time in test mode.
 */
export async function catchUpBilling(ctx: Context, deps: BillingDependencies): Promise<void> {
  await endClosedBilling(ctx, deps);
  await deps.payments.desk?.runDue();
  await deliverTestEvents(ctx, deps);
  await settleWaitingEvents(ctx, deps, waitingMs);
}

/** Delivers test mode events, signed, in the same way as a provider's. */
export async function deliverTestEvents(ctx: Context, deps: BillingDependencies): Promise<void> {
  const { desk } = deps.payments;
  if (desk === undefined) return;
  for (const { id, body, signature } of await desk.pendingEvents()) {
    await receiveEvent(ctx, { body, signature }, deps);
    await desk.removeEvent(id);
  }
}
