import {
  type AuthorizationServer,
  allowInsecureRequests,
  customFetch,
  discoveryRequest,
  getValidatedIdTokenClaims,
  processDiscoveryResponse,
  processUserInfoResponse,
  userInfoRequest,
} from 'oauth4webapi';
import { z } from 'zod';
import type { Outbound } from '../outbound/index.ts';
import { type CodeFlow, codeFlowUrl, exchangeCode, guardedFetch, translatingFaults } from './code-exchange.ts';
import { type SocialClient, type SocialProvider, SocialSignInError } from './social-provider.ts';

const claimsSchema = z.object({
  // A non-ASCII id (not allowed by OpenID Connect Core 1.0, section 2) could be stored as another account's.
  sub: z.string().regex(/^[\x20-\x7e]{1,255}$/),
  email: z.string().nullish(),
  /** Some providers send it as text. */
  email_verified: z.union([z.boolean(), z.stringbool()]).nullish(),
  name: z.string().nullish(),
  /** Google: the domain of the account's organization. Personal accounts have none, but can use any email address. */
  hd: z.string().optional(),
});

const google = 'https://accounts.google.com';

/**
 * Creates the sign-in at any OpenID Connect provider, through its discovery document (OpenID Connect Discovery 1.0).
 * `client.url` is the issuer. The document is read again for each sign-in, because keys and endpoints may change. If a
 * provider does not say whether an address is verified, it counts as verified: the provider is only used for its own
 * domain.
 */
export async function openidProvider(client: SocialClient, outbound: Outbound): Promise<SocialProvider> {
  const flow: CodeFlow = {
    server: await discover(client.url, outbound),
    client,
    scope: 'openid email profile',
    outbound,
  };
  return {
    authorizationUrl: (redirectUri, secrets) => codeFlowUrl(flow, redirectUri, secrets, { nonce: secrets.nonce }),
    async identify(query, redirectUri, secrets) {
      const tokens = await exchangeCode(flow, query, redirectUri, secrets, secrets.nonce);
      const inToken = claimsOf(getValidatedIdTokenClaims(tokens));
      // The standard leaves the address out of the ID token of a code flow; Authelia and Zitadel do so by default.
      const claims = inToken.email ? inToken : claimsOf(await readUserInfo(flow, inToken.sub, tokens.access_token));
      const { sub: subject, email, email_verified: verified, name, hd } = { ...inToken, ...claims };
      if (client.url === google && hd?.toLowerCase() !== email?.toLowerCase().split('@').at(-1)) {
        throw new SocialSignInError('refused', 'the Google account is not of the organization of its domain');
      }
      const isEmailVerified = verified ?? true;
      return { subject, email: email ?? undefined, isEmailVerified, displayName: name ?? '', photoUrl: undefined };
    },
  };
}

function claimsOf(claims: unknown): z.infer<typeof claimsSchema> {
  const read = claimsSchema.safeParse(claims);
  if (read.success) return read.data;
  throw new SocialSignInError('refused', 'the provider described the account in a way that is not understood');
}

/** Returns the claims of the provider's userinfo endpoint about this account; without an endpoint, only its id. */
async function readUserInfo({ server, client, outbound }: CodeFlow, sub: string, token: string): Promise<unknown> {
  if (server.userinfo_endpoint === undefined) return { sub };
  const party = { client_id: client.clientId };
  const options = { [customFetch]: guardedFetch(outbound), [allowInsecureRequests]: client.url.startsWith('http:') };
  return translatingFaults(async () =>
    processUserInfoResponse(server, party, sub, await userInfoRequest(server, party, token, options)),
  );
}

type Discovered = AuthorizationServer & { authorization_endpoint: string };

/** Reads a provider's discovery document. Throws SocialSignInError that says what is wrong with it. */
async function discover(issuer: string, outbound: Outbound): Promise<Discovered> {
  return translatingFaults(async () => {
    const url = new URL(issuer);
    const answer = await discoveryRequest(url, {
      [customFetch]: guardedFetch(outbound),
      [allowInsecureRequests]: url.protocol === 'http:',
    });
    const server = await processDiscoveryResponse(url, answer);
    const { authorization_endpoint: authorization, token_endpoint: token, jwks_uri: keys } = server;
    if (authorization === undefined || token === undefined || keys === undefined) {
      throw new Error('its description names no authorization_endpoint, token_endpoint or jwks_uri');
    }
    const allowed = url.protocol === 'https:' ? ['https:'] : ['http:', 'https:'];
    const addresses = [authorization, token, keys, server.userinfo_endpoint ?? issuer];
    const isRefused = addresses.some((address) => !allowed.includes(new URL(address).protocol));
    if (isRefused) throw new Error(`its description names addresses without ${url.protocol.replace(':', '')}`);
    // The default when the document has no list (OpenID Connect Discovery 1.0, section 3).
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return { ...server, authorization_endpoint: authorization, token_endpoint_auth_methods_supported: methods };
  });
}
