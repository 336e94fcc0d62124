import type { Context } from '#server/context.ts';
import type { BillingDependencies } from './dependencies.ts';
import { receiveEvent } from './receive-event.ts';

/** Delivers what happened in the test mode, signed, the way a provider's events come. */
export async function deliverTestEvents(ctx: Context, deps: BillingDependencies): Promise<void> {
  const { desk } = deps.payments;
  if (desk === undefined) return;
  for (const { id, body, signature } of await desk.pendingEvents()) {
    await receiveEvent(ctx, { body, signature }, deps);
    await desk.removeEvent(id);
  }
}
