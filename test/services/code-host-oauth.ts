import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import {
  appClient,
  type CodeHostState,
  type Grant,
  giveRefreshToken,
  giveToken,
  oauthClient,
} from './code-host-state.ts';

const clients = { oauth: oauthClient, app: appClient };

function clientOf(id: string | null): 'oauth' | 'app' | undefined {
  return (['oauth', 'app'] as const).find((kind) => clients[kind].id === id);
}

/** Shows a page where the user picks a person; each link repeats the request with `person`. */
export function authorize(state: CodeHostState, query: URLSearchParams, response: ServerResponse): void {
  const [redirectUri, challenge] = [query.get('redirect_uri') ?? '', query.get('code_challenge') ?? ''];
  const client = clientOf(query.get('client_id'));
  const isRight = query.get('code_challenge_method') === 'S256' && challenge !== '' && query.get('state');
  if (client === undefined || !isRight || !URL.canParse(redirectUri)) {
    state.complaints.push(`authorize: ${query.toString()}`);
    response.writeHead(400).end('this request is not one of our client');
    return;
  }
  const choice = query.get('person');
  if (choice === null) return askWho(state, query, response);
  const back = new URL(redirectUri);
  back.searchParams.set('state', query.get('state') ?? '');
  back.searchParams.set('iss', `${state.url}/login/oauth`);
  const person = state.people.find(({ login }) => login === choice);
  if (person === undefined) back.searchParams.set('error', 'access_denied');
  else {
    const code = randomBytes(10).toString('hex');
    const scopes = (query.get('scope') ?? '').split(/[ ,]+/).filter(Boolean);
    state.codes.set(code, { person, client, redirectUri, challenge, scopes: client === 'oauth' ? scopes : [] });
    back.searchParams.set('code', code);
  }
  response.writeHead(302, { location: back.href }).end();
}

function askWho(state: CodeHostState, query: URLSearchParams, response: ServerResponse): void {
  const link = (who: string, label: string) => {
    const chosen = new URLSearchParams([...query, ['person', who]]);
    return `<p><a href="?${chosen.toString().replaceAll('&', '&amp;')}">${label}</a></p>`;
  };
  const links = state.people.map(({ login }) => link(login, `Continue as ${login}`));
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(
    `<!doctype html><html lang="en"><title>GitHub (loopback)</title><h1>Who are you?</h1>${links.join('')}${link('', 'Cancel')}`,
  );
}

/** GitHub returns 200 for a wrong code too, with the error in the body. */
export function exchange(state: CodeHostState, form: URLSearchParams): Record<string, unknown> {
  const client = clientOf(form.get('client_id'));
  if (client === undefined || form.get('client_secret') !== clients[client].secret) {
    state.complaints.push('exchange: wrong client');
    return { error: 'incorrect_client_credentials' };
  }
  if (form.get('grant_type') === 'refresh_token') return refresh(state, client, form.get('refresh_token') ?? '');
  const code = form.get('code') ?? '';
  const grant = state.codes.get(code);
  state.codes.delete(code);
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  if (
    grant === undefined ||
    grant.client !== client ||
    grant.challenge !== challenge ||
    grant.redirectUri !== form.get('redirect_uri')
  ) {
    return { error: 'bad_verification_code' };
  }
  return tokens(state, { person: grant.person, client, scopes: grant.scopes });
}

function refresh(state: CodeHostState, client: 'oauth' | 'app', refreshToken: string): Record<string, unknown> {
  const grant = state.refreshTokens.get(refreshToken);
  // Valid once.
  state.refreshTokens.delete(refreshToken);
  if (grant === undefined || grant.client !== client) return { error: 'bad_refresh_token' };
  return tokens(state, grant);
}

function tokens(state: CodeHostState, grant: Omit<Grant, 'expiresAt'>): Record<string, unknown> {
  const isApp = grant.client === 'app';
  const token = giveToken(state, grant, isApp ? state.accessSeconds : undefined);
  const told = { access_token: token, token_type: 'bearer', scope: grant.scopes.join(',') };
  if (!isApp) return told;
  return {
    ...told,
    expires_in: state.accessSeconds,
    refresh_token: giveRefreshToken(state, { ...grant, expiresAt: undefined }),
    refresh_token_expires_in: 15_897_600,
  };
}

/** Revokes one token of an application, which authenticates itself. Returns the status. */
export function revokeToken(state: CodeHostState, clientId: string, authorization: string, token: string): number {
  const client = clientOf(clientId);
  const expected = client === undefined ? '' : `${clients[client].id}:${clients[client].secret}`;
  const given = Buffer.from(authorization.replace(/^basic /i, ''), 'base64');
  const isRight = given.length === expected.length && timingSafeEqual(given, Buffer.from(expected));
  if (client === undefined || !isRight) {
    state.complaints.push('revoke: wrong client');
    return 401;
  }
  return state.tokens.delete(token) ? 204 : 404;
}
