import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context, TeamMembership } from '#server/context.ts';
import { hashToken } from '#server/features/accounts/index.ts';
import { membershipSince } from '#server/features/teams/index.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Row } from '#server/platform/db/schema.ts';
import { isWellFormedApiKey } from './key-format.ts';
import { findApiKeyByHash, touchApiKey } from './store.ts';

/**
 * Returns the row of a valid key, with the membership it acts under if it is a team's. Throws the same error for
 * unknown, revoked and mistyped keys and those of former members; mistyped ones need no lookup. The time of use is
 * updated at most every five minutes; a failure to write it does not prevent reading.
 */
export async function verifyApiKey(
  ctx: Pick<Context, 'db' | 'clock' | 'log'>,
  secret: string,
  publicUrl: string,
): Promise<Row<'apiKeys'> & { membership: TeamMembership | undefined }> {
  const refusal = () => new AppError('key-refused', { values: { address: publicUrl } });
  const row = isWellFormedApiKey(secret) ? await findApiKeyByHash(ctx.db.query, hashToken(secret)) : undefined;
  if (row === undefined || row.revokedAt !== null) throw refusal();
  const { teamId } = row;
  const membership = teamId === null ? undefined : await membershipSince(ctx.db.query, { ...row, teamId });
  if (teamId !== null && membership === undefined) throw refusal();
  const now = ctx.clock.now();
  const notAfter = now - limits.keyLastUsedEveryMinutes * 60_000;
  if (row.lastUsedAt === null || row.lastUsedAt < notAfter) {
    const touch = (tx: Transaction) => touchApiKey(tx, row.id, now, notAfter);
    await ctx.db.transaction(touch, { durability: 'process' }).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'the last use of a key could not be written');
    });
  }
  return { ...row, membership };
}
