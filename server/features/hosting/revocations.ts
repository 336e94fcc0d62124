import { randomUUID } from 'node:crypto';
import type { Context } from '#server/context.ts';
import { CodeHostError } from '#server/platform/code-host/code-host.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { storedJson } from '#server/platform/db/stored-json.ts';
import { seal, unseal } from '#server/platform/sealing.ts';
import { type ConnectionRow, deleteRevocation, insertRevocation, listRevocations } from './connection-store.ts';
import type { HostingDependencies } from './dependencies.ts';
import { shareWebhook } from './repository-store.ts';

interface LeftWebhook {
  repositoryId: string;
  fullName: string;
  webhookId: string;
}

/** A token to revoke, or a webhook to delete with its token. */
interface Ending {
  method: ConnectionRow['method'];
  token: string;
  webhook?: LeftWebhook | undefined;
}

/** Label under which a token to revoke is sealed. */
export const revocationLabel = (id: string) => `code-host-revocation:${id}`;
const keptForMs = 30 * 24 * 60 * 60_000;

/**
 * Queues the revocation of a token at the host, or the deletion of a webhook with it, so that it happens even if the
 * host is unreachable now.
 */
export async function queueToken(
  tx: Transaction,
  { method, token, webhook }: Ending,
  createdAt: number,
  { sealingKeys }: Pick<HostingDependencies, 'sealingKeys'>,
): Promise<void> {
  const id = randomUUID();
  await insertRevocation(tx, {
    ...{ id, method, createdAt, tokenSealed: seal(sealingKeys, revocationLabel(id), token) },
    webhook: webhook === undefined ? null : JSON.stringify(webhook),
  });
}

/** Revokes tokens and deletes webhooks; failures are retried for 30 days. Returns true if no token is left. */
export async function endRevocations(
  ctx: Pick<Context, 'db' | 'clock' | 'log'>,
  deps: Pick<HostingDependencies, 'codeHost' | 'sealingKeys'>,
): Promise<boolean> {
  let isAllDone = true;
  /** Tokens still needed to delete a webhook. */
  const needed = new Set<string | undefined>();
  for (const row of await listRevocations(ctx.db.query)) {
    const token = unseal(deps.sealingKeys, revocationLabel(row.id), row.tokenSealed);
    const isHopeless = ctx.clock.now() - row.createdAt > keptForMs;
    const webhook = row.webhook === null ? undefined : storedJson<LeftWebhook | null>(row.webhook, null);
    if (webhook === null) {
      // The damaged row does not say what the token is for, and it may be in use.
      if (isHopeless) await deleteRevocation(ctx.db.query, row.id);
      continue;
    }
    // A token sealed with an unknown key stays queued: it can be revoked once the right key is back.
    const isNow = token !== undefined && (webhook !== undefined || !needed.has(token));
    const isDone = (isNow && (await end(ctx, { method: row.method, token, webhook }, deps))) || isHopeless;
    if (!isDone && webhook !== undefined) needed.add(token);
    if (isDone) await deleteRevocation(ctx.db.query, row.id);
    isAllDone &&= isDone || webhook !== undefined;
  }
  return isAllDone;
}

async function end(
  ctx: Pick<Context, 'db' | 'log'>,
  { method, token, webhook }: Ending,
  { codeHost }: Pick<HostingDependencies, 'codeHost'>,
): Promise<boolean> {
  if (codeHost === undefined || !codeHost.methods.includes(method)) return false;
  try {
    if (webhook === undefined) await codeHost.revoke(method, token);
    else if (!(await shareWebhook(ctx.db.query, webhook)))
      await codeHost.deleteWebhook(token, webhook.fullName, webhook.webhookId);
    return true;
  } catch (error) {
    if (!(error instanceof CodeHostError)) throw error;
    const isRefused = webhook !== undefined && !['rate-limited', 'unreachable'].includes(error.fault);
    ctx.log.warn({ err: error }, `a ${webhook === undefined ? 'token' : 'webhook'} was left at the code host`);
    return isRefused;
  }
}
