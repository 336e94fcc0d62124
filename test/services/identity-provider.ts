import {
  createHash,
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A person with an account at the provider. */
export interface ProviderPerson {
  id: number;
  name: string;
  email: string;
  isEmailVerified: boolean;
  /** The domain of the account's organization, as Google names it. */
  organization?: string | undefined;
}

/** Errors of the provider that the product must detect. */
export interface Misbehaviour {
  /** Claims that override the correct ones in an ID token. */
  claims?: Record<string, unknown>;
  /** The response of its userinfo endpoint, which it then has. */
  userInfo?: Record<string, unknown>;
  /** The addresses that GitHub lists. */
  emails?: unknown[];
  /** How an ID token is signed. */
  signature?: 'other-key' | 'none' | 'public-key';
  /** Its metadata asks for the secret in the form; otherwise it says nothing and takes it in the header. */
  takesForms?: boolean;
  /** The issuer in the provider's metadata. */
  issuer?: string;
  /** The authorization endpoint in its metadata. */
  authorizationEndpoint?: string;
  /** Every request except browsers' fails with status 500. */
  isBroken?: boolean;
  /** Awaited before a token is issued. */
  beforeToken?: () => Promise<unknown>;
}

/** A fake GitHub and Google on loopback, for `./lectern dev` and the tests. */
export interface IdentityProvider {
  url: string;
  /** The value for LECTERN_ALLOW_HOSTS. */
  host: string;
  /** The variables to configure on the server. */
  environment: Record<string, string>;
  /** The registered application. */
  client: { clientId: string; clientSecret: string };
  people: ProviderPerson[];
  misbehaviour: Misbehaviour;
  stop(): Promise<void>;
}

const clientId = 'lectern-on-loopback';
// With a character that must be encoded in transit.
const clientSecret = 'not-a-secret%';

interface Grant {
  person: ProviderPerson;
  redirectUri: string;
  challenge: string;
  nonce: string | undefined;
}

interface State {
  people: ProviderPerson[];
  misbehaviour: Misbehaviour;
  grants: Map<string, Grant>;
  tokens: Map<string, ProviderPerson>;
  key: KeyObject;
  otherKey: KeyObject;
  url: string;
}

export const samplePeople: ProviderPerson[] = [
  { id: 1001, name: 'Ada Sample', email: 'ada@docs.example', isEmailVerified: true, organization: 'docs.example' },
  { id: 1002, name: 'Ben Unverified', email: 'ben@docs.example', isEmailVerified: false },
];

/** Starts the provider; port 0 picks a free one. The browser page lets the user pick a person or refuse. */
export async function startIdentityProvider(port = 0): Promise<IdentityProvider> {
  const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const state: State = {
    people: samplePeople.map((person) => ({ ...person })),
    misbehaviour: {},
    grants: new Map(),
    tokens: new Map(),
    key: newKey(),
    otherKey: newKey(),
    url: '',
  };
  const server = createServer((request, response) => void answer(state, request, response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  state.url = `http://${host}`;
  return Object.assign(state, {
    host,
    client: { clientId, clientSecret },
    environment: {
      LECTERN_ALLOW_HOSTS: host,
      GITHUB_CLIENT_ID: clientId,
      GITHUB_CLIENT_SECRET: clientSecret,
      GITHUB_URL: state.url,
      GOOGLE_CLIENT_ID: clientId,
      GOOGLE_CLIENT_SECRET: clientSecret,
      GOOGLE_URL: state.url,
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  });
}

async function answer(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', state.url);
  const send = (status: number, body: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  if (url.pathname === '/login/oauth/authorize' || url.pathname === '/o/oauth2/v2/auth') {
    const issuer = url.pathname === '/login/oauth/authorize' ? `${state.url}/login/oauth` : state.url;
    return authorize(state, issuer, url.searchParams, response);
  }
  if (state.misbehaviour.isBroken) return send(500, { message: 'broken' });
  switch (url.pathname) {
    case '/login/oauth/access_token':
      return send(200, exchange(state, new URLSearchParams(await textOf(request)), false));
    case '/token':
    case '/openid/token': {
      const form = new URLSearchParams(await textOf(request));
      await state.misbehaviour.beforeToken?.();
      // The endpoint with metadata takes the secret only as the metadata says.
      if (url.pathname === '/openid/token' && !state.misbehaviour.takesForms) {
        form.delete('client_secret');
        takeBasicCredentials(form, request.headers.authorization);
      }
      const body = exchange(state, form, true);
      return send('error' in body ? 400 : 200, body);
    }
    case '/.well-known/openid-configuration':
      return send(200, {
        issuer: state.misbehaviour.issuer ?? state.url,
        authorization_endpoint: state.misbehaviour.authorizationEndpoint ?? `${state.url}/o/oauth2/v2/auth`,
        token_endpoint: `${state.url}/openid/token`,
        jwks_uri: `${state.url}/oauth2/v3/certs`,
        ...(state.misbehaviour.userInfo && { userinfo_endpoint: `${state.url}/openid/userinfo` }),
        ...(state.misbehaviour.takesForms && { token_endpoint_auth_methods_supported: ['client_secret_post'] }),
      });
    case '/oauth2/v3/certs':
      return send(200, {
        keys: [{ ...createPublicKey(state.key).export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }],
      });
    case '/openid/userinfo':
      return send(state.tokens.has(tokenOf(request)) ? 200 : 401, state.misbehaviour.userInfo);
    case '/api/v3/user':
    case '/api/v3/user/emails': {
      const person = state.tokens.get(tokenOf(request));
      if (person === undefined) return send(401, { message: 'Bad credentials' });
      const { id, name, email, isEmailVerified: verified } = person;
      if (url.pathname.endsWith('/user'))
        return send(200, { id, login: `person${id}`, name, email: null, avatar_url: null });
      const other = { email: `other-${email}`, primary: false, verified: true };
      return send(200, state.misbehaviour.emails ?? [other, { email, primary: true, verified }]);
    }
    default:
      return send(404, { message: 'Not Found' });
  }
}

/** Shows a page where the user picks a person; each link repeats the request with `person`. */
function authorize(state: State, issuer: string, query: URLSearchParams, response: ServerResponse): void {
  const [redirectUri, challenge] = [query.get('redirect_uri') ?? '', query.get('code_challenge') ?? ''];
  const isRight =
    query.get('client_id') === clientId && query.get('code_challenge_method') === 'S256' && challenge !== '';
  if (!isRight || !URL.canParse(redirectUri)) {
    response.writeHead(400).end('this request is not one of our client');
    return;
  }
  const choice = query.get('person');
  if (choice === null) {
    const link = (who: string, label: string) => {
      const chosen = new URLSearchParams([...query, ['person', who]]);
      return `<p><a href="?${chosen.toString().replaceAll('&', '&amp;')}">${label}</a></p>`;
    };
    const links = state.people.map(({ id, name }) => link(String(id), `Continue as ${name}`));
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      `<!doctype html><html lang="en"><title>Sign in (loopback)</title><h1>Who are you?</h1>${links.join('')}${link('', 'Cancel')}`,
    );
    return;
  }
  const back = new URL(redirectUri);
  back.searchParams.set('state', query.get('state') ?? '');
  back.searchParams.set('iss', issuer);
  const person = state.people.find(({ id }) => String(id) === choice);
  if (person === undefined) {
    back.searchParams.set('error', 'access_denied');
  } else {
    const code = randomBytes(16).toString('hex');
    state.grants.set(code, { person, redirectUri, challenge, nonce: query.get('nonce') ?? undefined });
    back.searchParams.set('code', code);
  }
  response.writeHead(302, { location: back.href }).end();
}

/** RFC 6749, 2.3.1: id and secret are form-encoded before they become a user and a password. */
function takeBasicCredentials(form: URLSearchParams, header: string | undefined): void {
  const [, encoded] = /^Basic (.+)$/.exec(header ?? '') ?? [];
  if (encoded === undefined) return;
  const [user = '', password = ''] = Buffer.from(encoded, 'base64').toString().split(':');
  const decoded = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));
  form.set('client_id', decoded(user));
  form.set('client_secret', decoded(password));
}

/** A code is valid once, for the client, address and verifier it was issued for. */
function exchange(state: State, form: URLSearchParams, isOpenId: boolean): Record<string, unknown> {
  const grant = state.grants.get(form.get('code') ?? '');
  state.grants.delete(form.get('code') ?? '');
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const isRight =
    form.get('client_id') === clientId &&
    form.get('client_secret') === clientSecret &&
    form.get('redirect_uri') === grant?.redirectUri &&
    challenge === grant.challenge;
  if (grant === undefined || !isRight) return { error: isOpenId ? 'invalid_grant' : 'bad_verification_code' };
  const token = randomBytes(16).toString('hex');
  state.tokens.set(token, grant.person);
  const answer = { access_token: token, token_type: 'bearer', scope: '' };
  return isOpenId ? { ...answer, expires_in: 3600, id_token: idToken(state, grant) } : answer;
}

function idToken({ url, key, otherKey, misbehaviour }: State, { person, nonce }: Grant): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: url,
    aud: clientId,
    sub: String(person.id),
    iat: now,
    exp: now + 600,
    nonce,
    email: person.email,
    email_verified: person.isEmailVerified,
    name: person.name,
    hd: person.organization,
    ...misbehaviour.claims,
  };
  const algorithms = { none: 'none', 'public-key': 'HS256', 'other-key': 'RS256' };
  const header = { alg: algorithms[misbehaviour.signature ?? 'other-key'], kid: 'one' };
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  if (misbehaviour.signature === 'none') return `${text}.`;
  if (misbehaviour.signature === 'public-key') {
    const pem = createPublicKey(key).export({ format: 'pem', type: 'spki' });
    return `${text}.${createHmac('sha256', pem).update(text).digest('base64url')}`;
  }
  const signature = sign('sha256', Buffer.from(text), misbehaviour.signature === 'other-key' ? otherKey : key);
  return `${text}.${signature.toString('base64url')}`;
}

const tokenOf = ({ headers }: IncomingMessage) => (headers.authorization ?? '').replace('Bearer ', '');

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += piece;
  return text;
}
