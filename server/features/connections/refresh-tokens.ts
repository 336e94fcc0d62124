import type { Context } from '#server/context.ts';
import { hashToken } from '#server/features/accounts/index.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { endConnection } from './end-connection.ts';
import { OauthFault } from './oauth-fault.ts';
import type { OwnAddresses } from './own-addresses.ts';
import { claimRefreshToken, findConnection, findToken } from './store.ts';
import { issueTokens, type TokenGrant } from './tokens.ts';

/**
 * Exchanges a refresh token for new tokens. Each is good for one exchange; one that comes again, or from another
 * application, has been stolen from somebody, and ends the connection with every token of it. Throws OauthFault.
 */
export async function refreshTokens(
  ctx: Context,
  input: { clientId: string; refreshToken: string; resource: string | undefined },
  addresses: OwnAddresses,
): Promise<TokenGrant> {
  const now = ctx.clock.now();
  const tokenHash = hashToken(input.refreshToken);
  // What a refused try changes must last, so the refusal is thrown after the transaction.
  const outcome = await ctx.db.transaction(async (tx): Promise<TokenGrant | OauthFault> => {
    const connectionId = await claimRefreshToken(tx, tokenHash, now);
    if (connectionId === undefined) return refuseUsed(tx, tokenHash, now);
    const connection = await findConnection(tx, connectionId);
    if (connection === undefined) return refused();
    if (connection.clientId !== input.clientId) {
      await endConnection(tx, now, connectionId, 'refresh token of another application');
      return refused();
    }
    if (input.resource !== undefined && addresses.ofResource(input.resource)?.resource !== connection.resource) {
      // Thrown inside: a slip in a parameter must not cost the token.
      throw new OauthFault('invalid_target', 'The refresh token is for another resource.');
    }
    return (await issueTokens(tx, connection, now)) ?? refused();
  });
  if (outcome instanceof OauthFault) throw outcome;
  return outcome;
}

async function refuseUsed(tx: Transaction, tokenHash: string, now: number): Promise<OauthFault> {
  const token = await findToken(tx, tokenHash);
  if (token?.kind === 'refresh' && token.usedAt !== null) {
    await endConnection(tx, now, token.connectionId, 'refresh token used twice');
  }
  return refused();
}

function refused(): OauthFault {
  return new OauthFault('invalid_grant', 'The refresh token is unknown, expired, used or revoked.');
}
