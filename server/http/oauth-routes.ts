import { randomUUID } from 'node:crypto';
import {
  getOAuthProtectedResourceMetadataUrl,
  type OAuthMetadata,
  type OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/server';
import { Hono, type Context as HonoContext } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import { connectionScope, offlineScope } from '#contract/connections.ts';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import {
  exchangeCode,
  isKnownClient,
  OauthFault,
  type OwnAddress,
  type OwnAddresses,
  refreshTokens,
  registerClient,
  revokeToken,
  type TokenGrant,
} from '#server/features/connections/index.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';
import { clientAddress, type IsTrustedProxy } from './client-address.ts';
import type { BaseContext } from './request-context.ts';

export { metadataAddressOf };

export interface OauthParts {
  base: BaseContext;
  addresses: OwnAddresses;
  sealingKeys: SealingKeys;
  /** True if a client's id may be the address of a metadata document it publishes. */
  readsClientDocuments: boolean;
  productName: string;
  isTrustedProxy: IsTrustedProxy;
}

const consentPath = '/oauth/consent';
const metadataMaxAgeSeconds = 300;

/**
 * Creates the OAuth endpoints for applications: metadata, registration, tokens, revocation. None of them reads a
 * cookie, so pages of any origin may call them; the user consents on our own screen.
 */
export function createOauthRoutes(parts: OauthParts): Hono {
  const routes = new Hono();
  routes.use('/.well-known/*', cors({ origin: '*' }));
  for (const path of [oauthPaths.token, oauthPaths.register, oauthPaths.revoke]) {
    routes.use(path, cors({ origin: '*', allowMethods: ['POST'] }));
    routes.use(
      path,
      bodyLimit({ maxSize: limits.clientRegistrationBytesMax, onError: () => faultResponse(tooLarge()) }),
    );
  }
  addMetadata(routes, parts);
  routes.get(oauthPaths.authorize, (c) => c.redirect(`${consentPath}${new URL(c.req.url).search}`, 303));
  routes.post(oauthPaths.register, (c) => answer(c, parts, registration));
  routes.post(oauthPaths.token, (c) => answer(c, parts, tokens));
  routes.post(oauthPaths.revoke, (c) => answer(c, parts, revocation));
  // A page in place of a 404 would keep clients from trying the next address.
  routes.get('/.well-known/*', notFound);
  return routes;
}

function addMetadata(routes: Hono, { addresses, productName, readsClientDocuments }: OauthParts): void {
  const describe = (document: (c: HonoContext) => object) => (c: HonoContext) =>
    c.json(document(c), 200, { 'cache-control': `public, max-age=${metadataMaxAgeSeconds}`, vary: 'host' });
  const own = (c: HonoContext) => addresses.at(c.req.header('host') ?? '');
  const ofResource = describe((c) => resourceMetadata(own(c), productName));
  const resourcePath = new URL(metadataAddressOf(addresses.at(''))).pathname;
  routes.get(resourcePath, ofResource);
  routes.get(`${resourcePath}/`, ofResource);
  // Clients that have no metadata address look for it here.
  routes.get('/.well-known/oauth-protected-resource', ofResource);
  routes.get(
    '/.well-known/oauth-authorization-server',
    describe((c) => serverMetadata(own(c), readsClientDocuments)),
  );
}

type Endpoint = (c: HonoContext, ctx: Context, parts: OauthParts) => Promise<Response>;

async function answer(c: HonoContext, parts: OauthParts, endpoint: Endpoint): Promise<Response> {
  const requestId = randomUUID();
  const { base } = parts;
  const ctx: Context = { ...base, actor: { kind: 'anonymous' }, workspace: null, requestId };
  try {
    return await endpoint(c, ctx, parts);
  } catch (error) {
    if (error instanceof OauthFault) return faultResponse(error);
    base.log.error({ err: error, requestId }, 'request of an application failed');
    return secretJson({ error: 'server_error', error_description: `Quote request ${requestId}.` }, 500);
  }
}

async function registration(c: HonoContext, ctx: Context, { isTrustedProxy }: OauthParts): Promise<Response> {
  const body: unknown = await c.req.json().catch((cause: unknown) => {
    throw new OauthFault('invalid_client_metadata', 'The body must be JSON.', { cause });
  });
  const client = await registerClient(ctx, body, clientAddress(c, isTrustedProxy));
  return secretJson(
    {
      client_id: client.clientId,
      client_id_issued_at: Math.floor(client.createdAt / 1000),
      client_name: client.name,
      redirect_uris: client.redirectUris,
      grant_types: client.usesRefresh ? ['authorization_code', 'refresh_token'] : ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    201,
  );
}

async function tokens(c: HonoContext, ctx: Context, parts: OauthParts): Promise<Response> {
  const { addresses, sealingKeys } = parts;
  const form = await formOf(c);
  const clientId = await clientIdOf(ctx, form, parts);
  const resource = form.get('resource') ?? undefined;
  if (form.get('grant_type') === 'authorization_code') {
    const code = required(form, 'code');
    const codeVerifier = required(form, 'code_verifier');
    const redirectUri = form.get('redirect_uri') ?? undefined;
    return tokenResponse(await exchangeCode(ctx, { clientId, code, codeVerifier, redirectUri, resource }, addresses));
  }
  if (form.get('grant_type') === 'refresh_token') {
    const refreshToken = required(form, 'refresh_token');
    return tokenResponse(await refreshTokens(ctx, { clientId, refreshToken, resource }, { addresses, sealingKeys }));
  }
  throw new OauthFault('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.');
}

async function revocation(c: HonoContext, ctx: Context): Promise<Response> {
  const form = await formOf(c);
  await revokeToken(ctx, { clientId: required(form, 'client_id'), token: required(form, 'token') });
  return secretJson({}, 200);
}

function tokenResponse({ accessToken, refreshToken, expiresInSeconds }: TokenGrant): Response {
  const body = {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: expiresInSeconds,
    scope: connectionScope,
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
  };
  return secretJson(body, 200);
}

/**
 * Returns the form fields. Each may appear once (RFC 6749, 3.2), including the resource: a token is for one resource.
 */
async function formOf(c: HonoContext): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(c.req.header('content-type') ?? '')) {
    throw new OauthFault('invalid_request', 'The body must be application/x-www-form-urlencoded.');
  }
  const form = new URLSearchParams(await c.req.text());
  if (new Set(form.keys()).size !== form.size) throw new OauthFault('invalid_request', 'A field is repeated.');
  return form;
}

/** Checked first, because clients that get this error register again. */
async function clientIdOf(ctx: Context, form: URLSearchParams, parts: OauthParts): Promise<string> {
  const clientId = required(form, 'client_id');
  if (await isKnownClient(ctx, clientId, parts)) return clientId;
  throw new OauthFault('invalid_client', 'Unknown client_id. Register again.');
}

function required(form: URLSearchParams, name: string): string {
  const value = form.get(name);
  if (value === null || value === '') throw new OauthFault('invalid_request', `${name} is missing.`);
  return value;
}

function notFound(): Response {
  throw new AppError('not-found');
}

function tooLarge(): OauthFault {
  return new OauthFault('invalid_request', `The body can have at most ${limits.clientRegistrationBytesMax} bytes.`);
}

function faultResponse(fault: OauthFault): Response {
  const statuses: Partial<Record<OauthFault['code'], number>> = { invalid_client: 401, temporarily_unavailable: 429 };
  const response = secretJson({ error: fault.code, error_description: fault.message }, statuses[fault.code] ?? 400);
  if (fault.retryAfterSeconds !== undefined) response.headers.set('retry-after', String(fault.retryAfterSeconds));
  return response;
}

function secretJson(body: object, status: number): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', pragma: 'no-cache' } });
}

/** Paths of the OAuth endpoints on the issuer's address. */
const oauthPaths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const;

/** Returns the address of the MCP endpoint's metadata (RFC 9728), which its 401 responses name. */
function metadataAddressOf({ resource }: OwnAddress): string {
  return getOAuthProtectedResourceMetadataUrl(new URL(resource));
}

/** Returns the MCP endpoint's metadata for applications (RFC 9728). */
function resourceMetadata({ issuer, resource }: OwnAddress, productName: string): OAuthProtectedResourceMetadata {
  return {
    resource,
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    scopes_supported: [connectionScope],
    resource_name: productName,
  };
}

/** Returns the authorization server's metadata for applications (RFC 8414). */
function serverMetadata({ issuer }: OwnAddress, readsClientDocuments: boolean): OAuthMetadata {
  return {
    issuer,
    authorization_endpoint: `${issuer}${oauthPaths.authorize}`,
    token_endpoint: `${issuer}${oauthPaths.token}`,
    registration_endpoint: `${issuer}${oauthPaths.register}`,
    revocation_endpoint: `${issuer}${oauthPaths.revoke}`,
    scopes_supported: [connectionScope, offlineScope],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: readsClientDocuments,
  };
}
