import { createHmac } from 'node:crypto';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import { type Context, type TeamMembership, teamOf } from '#server/context.ts';
import { hashToken, newToken } from '#server/features/accounts/index.ts';
import { membershipSince } from '#server/features/teams/index.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { NewRow, Row } from '#server/platform/db/schema.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';
import { endConnection } from './connections.ts';
import { OauthFault } from './oauth-fault.ts';
import type { OwnAddresses } from './own-addresses.ts';
import {
  connectionOfAccessToken,
  deleteExpiredTokens,
  extendConnection,
  findConnection,
  findToken,
  insertTokens,
  touchConnection,
} from './store.ts';

/** What an application gets for a code or a refresh token. */
export interface TokenGrant {
  accessToken: string;
  refreshToken: string | undefined;
  expiresInSeconds: number;
}

interface TokenPair {
  access: string;
  refresh: string;
}

const accessPrefix = 'lca_';
const refreshPrefix = 'lcr_';
const dayMs = 86_400_000;

/** Returns true if a text must be taken for an access token: told from an API key by its beginning. */
export function isAccessToken(secret: string): boolean {
  return secret.startsWith(accessPrefix);
}

export function newTokenPair(): TokenPair {
  return { access: accessPrefix + newToken(), refresh: refreshPrefix + newToken() };
}

/**
 * The tokens that a refresh token is exchanged for under each key of the installation, the current one first. They
 * follow from it, so that the same token brings the same pair without either being kept, and from a key, so that no one
 * else can work them out.
 */
export function successorsOf(keys: SealingKeys, refreshToken: string): [TokenPair, ...TokenPair[]] {
  const [current, ...former] = keys.map((key) => {
    const derive = (kind: string) =>
      createHmac('sha256', key).update(`connection ${kind} token after ${refreshToken}`).digest('base64url');
    return { access: accessPrefix + derive('access'), refresh: refreshPrefix + derive('refresh') };
  });
  if (current === undefined) throw new Error('an installation without a secret');
  return [current, ...former];
}

/** Issues the next tokens of a connection, which are kept hashed, and drops those whose time is up; undefined when it has been revoked meanwhile. */
export async function issueTokens(
  tx: Transaction,
  connection: { id: string; usesRefresh: number },
  now: number,
  pair: TokenPair,
): Promise<TokenGrant | undefined> {
  const accessEnd = now + limits.connectionAccessLifetimeSeconds * 1000;
  const refreshEnd = now + limits.connectionRefreshLifetimeDays * dayMs;
  const hasRefresh = connection.usesRefresh === 1;
  const expiresAt = hasRefresh ? refreshEnd : accessEnd;
  if ((await extendConnection(tx, connection.id, { now, expiresAt })) === undefined) return undefined;
  const accessToken = pair.access;
  const refreshToken = hasRefresh ? pair.refresh : undefined;
  const common = { connectionId: connection.id, createdAt: now };
  const rows: NewRow<'connectionTokens'>[] = [
    { ...common, tokenHash: hashToken(accessToken), kind: 'access', expiresAt: accessEnd },
  ];
  if (refreshToken !== undefined) {
    rows.push({ ...common, tokenHash: hashToken(refreshToken), kind: 'refresh', expiresAt: refreshEnd });
  }
  await deleteExpiredTokens(tx, connection.id, now);
  await insertTokens(tx, rows);
  return { accessToken, refreshToken, expiresInSeconds: limits.connectionAccessLifetimeSeconds };
}

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

/**
 * Ends the connection of a token for the application that holds it (RFC 7009), whichever of its tokens is shown. An
 * unknown token is no fault: it is as good as revoked. Throws OauthFault for a token of another application.
 */
export async function revokeToken(ctx: Context, input: { clientId: string; token: string }): Promise<void> {
  const now = ctx.clock.now();
  const isOthers = await ctx.db.transaction(async (tx) => {
    const token = await findToken(tx, hashToken(input.token));
    const connection = token && (await findConnection(tx, token.connectionId));
    if (connection === undefined) return false;
    if (connection.clientId !== input.clientId) return true;
    await endConnection(tx, now, connection.id, 'revoked by the application');
    return false;
  });
  if (isOthers) throw new OauthFault('invalid_grant', 'The token is not of this client.');
}
