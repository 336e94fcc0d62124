import type { Context } from '#server/context.ts';
import { requireOperator } from '#server/features/accounts/index.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import { deleteKnownKeys } from './store.ts';

/**
 * Forgets the key that a host of SSH was first known by: its owner has changed it. The operator's, as the key holds for
 * everyone. Answers whether there was one.
 */
export async function forgetHostKey(ctx: Context, input: { host: string }): Promise<{ wasKnown: boolean }> {
  const actorUserId = requireOperator(ctx);
  const host = nameOf(input.host);
  const wasKnown = await ctx.db.transaction(async (tx) => {
    if (!(await deleteKnownKeys(tx, host))) return false;
    await recordAudit(tx, ctx.clock.now(), { actorUserId, action: 'git-host.forget', entityId: host });
    return true;
  });
  return { wasKnown };
}

/** As known_hosts files have it: the port is named only when it is not the usual one. */
function nameOf(host: string): string {
  const [, name = host, port] = /^(.*?)(?::(\d+))?$/.exec(host.toLowerCase()) ?? [];
  const bare = name.replace(/^\[|\]$/g, '');
  return port === undefined || Number(port) === 22 ? bare : `[${bare}]:${port}`;
}
