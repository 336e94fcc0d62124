import type { DeliveryOutcome } from '#contract/repositories.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { repositoryKeyOf } from '#server/features/catalog/index.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { findLastingKey } from '#server/platform/lasting-key.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';
import { logDelivery, logRefusal } from './delivery-log.ts';
import { webhookSecretOf } from './repository-webhook.ts';
import { type PushDelivery, pushIn, refusalOf, type ToldPush } from './signed-push.ts';
import { makeDue } from './store.ts';
import { deleteOldDeliveries, findWebhookWithUrl, noteDelivery, noteReceived } from './webhook-store.ts';

/** Longer than any host keeps redelivering failed events. */
const deliveryKeptMs = 7 * 24 * 60 * 60_000;

/**
 * Receives an event from the host of a module's repository. Throws `webhook-refused` unless it is signed with the
 * module's secret; a missing webhook causes the same error. The event only triggers a check, once however often it is
 * delivered; events other than pushes are ignored. The result is logged for users who may change the module.
 */
export async function receivePush(
  ctx: Context,
  { moduleId, ...delivery }: PushDelivery & { moduleId: string },
  { sealingKeys }: { sealingKeys: SealingKeys },
): Promise<'done' | 'repeated'> {
  const now = ctx.clock.now();
  const webhook = await findWebhookWithUrl(ctx.db.query, moduleId);
  const key = await findLastingKey(ctx.db.query, sealingKeys);
  const secrets = key === undefined ? [] : [webhookSecretOf(key, moduleId, webhook?.generation ?? 0)];
  const reason = refusalOf(secrets, delivery, now);
  if (webhook === undefined) throw new AppError('webhook-refused');
  if (reason !== undefined) {
    await logRefusal(ctx.db.query, { moduleId, reason, now });
    throw new AppError('webhook-refused');
  }
  const push = pushIn(delivery);
  await deleteOldDeliveries(ctx.db.query, now - deliveryKeptMs);
  return ctx.db.transaction(async (tx) => {
    const outcome = await takePush(tx, push, { moduleId, url: webhook.url, now });
    const { event, ref = null } = push;
    await logDelivery(tx, { moduleId, now, event, ref, outcome });
    return outcome === 'repeated' ? 'repeated' : 'done';
  });
}

async function takePush(
  tx: Transaction,
  { event, deliveryId, isPush, ref }: ToldPush,
  { moduleId, url, now }: { moduleId: string; url: string | null; now: number },
): Promise<Exclude<DeliveryOutcome, 'refused'>> {
  if (deliveryId !== undefined && !(await noteDelivery(tx, { moduleId, deliveryId, receivedAt: now })))
    return 'repeated';
  await noteReceived(tx, { moduleId, event, now });
  if (!isPush) return 'ignored';
  // The module's first run, which is queued, will read it.
  if (url === null) return 'looked';
  const due = await repositoryPushed(tx, { urls: [url], ref });
  return due.includes(moduleId) ? 'looked' : 'elsewhere';
}

/** Bus topic: repositories are due for a check. */
export const pushedTopic = 'repository-pushed';

/** A push; `ref` is the full name of the branch or tag, such as `refs/heads/main`; without it all branches match. */
interface Push {
  urls: readonly string[];
  ref?: string | undefined;
}

/**
 * Makes repositories at these addresses due for a check within a second, in any process, after a push. A push only
 * triggers a check: a forged one cannot cause content to be indexed that is not in the repository. Called in the
 * transaction that records the delivery, so that a recorded delivery is always processed. Returns the ids of their
 * modules.
 */
export async function repositoryPushed(tx: Transaction, { urls, ref }: Push): Promise<string[]> {
  const keys = [...new Set(urls.map(repositoryKeyOf))];
  if (keys.length === 0) return [];
  const refName = /^refs\/(?:heads|tags)\/(.+)$/.exec(ref ?? '')?.[1];
  const due = await makeDue(tx, { keys, refName });
  if (due.length > 0) tx.publish(pushedTopic, '');
  return due;
}
