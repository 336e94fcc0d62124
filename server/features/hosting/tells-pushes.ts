import type { Context } from '#server/context.ts';
import { findHostedOfModule } from './repository-store.ts';

/**
 * Returns true if the host tells pushes of a module's repository by itself; undefined for a module that was not made from a
 * repository of a connected account. For callers that have found out that the module may be read.
 */
export async function tellsPushes(
  ctx: Pick<Context, 'db'>,
  moduleId: string,
): Promise<{ isTold: boolean } | undefined> {
  const row = await findHostedOfModule(ctx.db.query, moduleId);
  return row && { isTold: row.installationId !== null || row.webhookId !== null };
}
