import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from '#server/context.ts';
import { hashToken } from '#server/features/accounts/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import { auditTeamOf, recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Row } from '#server/platform/db/schema.ts';
import { endConnection } from './connections.ts';
import { OauthFault } from './oauth-fault.ts';
import type { OwnAddresses } from './own-addresses.ts';
import { claimCode, connectionOfCode, findConnection, isDisabled } from './store.ts';
import { issueTokens, newTokenPair, type TokenGrant } from './tokens.ts';

export interface CodeExchange {
  clientId: string;
  code: string;
  codeVerifier: string;
  /** Optional in OAuth 2.1; if present, it must equal that of the authorization request. */
  redirectUri: string | undefined;
  resource: string | undefined;
}

/**
 * Exchanges a consent's code for tokens; the caller must present the verifier of the challenge. A code is valid for one
 * attempt. A second one means that the code was stolen, and ends the connection with all its tokens. Throws OauthFault.
 */
export async function exchangeCode(ctx: Context, input: CodeExchange, addresses: OwnAddresses): Promise<TokenGrant> {
  const now = ctx.clock.now();
  const codeHash = hashToken(input.code);
  // Changes by a refused attempt must be committed, so the error is thrown after the transaction.
  const outcome = await ctx.db.transaction(async (tx): Promise<TokenGrant | OauthFault> => {
    const code = await claimCode(tx, codeHash, now);
    if (code === undefined) {
      const connectionId = await connectionOfCode(tx, codeHash);
      if (connectionId !== undefined) await endConnection(tx, now, connectionId, 'code used twice');
      return refused();
    }
    const connection = await findConnection(tx, code.connectionId);
    if (connection !== undefined && (await isDisabled(tx, connection.userId))) return refused();
    const fault = connection === undefined ? refused() : faultOf(code, connection, input, now, addresses);
    if (connection === undefined || fault !== undefined) return fault ?? refused();
    return openConnection(tx, connection, now);
  });
  if (outcome instanceof OauthFault) throw outcome;
  return outcome;
}

async function openConnection(tx: Transaction, connection: Row<'connections'>, now: number) {
  const tokens = await issueTokens(tx, connection, now, newTokenPair());
  if (tokens === undefined) return refused();
  await recordAudit(tx, now, {
    actorUserId: connection.userId,
    action: 'connection.open',
    entityId: connection.id,
    detail: { clientId: connection.clientId, name: connection.clientName },
    ...auditTeamOf(connection.workspace),
  });
  announceChange(tx, { collection: 'connections', audience: `user:${connection.userId}` });
  return tokens;
}

function faultOf(
  code: Row<'connectionCodes'>,
  connection: Row<'connections'>,
  input: CodeExchange,
  now: number,
  addresses: OwnAddresses,
): OauthFault | undefined {
  const isOthers = code.clientId !== input.clientId;
  const isElsewhere = input.redirectUri !== undefined && input.redirectUri !== code.redirectUri;
  if (isOthers || isElsewhere || code.expiresAt <= now || !isVerifierOf(input.codeVerifier, code.codeChallenge)) {
    return refused();
  }
  if (input.resource !== undefined && addresses.ofResource(input.resource)?.resource !== connection.resource) {
    // Thrown inside the transaction, so that a wrong parameter does not consume the code.
    throw new OauthFault('invalid_target', 'The code is for another resource.');
  }
  return undefined;
}

/** Checks the verifier as in RFC 7636, S256. */
function isVerifierOf(verifier: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  const [shown, kept] = [createHash('sha256').update(verifier).digest(), Buffer.from(challenge, 'base64url')];
  return shown.length === kept.length && timingSafeEqual(shown, kept);
}

/** One message for all cases, so as not to reveal which part is wrong. */
function refused(): OauthFault {
  return new OauthFault(
    'invalid_grant',
    'The code is unknown, expired, used, or not for this client, address and verifier.',
  );
}
