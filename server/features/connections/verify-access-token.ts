import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import { type Context, type TeamMembership, teamOf } from '#server/context.ts';
import { hashToken } from '#server/features/accounts/index.ts';
import { membershipSince } from '#server/features/teams/index.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Row } from '#server/platform/db/schema.ts';
import type { OwnAddresses } from './own-addresses.ts';
import { connectionOfAccessToken, touchConnection } from './store.ts';

/**
 * The connection of an access token that may be used now at our MCP end point, with the membership it acts by when it is
 * into a team. Unknown, expired and revoked ones, those for another resource, of deleted accounts and of people who are
 * not in the team any more get the same refusal. Read again with each call, so that a
 * revocation counts from the next one on. The time of use is written at most every five minutes.
 */
export async function verifyAccessToken(
  ctx: Pick<Context, 'db' | 'clock' | 'log'>,
  token: string,
  addresses: OwnAddresses,
): Promise<Row<'connections'> & { membership: TeamMembership | undefined }> {
  const now = ctx.clock.now();
  const row = await connectionOfAccessToken(ctx.db.query, hashToken(token), now);
  if (row === undefined || addresses.ofResource(row.resource) === undefined) throw new AppError('connection-refused');
  const teamId = teamOf(row.workspace);
  const membership = teamId === undefined ? undefined : await membershipSince(ctx.db.query, { ...row, teamId });
  if (teamId !== undefined && membership === undefined) throw new AppError('connection-refused');
  const notAfter = now - limits.keyLastUsedEveryMinutes * 60_000;
  if (row.lastUsedAt === null || row.lastUsedAt < notAfter) {
    const touch = (tx: Transaction) => touchConnection(tx, row.id, now, notAfter);
    await ctx.db.transaction(touch, { durability: 'process' }).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'the time of use of a connection could not be written');
    });
  }
  return { ...row, membership };
}
