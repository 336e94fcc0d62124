import {
  AuthorizationResponseError,
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type CustomFetchOptions,
  calculatePKCECodeChallenge,
  customFetch,
  processAuthorizationCodeResponse,
  type TokenEndpointResponse,
  validateApplicationLevelSignature,
  validateAuthResponse,
} from 'oauth4webapi';
import { type Outbound, OutboundError } from '../outbound/index.ts';
import { type SocialClient, type SocialSecrets, SocialSignInError } from './social-provider.ts';

const answerBytesMax = 200_000;
const answerTimeoutMs = 10_000;

/** The endpoints of a provider for the code flow. */
export interface CodeFlow {
  server: AuthorizationServer & { authorization_endpoint: string };
  client: SocialClient;
  scope: string;
  outbound: Outbound;
}

/** Returns the address that starts the code flow, with state and PKCE; `more` adds provider-specific parameters. */
export async function codeFlowUrl(
  { server, client, scope }: CodeFlow,
  redirectUri: string,
  secrets: SocialSecrets,
  more: Record<string, string> = {},
): Promise<string> {
  const url = new URL(server.authorization_endpoint);
  const parameters = {
    client_id: client.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
    state: secrets.state,
    code_challenge: await calculatePKCECodeChallenge(secrets.codeVerifier),
    code_challenge_method: 'S256',
    ...more,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * Checks the query's state and issuer, and exchanges its code. With a nonce, an ID token is required, and its claims
 * and signature are checked. Throws SocialSignInError.
 */
export async function exchangeCode(
  { server, client, outbound }: CodeFlow,
  query: URLSearchParams,
  redirectUri: string,
  secrets: SocialSecrets,
  expectedNonce?: string,
): Promise<TokenEndpointResponse> {
  const options = {
    [customFetch]: guardedFetch(outbound),
    // Only for a provider that the operator configured without https, such as one on this machine.
    [allowInsecureRequests]: client.url.startsWith('http:'),
  };
  const party: Client = { client_id: client.clientId };
  return translatingFaults(async () => {
    const parameters = validateAuthResponse(server, party, query, secrets.state);
    const authentication = authenticationAt(server, client.clientSecret);
    const { codeVerifier } = secrets;
    const answer = await authorizationCodeGrantRequest(
      server,
      party,
      authentication,
      parameters,
      redirectUri,
      codeVerifier,
      options,
    );
    const expected = expectedNonce === undefined ? {} : { expectedNonce, requireIdToken: true };
    const tokens = await processAuthorizationCodeResponse(server, party, answer, expected);
    if (expectedNonce !== undefined) await validateApplicationLevelSignature(server, answer, options);
    return tokens;
  });
}

/**
 * Returns the authentication method from the provider's metadata; without metadata, as for the two social providers,
 * the secret is sent in the form.
 */
function authenticationAt(server: AuthorizationServer, secret: string): ClientAuth {
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_post'];
  return methods.includes('client_secret_post') ? ClientSecretPost(secret) : ClientSecretBasic(secret);
}

/** Reads JSON from a provider with an access token, which is only sent to that origin. */
export async function readWithToken(outbound: Outbound, url: string, token: string): Promise<unknown> {
  return translatingFaults(async () => {
    const answer = await outbound.request(url, {
      headers: { accept: 'application/json' },
      credentials: { authorization: `Bearer ${token}` },
      redirectsMax: 0,
      bytesMax: answerBytesMax,
      timeoutMs: answerTimeoutMs,
    });
    if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
    return JSON.parse(new TextDecoder().decode(answer.body)) as unknown;
  });
}

/** Converts errors of the library and of requests to SocialSignInError. */
export async function translatingFaults<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OutboundError) throw new SocialSignInError('unreachable', error.message, { cause: error });
    const isCancelled = error instanceof AuthorizationResponseError && error.error === 'access_denied';
    const message = error instanceof Error ? error.message : String(error);
    throw new SocialSignInError(isCancelled ? 'cancelled' : 'refused', message, { cause: error });
  }
}

/**
 * Creates the `fetch` for the OAuth library: every request passes the address guard, and redirects are not followed.
 */
export function guardedFetch(outbound: Outbound) {
  return async (
    url: string,
    options: CustomFetchOptions<'GET' | 'POST', URLSearchParams | undefined>,
  ): Promise<Response> => {
    const { status, headers, body } = await outbound.request(url, {
      method: options.method,
      headers: options.headers,
      body: options.body?.toString(),
      redirectsMax: 0,
      bytesMax: answerBytesMax,
      timeoutMs: answerTimeoutMs,
    });
    // The body is already decompressed, and some statuses have none.
    const { 'content-encoding': _coding, 'content-length': _length, ...rest } = headers;
    const hasBody = body.byteLength > 0 && ![204, 205, 304].includes(status);
    return new Response(hasBody ? new TextDecoder().decode(body) : null, { status, headers: rest });
  };
}
