import type { ConsentRefusal } from '#contract/connections.ts';
import type { OwnAddress, OwnAddresses } from './own-addresses.ts';

/** An authorization request as far as it can be checked without the application. */
export interface AuthorizationRequest {
  clientId: string;
  /** Undefined: the only one that the application has named. */
  redirectUri: string | undefined;
  state: string | undefined;
  /** What is wrong with the rest; told only once the redirect address is known to be the application's. */
  fault: RequestFault | undefined;
  codeChallenge: string;
  own: OwnAddress;
}

export interface RequestFault {
  reason: ConsentRefusal;
  /** Code of RFC 6749 or 8707 for the application. */
  code: 'invalid_request' | 'unsupported_response_type' | 'invalid_target';
}

// RFC 7636: base64url of 32 bytes.
const challengeForm = /^[A-Za-z0-9_-]{43}$/;

/** Reads the query of an authorization request. Undefined when it does not even name the application. */
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

/** Of the resources that are asked for, which must all be ours under one name; of the public address when none are. */
function ownAddressOf(resources: string[], addresses: OwnAddresses): OwnAddress | undefined {
  const first = addresses.ofResource(resources[0]);
  const areSame = resources.every((resource) => addresses.ofResource(resource)?.resource === first?.resource);
  return areSame ? first : undefined;
}

function faultOf(one: (name: string) => string | undefined, isForeign: boolean): RequestFault | undefined {
  if (one('response_type') !== 'code') return { reason: 'response-type', code: 'unsupported_response_type' };
  // Without a method the challenge would be the verifier itself, for the person who reads the request.
  if (one('code_challenge_method') !== 'S256' || !challengeForm.test(one('code_challenge') ?? '')) {
    return { reason: 'challenge-missing', code: 'invalid_request' };
  }
  if (![undefined, 'query'].includes(one('response_mode'))) return { reason: 'response-type', code: 'invalid_request' };
  return isForeign ? { reason: 'resource-foreign', code: 'invalid_target' } : undefined;
}

/** Address that takes an answer to the application, with the issuer that gave it (RFC 9207). */
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
