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

/** The tokens an application gets for a code or a refresh token. */
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

/** Returns true if the text is an access token, by its prefix. */
export function isAccessToken(secret: string): boolean {
  return secret.startsWith(accessPrefix);
}

export function newTokenPair(): TokenPair {
  return { access: accessPrefix + newToken(), refresh: refreshPrefix + newToken() };
}

/**
 * Returns the successor tokens of a refresh token under each of the installation's keys, the current one first. They
 * are derived from the token, so that repeating an exchange yields the same pair without storing it, and from a key, so
 * that no one else can compute them.
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

/**
 * Issues the next tokens of a connection, storing their hashes, and deletes expired ones; undefined if the connection
 * was revoked meanwhile.
 */
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
 * Returns the connection of an access token that is valid for our MCP endpoint, with the membership it acts under in a
 * team. Throws the same error for unknown, expired and revoked tokens, those of another resource, of deleted accounts
 * and of former team members. Read again for each call, so that revocation takes effect at once. The time of use is
 * updated at most every five minutes.
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
      ctx.log.warn({ err: error }, 'the last use of a connection could not be written');
    });
  }
  return { ...row, membership };
}

/**
 * Ends the connection of a token at its application's request (RFC 7009), whichever of its tokens is presented. An
 * unknown token counts as revoked. Throws OauthFault for another application's token.
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
  if (isOthers) throw new OauthFault('invalid_grant', 'The token belongs to another client.');
}
