import type { Context } from '#server/context.ts';
import { storedJson } from '#server/platform/db/stored-json.ts';
import { type Concern, PaymentError } from '#server/platform/payments/payment-provider.ts';
import { askProvider } from './ask-provider.ts';
import type { BillingDependencies } from './dependencies.ts';
import { countTry, keepEvent, listWaitingEvents, settleEventRow } from './event-store.ts';
import { reportRefusal } from './report-refusal.ts';
import { syncPurchase } from './sync-purchase.ts';
import { applied, type Outcome, syncSubscription } from './sync-subscription.ts';

/** `done`: the event was applied. `queued`: it is stored and will be applied. */
export type Reception = 'done' | 'queued';

/**
 * Receives an event from the payment provider. The signature is verified over the raw body (`webhook-refused`). An
 * event only triggers reading the current state from the provider, so duplicate, late or reordered events have the same
 * effect. Throws if it could not be applied, so that it is delivered again.
 */
export async function receiveEvent(
  ctx: Context,
  input: { body: string; signature: string },
  deps: BillingDependencies,
): Promise<Reception> {
  const now = ctx.clock.now();
  const { id, type, concern } = await askProvider(() =>
    deps.payments.provider.readEvent(input.body, input.signature, now),
  );
  const kept = { id, type, receivedAt: now, concern: concern === undefined ? null : JSON.stringify(concern) };
  const { event, isNew } = await keepEvent(ctx.db.query, kept);
  if (event.outcome !== null) return 'done';
  if (concern === undefined) {
    if (isNew) ctx.log.info({ eventId: id, type }, 'an unrelated payment event was ignored');
    await settleEventRow(ctx.db.query, id, { outcome: 'ignored', detail: 'of no concern', now });
    return 'done';
  }
  return inTime(settleEvent(ctx, id, concern, deps), deps.eventAnswerMs, (error) =>
    ctx.log.error({ err: error, eventId: id }, 'a payment event will be retried'),
  );
}

/**
 * Retries events that were not applied, for example after a crash, less and less often. Events younger than `minAgeMs`
 * are still being processed.
 */
export async function settleWaitingEvents(ctx: Context, deps: BillingDependencies, minAgeMs: number): Promise<void> {
  for (const event of await listWaitingEvents(ctx.db.query, ctx.clock.now(), minAgeMs)) {
    const concern = storedJson<Concern | null>(event.concern ?? 'null', null);
    if (concern === null) continue;
    await settleEvent(ctx, event.id, concern, deps).catch((error: unknown) =>
      ctx.log.error({ err: error, eventId: event.id }, 'a payment event will be retried'),
    );
  }
}

async function settleEvent(ctx: Context, eventId: string, concern: Concern, deps: BillingDependencies): Promise<void> {
  await countTry(ctx.db.query, eventId);
  const { outcome, detail } = await askProvider(() => applyConcern(ctx, concern, deps).catch(refuseUnreadable));
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const isFirst = await settleEventRow(tx, eventId, { outcome, detail, now });
    if (isFirst && outcome === 'refused') await reportRefusal(ctx, tx, { paymentId: concern.id, why: detail });
  });
}

/** Returns `refused` for data that can't be read, since reading it again would not help; throws other errors. */
function refuseUnreadable(error: unknown): Outcome {
  if (error instanceof PaymentError && error.code === 'unreadable') {
    return { outcome: 'refused', detail: 'the provider’s data about it can’t be read' };
  }
  throw error;
}

async function applyConcern(ctx: Context, { kind, id }: Concern, deps: BillingDependencies): Promise<Outcome> {
  const { provider } = deps.payments;
  const missing: Outcome = { outcome: 'ignored', detail: `${kind} not found` };
  switch (kind) {
    case 'subscription':
      return syncSubscription(ctx, id, deps);
    case 'invoice': {
      const invoice = await provider.findInvoice(id);
      if (invoice === undefined) return missing;
      if (invoice.subscriptionId === null) return applied;
      return syncSubscription(ctx, invoice.subscriptionId, deps, invoice);
    }
    case 'checkout': {
      const checkout = await provider.findCheckout(id);
      if (checkout === undefined) return missing;
      if (checkout.kind === 'credits') return syncPurchase(ctx, checkout);
      return checkout.subscriptionId === null ? applied : syncSubscription(ctx, checkout.subscriptionId, deps);
    }
    case 'payment': {
      const checkout = await provider.findCheckoutOfPayment(id);
      if (checkout?.kind === 'credits') return syncPurchase(ctx, checkout);
      const invoice = await provider.findInvoiceOfPayment(id);
      if (invoice === undefined || invoice.subscriptionId === null) return missing;
      return syncSubscription(ctx, invoice.subscriptionId, deps, invoice);
    }
    default:
      return kind satisfies never;
  }
}

/** Waits for the work up to a limit; after that it continues in the background, with errors logged. */
async function inTime(work: Promise<void>, waitMs: number, onFault: (error: unknown) => void): Promise<Reception> {
  let timer: NodeJS.Timeout | undefined;
  let isLate = false;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => {
      isLate = true;
      resolve('late');
    }, waitMs);
  });
  work.catch((error: unknown) => {
    if (isLate) onFault(error);
  });
  try {
    const first = await Promise.race([work, late]);
    return first === 'late' ? 'queued' : 'done';
  } finally {
    clearTimeout(timer);
  }
}
