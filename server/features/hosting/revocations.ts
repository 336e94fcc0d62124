import { randomUUID } from 'node:crypto';
import type { Context } from '#server/context.ts';
import { CodeHostError } from '#server/platform/code-host/code-host.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { seal, unseal } from '#server/platform/sealing.ts';
import { type ConnectionRow, deleteRevocation, insertRevocation, listRevocations } from './connection-store.ts';
import type { HostingDependencies } from './dependencies.ts';

/** The purpose under which a token to revoke is sealed. */
export const revocationLabel = (id: string) => `code-host-revocation:${id}`;
const keptForMs = 30 * 24 * 60 * 60_000;

/** Records that a token must be revoked at the host, so that it happens even when the host is away. */
export async function queueToken(
  tx: Transaction,
  { method, token }: { method: ConnectionRow['method']; token: string },
  createdAt: number,
  { sealingKeys }: Pick<HostingDependencies, 'sealingKeys'>,
): Promise<void> {
  const id = randomUUID();
  await insertRevocation(tx, { id, method, tokenSealed: seal(sealingKeys, revocationLabel(id), token), createdAt });
}

/** Ends what waits to be ended; what fails is tried again for 30 days. Answers whether nothing is left. */
export async function endRevocations(
  ctx: Pick<Context, 'db' | 'clock' | 'log'>,
  deps: Pick<HostingDependencies, 'codeHost' | 'sealingKeys'>,
): Promise<boolean> {
  let isAllDone = true;
  for (const row of await listRevocations(ctx.db.query)) {
    const token = unseal(deps.sealingKeys, revocationLabel(row.id), row.tokenSealed);
    const isHopeless = ctx.clock.now() - row.createdAt > keptForMs;
    // Sealed with a key that is not known here: with the right one it can still be ended.
    const isDone = (token !== undefined && (await end(ctx, { method: row.method, token }, deps))) || isHopeless;
    if (isDone) await deleteRevocation(ctx.db.query, row.id);
    isAllDone &&= isDone;
  }
  return isAllDone;
}

async function end(
  ctx: Pick<Context, 'log'>,
  { method, token }: { method: ConnectionRow['method']; token: string },
  { codeHost }: Pick<HostingDependencies, 'codeHost'>,
): Promise<boolean> {
  if (codeHost === undefined || !codeHost.methods.includes(method)) return false;
  try {
    await codeHost.revoke(method, token);
    return true;
  } catch (error) {
    if (!(error instanceof CodeHostError)) throw error;
    ctx.log.warn({ err: error }, 'a token could not be ended at the code host; it is tried again');
    return false;
  }
}
