import { createHmac } from 'node:crypto';
import { hostingWebhookPath } from '#contract/hosting.ts';
import type { Context } from '#server/context.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { requireLastingKey } from '#server/platform/lasting-key.ts';
import { askAsPerson } from './ask-host.ts';
import { findConnection } from './connection-store.ts';
import type { HostingDependencies } from './dependencies.ts';
import { tryOpen } from './person-token.ts';
import { findHosted, findWebhook, type HostedRow, shareWebhook } from './repository-store.ts';
import { queueToken } from './revocations.ts';
import type { Acting } from './workspace.ts';

/** Returns the secret that signs a repository's events, derived from the installation's lasting key. */
export function webhookSecretOf(key: Uint8Array, repositoryId: string): string {
  return createHmac('sha256', key).update(`code-host-webhook:${repositoryId}`).digest('hex');
}

/**
 * Creates a webhook for pushes at the host, unless the App already reports them, over the caller's connection. One
 * webhook serves all workspaces. If the caller lacks the permission, the repository is only polled.
 */
export async function askForEvents(
  ctx: Context,
  { userId, workspace }: Acting,
  id: string,
  deps: HostingDependencies,
): Promise<void> {
  const row = await findHosted(ctx.db.query, workspace, id);
  if (row === undefined || row.installationId !== null || row.webhookId !== null) return;
  const webhookId = (await findWebhook(ctx.db.query, row.repositoryId, id)) ?? (await make(ctx, userId, row, deps));
  if (webhookId === undefined || (await shareWebhook(ctx.db.query, { ...row, webhookId }))) return;
  // The repository was removed while waiting for the host.
  const left = { ...row, addedByUserId: userId, webhookId };
  await ctx.db.transaction((tx) => leaveWebhooks(tx, [left], ctx.clock.now(), deps));
}

async function make(
  ctx: Context,
  userId: string,
  { repositoryId, fullName }: HostedRow,
  deps: HostingDependencies,
): Promise<string | undefined> {
  try {
    const key = await requireLastingKey(ctx.db.query, deps.sealingKeys);
    const hook = { url: `${deps.publicUrl}${hostingWebhookPath}`, secret: webhookSecretOf(key, repositoryId) };
    return await askAsPerson(ctx, userId, deps, ({ host, token }) => host.createWebhook(token, fullName, hook));
  } catch (error) {
    ctx.log.warn({ err: error }, 'the code host was not asked for events');
    return undefined;
  }
}

/** Queues the deletion of removed modules' webhooks at the host, over the connections of the users who added them. */
export async function leaveWebhooks(
  tx: Transaction,
  rows: Pick<HostedRow, 'addedByUserId' | 'repositoryId' | 'fullName' | 'webhookId'>[],
  now: number,
  deps: Pick<HostingDependencies, 'sealingKeys'>,
): Promise<void> {
  for (const { addedByUserId, repositoryId, fullName, webhookId } of rows) {
    const connection = webhookId === null ? undefined : await findConnection(tx, addedByUserId);
    const token = connection && tryOpen(connection, 'access', deps);
    if (webhookId === null || connection === undefined || token === undefined) continue;
    const { method } = connection;
    await queueToken(tx, { method, token, webhook: { repositoryId, fullName, webhookId } }, now, deps);
  }
}
