import type { ConsentRefusal } from '#contract/connections.ts';
import type { OwnAddress, OwnAddresses } from './own-addresses.ts';

/** An authorization request, validated as far as possible without the application. */
export interface AuthorizationRequest {
  clientId: string;
  /** If undefined, the only address that the application registered. */
  redirectUri: string | undefined;
  state: string | undefined;
  /** An error in the rest of the request, reported only once the redirect address is known to be the application's. */
  fault: RequestFault | undefined;
  codeChallenge: string;
  own: OwnAddress;
}

export interface RequestFault {
  reason: ConsentRefusal;
  /** Error code of RFC 6749 or 8707 for the application. */
  code: 'invalid_request' | 'unsupported_response_type' | 'invalid_target';
}

// RFC 7636: base64url of 32 bytes.
const challengeForm = /^[A-Za-z0-9_-]{43}$/;

/** Parses the query of an authorization request. Undefined if it does not even name the application. */
export function readAuthorizationRequest(query: string, addresses: OwnAddresses): AuthorizationRequest | undefined {
  const params = new URLSearchParams(query);
  const one = (name: string) => params.get(name) ?? undefined;
  const clientId = one('client_id');
  const isDoubled = [...new Set(params.keys())].some((name) => name !== 'resource' && params.getAll(name).length > 1);
  if (clientId === undefined || clientId === '' || isDoubled) return undefined;
  const own = ownAddressOf(params.getAll('resource'), addresses);
  return {
    clientId,
    redirectUri: one('redirect_uri'),
    state: one('state'),
    codeChallenge: one('code_challenge') ?? '',
    own: own ?? addresses.at(''),
    fault: faultOf(one, own === undefined),
  };
}

/**
 * Returns our address for the requested resources, which must all name the same one; the public address if none is
 * requested.
 */
function ownAddressOf(resources: string[], addresses: OwnAddresses): OwnAddress | undefined {
  const first = addresses.ofResource(resources[0]);
  const areSame = resources.every((resource) => addresses.ofResource(resource)?.resource === first?.resource);
  return areSame ? first : undefined;
}

function faultOf(one: (name: string) => string | undefined, isForeign: boolean): RequestFault | undefined {
  if (one('response_type') !== 'code') return { reason: 'response-type', code: 'unsupported_response_type' };
  // Without a method the challenge would be the plain verifier, which anyone who sees the request could use.
  if (one('code_challenge_method') !== 'S256' || !challengeForm.test(one('code_challenge') ?? '')) {
    return { reason: 'challenge-missing', code: 'invalid_request' };
  }
  if (![undefined, 'query'].includes(one('response_mode'))) return { reason: 'response-type', code: 'invalid_request' };
  return isForeign ? { reason: 'resource-foreign', code: 'invalid_target' } : undefined;
}

/** Returns the address that carries a response to the application, with the issuer (RFC 9207). */
export function answerAddress(
  redirectUri: string,
  request: Pick<AuthorizationRequest, 'state' | 'own'>,
  answer: Record<string, string>,
): string {
  const url = new URL(redirectUri);
  const params = {
    ...answer,
    ...(request.state === undefined ? {} : { state: request.state }),
    iss: request.own.issuer,
  };
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url.href;
}
