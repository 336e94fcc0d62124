import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { logDelivery, repositoryPushed } from '#server/features/repositories/index.ts';
import type { HostEvent } from '#server/platform/code-host/code-host.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { findLastingKey } from '#server/platform/lasting-key.ts';
import { askAsPerson, tellingFaults } from './ask-host.ts';
import { listConnectionsOfAccount } from './connection-store.ts';
import type { HostingDependencies } from './dependencies.ts';
import { requireCodeHost } from './person-token.ts';
import { queueRepository } from './queue-repository.ts';
import { checkReadable, readingToken } from './reading.ts';
import { deleteOldDeliveries, findHosted, type HostedRow, listHostedOf, noteDelivery } from './repository-store.ts';
import { webhookSecretOf } from './webhooks.ts';

/** GitHub redelivers events that are up to three days old. */
const deliveryKeptMs = 7 * 24 * 60 * 60_000;

export interface Delivery {
  body: Uint8Array;
  /** As named in the headers. */
  event: string;
  deliveryId: string;
  signature: string;
}

/**
 * Receives an event from the code host. Throws `webhook-refused` unless it is signed; otherwise it only triggers a
 * check, once however often it is delivered. Other events are accepted and ignored.
 */
export async function receiveHostingEvent(
  ctx: Context,
  delivery: Delivery,
  deps: HostingDependencies & { appWebhookSecret: string | undefined },
): Promise<'done' | 'repeated'> {
  const host = requireCodeHost(deps);
  const { appWebhookSecret, sealingKeys } = deps;
  const key = await findLastingKey(ctx.db.query, sealingKeys);
  const secretsOf = (repositoryId: string | undefined) => [
    ...(appWebhookSecret === undefined ? [] : [appWebhookSecret]),
    ...(repositoryId === undefined || key === undefined ? [] : [webhookSecretOf(key, repositoryId)]),
  ];
  const event = await tellingFaults(ctx, () => host.readEvent({ ...delivery, secretsOf }));
  if (!/^[\w-]{1,100}$/.test(delivery.deliveryId)) throw new AppError('webhook-refused');
  const now = ctx.clock.now();
  const name = delivery.event.slice(0, 100);
  const row = { deliveryId: delivery.deliveryId, event: name, receivedAt: now };
  const isNew = await ctx.db.transaction(async (tx) => {
    const isNoted = await noteDelivery(tx, row);
    if (isNoted && event.kind === 'push') await lookAgain(tx, event, { event: name, now });
    return isNoted;
  });
  if (!isNew) return 'repeated';
  deps.background.run('forgetting old events of the code host', () =>
    deleteOldDeliveries(ctx.db.query, now - deliveryKeptMs),
  );
  if (event.kind !== 'push') deps.background.run(`an event ${name} of the code host`, () => act(ctx, event, deps));
  return 'done';
}

async function lookAgain(
  tx: Transaction,
  { repositoryIds }: HostEvent,
  told: { event: string; now: number },
): Promise<void> {
  const rows = await listHostedOf(tx, { repositoryIds, installationId: undefined });
  const active = rows.filter(({ pausedReason }) => pausedReason === null);
  await repositoryPushed(tx, { urls: active.map(({ cloneUrl }) => cloneUrl) });
  for (const { moduleId } of active) await logDelivery(tx, { moduleId, ...told, ref: null, outcome: 'looked' });
}

async function queueAgain(ctx: Context, row: HostedRow, deps: HostingDependencies): Promise<void> {
  const tell = await ctx.db.transaction((tx) => queueRepository(tx, ctx, row, deps));
  tell();
}

async function act(ctx: Context, event: HostEvent, deps: HostingDependencies): Promise<void> {
  if (event.kind === 'revoked') return lookAtConnections(ctx, event, deps);
  if (event.kind !== 'repository' && event.kind !== 'installation') return;
  const { repositoryIds } = event;
  const installationId = event.kind === 'installation' ? event.installationId : undefined;
  for (const row of await listHostedOf(ctx.db.query, { repositoryIds, installationId })) {
    if (row.pausedReason === null) await check(ctx, row, deps);
  }
}

/** Checks a repository: a pause is stored where it is detected, and a new address is indexed at once. */
async function check(ctx: Context, row: HostedRow, deps: HostingDependencies): Promise<void> {
  try {
    const { cloneUrl } = await checkReadable(ctx, row, deps);
    await readingToken(ctx, row, deps);
    const moved = cloneUrl === row.cloneUrl ? undefined : await findHosted(ctx.db.query, row.workspace, row.id);
    if (moved !== undefined) await queueAgain(ctx, moved, deps);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ctx.log.info({ err: error }, 'a repository was looked at after an event');
  }
}

/** The event says that the host revoked a token; a request with each token shows which. */
async function lookAtConnections(ctx: Context, event: HostEvent, deps: HostingDependencies): Promise<void> {
  if (event.accountId === undefined) return;
  for (const { userId } of await listConnectionsOfAccount(ctx.db.query, event.accountId)) {
    await askAsPerson(ctx, userId, deps, ({ host, token }) => host.whoAmI(token)).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
    });
  }
}
