import { createHmac } from 'node:crypto';
import { hostingWebhookPath } from '#contract/hosting.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requireLastingKey } from '#server/platform/lasting-key.ts';
import { askAsPerson } from './ask-host.ts';
import type { HostingDependencies } from './dependencies.ts';
import { requireCodeHost } from './person-token.ts';
import { changeHosted, findHosted, findWebhook, type HostedRow } from './repository-store.ts';
import type { Acting } from './workspace.ts';

/** Returns the secret that events of a repository are signed with, from the installation's lasting key. */
export function webhookSecretOf(key: Uint8Array, repositoryId: string): string {
  return createHmac('sha256', key).update(`code-host-webhook:${repositoryId}`).digest('hex');
}

/**
 * Asks the host to tell pushes of a repository, where the App does not already, over the acting person's connection. One
 * webhook serves all workspaces. Where the person may not ask for it, the repository is looked at by the clock alone.
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
  if (webhookId !== undefined) await changeHosted(ctx.db.query, id, { webhookId });
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

/** Ends the events of a repository that nothing is indexed from any more; a fault leaves events that find nothing. */
export async function endEvents(
  ctx: Context,
  userId: string,
  row: Pick<HostedRow, 'id' | 'repositoryId' | 'fullName' | 'webhookId'>,
  deps: HostingDependencies,
): Promise<void> {
  const { webhookId } = row;
  if (webhookId === null || (await findWebhook(ctx.db.query, row.repositoryId, row.id)) !== undefined) return;
  requireCodeHost(deps);
  await askAsPerson(ctx, userId, deps, ({ host, token }) => host.deleteWebhook(token, row.fullName, webhookId)).catch(
    (error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      ctx.log.warn({ err: error }, 'a webhook was left at the code host');
    },
  );
}
