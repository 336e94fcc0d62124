import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import { type SealedValue, type SealingKeys, unseal } from '#server/platform/sealing.ts';
import { isActive, isRevealable, requireKeyInCharge } from './policy.ts';
import { listRevealTimes } from './store.ts';

const hourMs = 3_600_000;
const action = 'key.reveal';

/**
 * Returns a key in full to its owner, and records that. Throws for revoked keys, keys of a team that shows them once,
 * keys sealed under a lost secret, and above `keyRevealsPerHourMax` reveals per user and hour. Another user's key is
 * reported as not found, or to admins of its team as not permitted.
 */
export async function revealApiKey(
  ctx: Context,
  input: { keyId: string },
  sealingKeys: SealingKeys,
): Promise<{ secret: string }> {
  const userId = requirePerson(ctx);
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const row = await requireKeyInCharge(ctx, tx, input.keyId);
    // Admins can revoke others' keys, but not use them.
    if (row.userId !== userId)
      throw new AppError('permission-denied', {
        values: { need: ' Only the person who created a key can reveal it.' },
      });
    if (!isActive(row)) throw new AppError('key-revoked');
    if (!isRevealable(row, userId)) throw new AppError('key-shown-once');
    const secret = unseal(sealingKeys, row.id, row.keySealed);
    if (secret === undefined) throw new AppError('key-unreadable');
    await requireWithinRate(tx, userId, now);
    await recordAudit(tx, now, {
      actorUserId: userId,
      action,
      entityId: row.id,
      ...(row.teamId === null ? {} : { teamId: row.teamId, detail: { name: row.name } }),
    });
    return { secret };
  });
}

async function requireWithinRate(tx: Transaction, userId: string, now: number): Promise<void> {
  const times = await listRevealTimes(tx, { userId, action, since: now - hourMs, count: limits.keyRevealsPerHourMax });
  const oldest = times[limits.keyRevealsPerHourMax - 1];
  if (oldest === undefined) return;
  throw new AppError('rate-limited', { values: { seconds: Math.ceil((oldest + hourMs - now) / 1000) } });
}

/** Returns the revealable API keys of all users. */
export async function listSealedKeys(db: Queries): Promise<SealedValue[]> {
  const rows = await db.selectFrom('apiKeys').select(['id', 'keySealed']).where('keySealed', '<>', '').execute();
  return rows.map(({ id, keySealed }) => ({
    ...{ what: 'API keys', label: id, sealed: keySealed },
    async replace(sealed) {
      const row = db.updateTable('apiKeys').set({ keySealed: sealed });
      await row.where('id', '=', id).where('keySealed', '=', keySealed).execute();
    },
  }));
}
