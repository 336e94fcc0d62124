import { limits } from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { hashToken } from '#server/features/accounts/index.ts';
import type { Row } from '#server/platform/db/schema.ts';
import { isWellFormedApiKey } from './key-format.ts';
import { findApiKeyByHash, touchApiKey } from './store.ts';

/**
 * The row of a key that may be used now. Unknown, revoked and mistyped keys get the same refusal, the last of them
 * without a look-up. The time of use is written at most every five minutes; a database that takes no writes does not keep
 * anybody from reading.
 */
export async function verifyApiKey(
  ctx: Pick<Context, 'db' | 'clock' | 'log'>,
  secret: string,
  publicUrl: string,
): Promise<Row<'apiKeys'>> {
  const row = isWellFormedApiKey(secret) ? await findApiKeyByHash(ctx.db.query, hashToken(secret)) : undefined;
  if (row === undefined || row.revokedAt !== null) {
    throw new AppError('key-refused', { values: { address: publicUrl } });
  }
  const now = ctx.clock.now();
  const notAfter = now - limits.keyLastUsedEveryMinutes * 60_000;
  if (row.lastUsedAt === null || row.lastUsedAt < notAfter) {
    await touchApiKey(ctx.db.query, row.id, now, notAfter).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'the time of use of a key could not be written');
    });
  }
  return row;
}
