import type { Context } from '#server/context.ts';
import { requireOperatorAccount } from '#server/features/accounts/index.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import { deleteKnownKeys } from './store.ts';

/**
 * Deletes the stored key of an SSH host after its owner has changed it. Operators only, since the key is shared by all
 * users. Returns whether there was one.
 */
export async function forgetHostKey(ctx: Context, input: { host: string }): Promise<{ wasKnown: boolean }> {
  const actorUserId = await requireOperatorAccount(ctx);
  const host = nameOf(input.host);
  const wasKnown = await ctx.db.transaction(async (tx) => {
    if (!(await deleteKnownKeys(tx, host))) return false;
    await recordAudit(tx, ctx.clock.now(), { actorUserId, action: 'git-host.forget', entityId: host });
    return true;
  });
  return { wasKnown };
}

/** Returns the name as in known_hosts files: with the port only if it is not the default. */
function nameOf(host: string): string {
  const [, name = host, port] = /^(.*?)(?::(\d+))?$/.exec(host.toLowerCase()) ?? [];
  const bare = name.replace(/^\[|\]$/g, '');
  return port === undefined || Number(port) === 22 ? bare : `[${bare}]:${port}`;
}
