import type { Context } from '#server/context.ts';
import { hashToken } from '#server/features/accounts/index.ts';
import { endConnection } from './end-connection.ts';
import { OauthFault } from './oauth-fault.ts';
import { findConnection, findToken } from './store.ts';

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
