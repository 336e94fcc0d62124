import { createHmac } from 'node:crypto';
import * as limits from '#contract/limits.ts';
import { hashToken, newToken } from '#server/features/accounts/index.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { NewRow } from '#server/platform/db/schema.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';
import { deleteExpiredTokens, extendConnection, insertTokens } from './store.ts';

/** What an application gets for a code or a refresh token. */
export interface TokenGrant {
  accessToken: string;
  refreshToken: string | undefined;
  expiresInSeconds: number;
}

export interface TokenPair {
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
