import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import { countAttemptsIn, hashToken } from '#server/features/accounts/index.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Row } from '#server/platform/db/schema.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';
import { endConnection } from './connections.ts';
import { OauthFault } from './oauth-fault.ts';
import type { OwnAddresses } from './own-addresses.ts';
import { claimRefreshToken, findConnection, findToken, isDisabled } from './store.ts';
import { issueTokens, successorsOf, type TokenGrant } from './tokens.ts';

export interface RefreshParts {
  addresses: OwnAddresses;
  sealingKeys: SealingKeys;
}

interface Refresh {
  clientId: string;
  refreshToken: string;
  resource: string | undefined;
}

/**
 * Exchanges a refresh token for new tokens. Each is valid for one exchange, which can be repeated for a short while:
 * several sessions of an application may refresh at once, and get the same pair. A token used later, or by another
 * application, was stolen, and ends the connection with all its tokens. Throws OauthFault.
 */
export async function refreshTokens(ctx: Context, input: Refresh, parts: RefreshParts): Promise<TokenGrant> {
  const now = ctx.clock.now();
  const tokenHash = hashToken(input.refreshToken);
  // Changes by a refused attempt must be committed, so the error is thrown after the transaction.
  const outcome = await ctx.db.transaction(async (tx): Promise<TokenGrant | OauthFault> => {
    const claimedId = await claimRefreshToken(tx, tokenHash, now);
    const used = claimedId === undefined ? await findToken(tx, tokenHash) : undefined;
    if (claimedId === undefined && (used?.kind !== 'refresh' || used.usedAt === null)) return refused();
    const connection = await findConnection(tx, claimedId ?? used?.connectionId ?? '');
    if (connection === undefined) return refused();
    // Thrown inside, so that the token is valid again once the account is enabled.
    if (await isDisabled(tx, connection.userId)) throw refused();
    if (connection.clientId !== input.clientId) {
      await endConnection(tx, now, connection.id, 'refresh token of another application');
      return refused();
    }
    if (input.resource !== undefined && parts.addresses.ofResource(input.resource)?.resource !== connection.resource) {
      // Thrown inside, so that a wrong parameter does not consume the token.
      throw new OauthFault('invalid_target', 'The refresh token is for another resource.');
    }
    const pairs = successorsOf(parts.sealingKeys, input.refreshToken);
    if (used !== undefined) return repeatExchange(tx, { used, connection, pairs, now });
    await requireWithinRate(tx, connection.id, now);
    return (await issueTokens(tx, connection, now, pairs[0])) ?? refused();
  });
  if (outcome instanceof OauthFault) throw outcome;
  return outcome;
}

/** Throws, so that the token stays valid, if the connection had too many exchanges today. */
async function requireWithinRate(tx: Transaction, connectionId: string, now: number): Promise<void> {
  const retryAfterSeconds = await countAttemptsIn(tx, now, [['connection-refresh', connectionId]]);
  if (retryAfterSeconds === undefined) return;
  throw new OauthFault('temporarily_unavailable', 'Too many refreshes today. Try again later.', { retryAfterSeconds });
}

/** Returns the pair of the first exchange while it can be repeated; otherwise ends the connection. */
async function repeatExchange(
  tx: Transaction,
  input: {
    used: Row<'connectionTokens'>;
    connection: Row<'connections'>;
    pairs: ReturnType<typeof successorsOf>;
    now: number;
  },
): Promise<TokenGrant | OauthFault> {
  const { used, connection, pairs, now } = input;
  const isInTime = now - (used.usedAt ?? 0) <= limits.connectionRefreshRepeatSeconds * 1000;
  for (const { access, refresh } of isInTime && connection.revokedAt === null ? pairs : []) {
    const issued = await findToken(tx, hashToken(access));
    if (issued === undefined || issued.expiresAt <= now) continue;
    const expiresInSeconds = Math.floor((issued.expiresAt - now) / 1000);
    return { accessToken: access, refreshToken: refresh, expiresInSeconds };
  }
  if (isInTime && connection.revokedAt === null) {
    // Exchanged by a process with another secret, for example during a key rotation; not a sign of theft.
    return new OauthFault('temporarily_unavailable', 'Try again in a moment.', { retryAfterSeconds: 5 });
  }
  await endConnection(tx, now, connection.id, 'refresh token used twice');
  return refused();
}

function refused(): OauthFault {
  return new OauthFault('invalid_grant', 'The refresh token is unknown, expired, used or revoked.');
}
