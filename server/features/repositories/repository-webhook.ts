import { createHmac } from 'node:crypto';
import type { RepositoryTelling, RepositoryWebhook } from '#contract/repositories.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { recordChange, requirePerson } from '#server/features/accounts/index.ts';
import { findReadableModule, requireMayChange } from '#server/features/catalog/index.ts';
import { confirmRight } from '#server/features/teams/index.ts';
import { auditTeamOf, recordAudit } from '#server/platform/db/audit.ts';
import { requireLastingKey } from '#server/platform/lasting-key.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';
import { forgetDeliveries, listDeliveries } from './delivery-log.ts';
import { findWebhook, markWebhookRemoved, renewWebhook } from './webhook-store.ts';

export interface WebhookDependencies {
  sealingKeys: SealingKeys;
  /** Without trailing slash. */
  publicUrl: string;
  /**
   * Returns whether the host reports pushes of a module's repository by itself, if it was chosen from a connected
   * account.
   */
  toldByHost(ctx: Context, moduleId: string): Promise<{ isTold: boolean } | undefined>;
}

interface NamedModule {
  moduleId: string;
  visibility?: 'public' | 'private' | undefined;
}

/** Returns the webhook of a module's repository and its deliveries. Requires the right to change the module. */
export async function getRepositoryWebhook(
  ctx: Context,
  input: NamedModule,
  { publicUrl, toldByHost }: Pick<WebhookDependencies, 'publicUrl' | 'toldByHost'>,
): Promise<RepositoryTelling> {
  requirePerson(ctx);
  const { id } = await changeableRepository(ctx, input);
  const [row, host, deliveries] = [
    await findWebhook(ctx.db.query, id),
    await toldByHost(ctx, id),
    await listDeliveries(ctx.db.query, id),
  ];
  const telling = { host: host ?? null, deliveries };
  if (row === undefined) return { webhook: null, ...telling };
  const { createdAt, receivedAt, receivedEvent } = row;
  return { webhook: { url: addressOf(publicUrl, id), createdAt, receivedAt, receivedEvent }, ...telling };
}

/**
 * Creates a webhook for a module's repository, or replaces its secret, which invalidates the former. The secret is
 * returned only once.
 */
export async function renewRepositoryWebhook(
  ctx: Context,
  input: NamedModule,
  { publicUrl, sealingKeys }: Pick<WebhookDependencies, 'publicUrl' | 'sealingKeys'>,
): Promise<{ webhook: RepositoryWebhook; secret: string }> {
  const actorUserId = requirePerson(ctx);
  const { id, slug, workspace } = await changeableRepository(ctx, input);
  const now = ctx.clock.now();
  const key = await requireLastingKey(ctx.db.query, sealingKeys);
  const generation = await ctx.db.transaction(async (tx) => {
    if (workspace !== 'public') await confirmRight(tx, ctx, 'sources.write');
    await recordChange(tx, now, {
      ...{ actorUserId, action: 'repository.webhook', entityId: id, detail: { moduleId: slug } },
      ...auditTeamOf(workspace),
    });
    return renewWebhook(tx, { moduleId: id, now });
  });
  const webhook = { url: addressOf(publicUrl, id), createdAt: now, receivedAt: null, receivedEvent: null };
  return { webhook, secret: webhookSecretOf(key, id, generation) };
}

/** Removes the webhook of a module's repository with its deliveries; its secret is never accepted again. */
export async function removeRepositoryWebhook(ctx: Context, input: NamedModule): Promise<{ wasThere: boolean }> {
  const actorUserId = requirePerson(ctx);
  const { id, slug, workspace } = await changeableRepository(ctx, input);
  const now = ctx.clock.now();
  const wasThere = await ctx.db.transaction(async (tx) => {
    if (workspace !== 'public') await confirmRight(tx, ctx, 'sources.write');
    if (!(await markWebhookRemoved(tx, id, now))) return false;
    await forgetDeliveries(tx, id);
    await recordAudit(tx, now, {
      ...{ actorUserId, action: 'repository.webhook-removed', entityId: id, detail: { moduleId: slug } },
      ...auditTeamOf(workspace),
    });
    return true;
  });
  return { wasThere };
}

async function changeableRepository(ctx: Context, { moduleId, visibility }: NamedModule) {
  const module = await findReadableModule(ctx, { moduleId, ...(visibility === undefined ? {} : { visibility }) });
  await requireMayChange(ctx, module.workspace);
  if (module.kind !== 'git')
    throw new AppError('invalid-input', { values: { reason: 'the source is not a repository' } });
  return module;
}

function addressOf(publicUrl: string, moduleId: string): string {
  return `${publicUrl.replace(/\/+$/, '')}${repositoryWebhookPath}${moduleId}`;
}

/** Path to which hosts deliver pushes. */
export const repositoryWebhookPath = '/webhooks/git/';

/**
 * Returns the secret that signs a module's repository events, derived from the installation's lasting key. Formatted
 * like GitLab's signing tokens (`whsec_` and 32 bytes); other hosts accept it as any text.
 */
export function webhookSecretOf(key: Uint8Array, moduleId: string, generation: number): string {
  const bytes = createHmac('sha256', key).update(`repository-webhook:${moduleId}:${generation}`).digest();
  return `whsec_${bytes.toString('base64')}`;
}
