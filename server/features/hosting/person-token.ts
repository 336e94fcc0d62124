import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { type CodeHost, CodeHostError, type HostToken } from '#server/platform/code-host/code-host.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { isAhead } from '#server/platform/db/has-come.ts';
import { seal, unseal } from '#server/platform/sealing.ts';
import { type ConnectionRow, claimRefresh, findConnection, letGoOfRefresh, replaceTokens } from './connection-store.ts';
import type { HostingDependencies } from './dependencies.ts';
import { needReconnect } from './pause-repositories.ts';
import { endRevocations, queueToken } from './revocations.ts';

/** Tokens are not used in their last minute, so that they are still valid when the request arrives. */
const spareMs = 60_000;
const refreshMs = 30_000;
const lookAgainMs = 100;

type Ctx = Pick<Context, 'db' | 'clock' | 'log'>;

/**
 * Label under which a user's token is sealed; it includes the account, so that the token cannot be moved to another
 * row.
 */
export const tokenLabel = (userId: string, accountId: string, what: 'access' | 'refresh') =>
  `code-host:${userId}:${accountId}:${what}`;

/** Returns the columns of a token to store. */
export function sealedToken(
  token: HostToken,
  of: { userId: string; accountId: string },
  { sealingKeys }: Pick<HostingDependencies, 'sealingKeys'>,
) {
  const { userId, accountId } = of;
  return {
    accessTokenSealed: seal(sealingKeys, tokenLabel(userId, accountId, 'access'), token.accessToken),
    accessExpiresAt: token.expiresAt,
    refreshTokenSealed:
      token.refreshToken === null
        ? null
        : seal(sealingKeys, tokenLabel(userId, accountId, 'refresh'), token.refreshToken),
    refreshExpiresAt: token.refreshExpiresAt,
  };
}

/** Returns the code host; throws the specified error if none is configured. */
export function requireCodeHost({ codeHost }: Pick<HostingDependencies, 'codeHost'>): CodeHost {
  if (codeHost === undefined) throw new AppError('github-not-configured');
  return codeHost;
}

/**
 * Returns a user's connection with a valid token; refreshes a token that is about to expire, in one process at a time.
 * Throws `hosting-not-connected` or `hosting-reconnect-needed`.
 */
export async function accessTokenOf(
  ctx: Ctx,
  userId: string,
  deps: HostingDependencies,
): Promise<{ token: string; connection: ConnectionRow }> {
  requireCodeHost(deps);
  const endsAt = ctx.clock.now() + refreshMs;
  for (;;) {
    const connection = await findConnection(ctx.db.query, userId);
    if (connection === undefined) throw new AppError('hosting-not-connected');
    if (connection.state === 'reconnect') throw new AppError('hosting-reconnect-needed');
    const now = ctx.clock.now();
    // The expiry of a token issued while the clock was ahead is too late.
    const isKnown = !isAhead(connection.updatedAt, now);
    if (connection.accessExpiresAt === null || (isKnown && connection.accessExpiresAt - spareMs > now)) {
      return { token: open(connection, 'access', deps), connection };
    }
    if (await claimRefresh(ctx.db.query, connection, { now, until: now + refreshMs })) {
      // A new token is used however short-lived it is.
      const fresh = await refresh(ctx, connection, deps);
      if (fresh !== undefined) return { token: open(fresh, 'access', deps), connection: fresh };
    } else if (now > endsAt) {
      throw new AppError('hosting-unreachable', { detail: 'another process is still asking for a new token' });
    } else {
      await ctx.clock.sleep(lookAgainMs);
    }
  }
}

/** Returns the connection with its new token; undefined if it was replaced or deleted meanwhile. */
async function refresh(
  ctx: Ctx,
  connection: ConnectionRow,
  deps: HostingDependencies,
): Promise<ConnectionRow | undefined> {
  const now = ctx.clock.now();
  const { refreshTokenSealed, refreshExpiresAt } = connection;
  if (refreshTokenSealed === null || (refreshExpiresAt !== null && refreshExpiresAt <= now))
    return giveUp(ctx, connection);
  try {
    const refreshToken = open(connection, 'refresh', deps);
    const token = await requireCodeHost(deps).refresh(connection.method, refreshToken);
    const change = { ...sealedToken(token, connection, deps), updatedAt: now };
    const fresh = await replaceTokens(ctx.db.query, connection, change);
    if (fresh === undefined) await revokeUnkept(ctx, { method: connection.method, token: token.accessToken }, deps);
    return fresh;
  } catch (error) {
    if (error instanceof CodeHostError && error.fault === 'unauthorized') return giveUp(ctx, connection);
    await letGoOfRefresh(ctx.db.query, connection);
    throw error;
  }
}

/** Revokes a new token whose connection was ended meanwhile. */
async function revokeUnkept(
  ctx: Ctx,
  unkept: { method: ConnectionRow['method']; token: string },
  deps: HostingDependencies,
): Promise<void> {
  await ctx.db.transaction((tx) => queueToken(tx, unkept, ctx.clock.now(), deps));
  deps.background.run('revoking a token that no connection keeps', async () => void (await endRevocations(ctx, deps)));
}

function open(
  connection: ConnectionRow,
  what: 'access' | 'refresh',
  deps: Pick<HostingDependencies, 'sealingKeys'>,
): string {
  const token = tryOpen(connection, what, deps);
  // This process may have the wrong secret: with the right one the connection works, so it is not marked.
  if (token === undefined) throw new AppError('hosting-reconnect-needed');
  return token;
}

/** Returns the decrypted token; undefined if it was stored under another secret. */
export function tryOpen(
  { userId, accountId, accessTokenSealed, refreshTokenSealed }: ConnectionRow,
  what: 'access' | 'refresh',
  { sealingKeys }: Pick<HostingDependencies, 'sealingKeys'>,
): string | undefined {
  const sealed = what === 'access' ? accessTokenSealed : (refreshTokenSealed ?? '');
  return unseal(sealingKeys, tokenLabel(userId, accountId, what), sealed);
}

/**
 * Queues the revocation of a connection's token. Returns false if it was stored under another secret, so that it can't
 * be revoked.
 */
export async function queueRevocation(
  tx: Transaction,
  connection: ConnectionRow,
  unless: string | undefined,
  now: number,
  deps: Pick<HostingDependencies, 'sealingKeys'>,
): Promise<boolean> {
  const token = tryOpen(connection, 'access', deps);
  if (token === undefined || token === unless) return token !== undefined;
  await queueToken(tx, { method: connection.method, token }, now, deps);
  return true;
}

async function giveUp(ctx: Ctx, connection: ConnectionRow): Promise<never> {
  await needReconnect(ctx, connection);
  throw new AppError('hosting-reconnect-needed');
}
