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

/** Longer than any host goes on delivering what failed. */
const deliveryKeptMs = 7 * 24 * 60 * 60_000;

/**
 * Takes an event of the host of a module's repository. Refused with `webhook-refused` unless it is made with the module's
 * secret, the same where the webhook does not exist. It is a hint to look at the repository, taken once however often it is
 * delivered; events other than pushes come to nothing. The result is kept for the person who may change the module.
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
  // A module that no run has come to yet is read by the run that waits.
  if (url === null) return 'looked';
  const due = await repositoryPushed(tx, { urls: [url], ref });
  return due.includes(moduleId) ? 'looked' : 'elsewhere';
}

/** On the bus: repositories wait to be looked at. */
export const pushedTopic = 'repository-pushed';

/** `ref` is the full name of the pushed branch or tag, such as `refs/heads/main`; without it every branch counts. */
interface Push {
  urls: readonly string[];
  ref?: string | undefined;
}

/**
 * Has the repositories at one of these addresses looked at within a second, in whichever process does that; called by the one that
 * has heard of a push. It is a hint and no more: who sends it cannot make anything be indexed that is not there. In the
 * transaction that notes the delivery, so that a noted delivery was always passed on. Returns the ids of their modules.
 */
export async function repositoryPushed(tx: Transaction, { urls, ref }: Push): Promise<string[]> {
  const keys = [...new Set(urls.map(repositoryKeyOf))];
  if (keys.length === 0) return [];
  const refName = /^refs\/(?:heads|tags)\/(.+)$/.exec(ref ?? '')?.[1];
  const due = await makeDue(tx, { keys, refName });
  if (due.length > 0) tx.publish(pushedTopic, '');
  return due;
}
