import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { connectionEndpoints } from '#contract/connections.ts';
import * as limits from '#contract/limits.ts';
import { type HttpRig, openHttpRig, type Sender } from '../http/http-rig.ts';

const redirectUri = 'http://127.0.0.1/callback';
const verifier = 'v'.repeat(64);
const challenge = createHash('sha256').update(verifier).digest('base64url');

async function register(rig: HttpRig, body: unknown = { client_name: 'Editor', redirect_uris: [redirectUri] }) {
  return rig.send('/oauth/register', { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });
}

async function clientOf(rig: HttpRig): Promise<string> {
  return ((await (await register(rig)).json()) as { client_id: string }).client_id;
}

function requestOf(clientId: string): string {
  return new URLSearchParams({
    ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri },
    ...{ code_challenge: challenge, code_challenge_method: 'S256' },
  }).toString();
}

function post(rig: HttpRig, path: string, fields: Record<string, string> | string, headers: Sender = {}) {
  return rig.send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
  });
}

async function connect(rig: HttpRig, person: Sender) {
  const clientId = await clientOf(rig);
  const input = { request: requestOf(clientId), isAllowed: true, workspaceId: 'individual' };
  const { url } = await rig.ask(connectionEndpoints.answerConsent, input, person);
  const exchange = {
    ...{ grant_type: 'authorization_code', client_id: clientId, code: new URL(url).searchParams.get('code') ?? '' },
    ...{ code_verifier: verifier, redirect_uri: redirectUri },
  };
  const response = await post(rig, '/oauth/token', exchange);
  return { clientId, exchange, response, tokens: (await response.json()) as Record<string, string> };
}

const listTools = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

function callMcp(rig: HttpRig, headers: Sender, query = '') {
  return rig.send(`/mcp${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: listTools,
  });
}

test('an unauthorized client learns where to find the authorization metadata', async () => {
  const rig = await openHttpRig();
  const address = `${rig.url}/.well-known/oauth-protected-resource/mcp`;
  const without = await callMcp(rig, {});
  expect(without.status).toBe(401);
  expect(without.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${address}", scope="docs"`);
  const wrong = await callMcp(rig, { authorization: 'Bearer lca_unknown' });
  expect(wrong.status).toBe(401);
  expect(wrong.headers.get('www-authenticate')).toBe(
    `Bearer error="invalid_token", resource_metadata="${address}", scope="docs"`,
  );
});

test('the metadata contains what the standards require', async () => {
  const rig = await openHttpRig({ LECTERN_PUBLIC_URL: 'https://docs.example/' });
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
    const response = await rig.send(path, { headers: { origin: 'https://inspector.example' } });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toEqual({
      resource: 'https://docs.example/mcp',
      authorization_servers: ['https://docs.example'],
      bearer_methods_supported: ['header'],
      scopes_supported: ['docs'],
      resource_name: 'Lectern',
    });
  }
  expect(await (await rig.send('/.well-known/oauth-authorization-server')).json()).toEqual({
    issuer: 'https://docs.example',
    authorization_endpoint: 'https://docs.example/oauth/authorize',
    token_endpoint: 'https://docs.example/oauth/token',
    registration_endpoint: 'https://docs.example/oauth/register',
    revocation_endpoint: 'https://docs.example/oauth/revoke',
    scopes_supported: ['docs', 'offline_access'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  });
});

test.each([
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server/mcp',
  '/.well-known/oauth-protected-resource/other',
])('%s returns 404 instead of a page', async (path) => {
  const rig = await openHttpRig();
  const response = await rig.send(path);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ error: { code: 'not-found' } });
});

test.each(['/oauth/token', '/oauth/register', '/oauth/revoke'])('%s does not return a page either', async (path) => {
  const rig = await openHttpRig();
  const response = await rig.send(path);
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  expect(await response.json()).toMatchObject({ error: { code: 'method-not-allowed' } });
});

test('tokens, registrations and their errors are never cached', async () => {
  const rig = await openHttpRig();
  const { response } = await connect(rig, await rig.signIn());
  for (const answer of [response, await register(rig), await post(rig, '/oauth/token', {})]) {
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  }
});

test('an access token is valid only at the MCP endpoint, in its header', async () => {
  const rig = await openHttpRig();
  const { tokens } = await connect(rig, await rig.signIn());
  const secret = tokens['access_token'] ?? '';
  const sender = { authorization: `Bearer ${secret}` };
  expect((await callMcp(rig, sender)).status).toBe(200);
  expect((await callMcp(rig, { 'x-api-key': secret })).status).toBe(401);
  expect((await callMcp(rig, {}, `?apiKey=${secret}`)).status).toBe(401);
  expect((await callMcp(rig, { authorization: `Bearer ${tokens['refresh_token']}` })).status).toBe(401);
  for (const endpoint of [connectionEndpoints.listConnections, connectionEndpoints.describeConsent]) {
    expect(await rig.refusal(endpoint, { request: '' }, sender)).toMatchObject({ status: 401 });
  }
  expect((await rig.send('/read?url=https://docs.example', { headers: sender })).status).toBe(401);
  expect((await rig.send('/api/live', { headers: sender })).status).toBe(401);
});

test('revocation by the user or by the application ends access at the next call', async () => {
  const rig = await openHttpRig();
  const person = await rig.signIn();
  for (const how of ['person', 'application'] as const) {
    const { clientId, tokens } = await connect(rig, person);
    const sender = { authorization: `Bearer ${tokens['access_token']}` };
    expect((await callMcp(rig, sender)).status).toBe(200);
    if (how === 'application') {
      const refused = await post(rig, '/oauth/revoke', { client_id: 'other', token: tokens['refresh_token'] ?? '' });
      expect(refused.status).toBe(400);
      expect((await callMcp(rig, sender)).status).toBe(200);
      const done = await post(rig, '/oauth/revoke', { client_id: clientId, token: tokens['refresh_token'] ?? '' });
      expect(done.status).toBe(200);
    } else {
      const { connections } = await rig.ask(connectionEndpoints.listConnections, {}, person);
      await rig.ask(connectionEndpoints.revokeConnection, { connectionId: connections[0]?.id ?? '' }, person);
    }
    expect((await callMcp(rig, sender)).status).toBe(401);
  }
});

test('an application’s actions are recorded under its name for the user who authorized it', async () => {
  const rig = await openHttpRig();
  const { tokens } = await connect(rig, await rig.signIn());
  const call = {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 'lectern_search_documentation', arguments: { query: 'anything at all' } },
  };
  const headers = { authorization: `Bearer ${tokens['access_token']}`, 'content-type': 'application/json' };
  expect((await rig.send('/mcp', { method: 'POST', headers, body: JSON.stringify(call) })).status).toBe(200);
  const { query } = rig.running.installation.base.db;
  const { id, userId } = await query.selectFrom('connections').selectAll().executeTakeFirstOrThrow();
  const receipts = await query.selectFrom('callReceipts').select(['userId', 'keyId', 'tool']).execute();
  expect(receipts).toEqual([{ userId, keyId: id, tool: 'search' }]);
});

test('an MCP session ends with the access it was opened with', async () => {
  const rig = await openHttpRig();
  const person = await rig.signIn();
  const { tokens } = await connect(rig, person);
  const headers = { authorization: `Bearer ${tokens['access_token']}`, 'content-type': 'application/json' };
  const initialize = {
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'editor', version: '1' } },
  };
  const opened = await rig.send('/mcp', { method: 'POST', headers, body: JSON.stringify(initialize) });
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  expect((await callMcp(rig, { ...headers, ...session })).status).toBe(200);
  const { connections } = await rig.ask(connectionEndpoints.listConnections, {}, person);
  await rig.ask(connectionEndpoints.revokeConnection, { connectionId: connections[0]?.id ?? '' }, person);
  expect((await callMcp(rig, { ...headers, ...session })).status).toBe(401);
});

test.each<[string, Record<string, string> | string, number, string]>([
  ['nothing', {}, 400, 'invalid_request'],
  ['an unknown application', { grant_type: 'authorization_code', client_id: 'app_x' }, 401, 'invalid_client'],
  ['a password', { grant_type: 'password', client_id: 'CLIENT' }, 400, 'unsupported_grant_type'],
  ['no verifier', { grant_type: 'authorization_code', client_id: 'CLIENT', code: 'x' }, 400, 'invalid_request'],
  ['a field twice', 'grant_type=refresh_token&client_id=CLIENT&client_id=CLIENT', 400, 'invalid_request'],
  [
    'an unknown code',
    { grant_type: 'authorization_code', client_id: 'CLIENT', code: 'x', code_verifier: verifier },
    400,
    'invalid_grant',
  ],
  [
    'an unknown refresh token',
    { grant_type: 'refresh_token', client_id: 'CLIENT', refresh_token: 'x' },
    400,
    'invalid_grant',
  ],
])('the token endpoint refuses %s', async (_name, fields, status, error) => {
  const rig = await openHttpRig();
  const clientId = await clientOf(rig);
  const body = (typeof fields === 'string' ? fields : new URLSearchParams(fields).toString()).replaceAll(
    'CLIENT',
    clientId,
  );
  const response = await post(rig, '/oauth/token', body);
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ error });
});

test('using a code twice revokes the access from its first exchange', async () => {
  const rig = await openHttpRig();
  const { exchange, tokens } = await connect(rig, await rig.signIn());
  expect((await post(rig, '/oauth/token', exchange)).status).toBe(400);
  expect((await callMcp(rig, { authorization: `Bearer ${tokens['access_token']}` })).status).toBe(401);
});

test('an oversized or non-JSON registration is refused, and a flood gets a retry time', async () => {
  const rig = await openHttpRig();
  expect((await register(rig, '{')).status).toBe(400);
  expect((await register(rig, 'x'.repeat(limits.clientRegistrationBytesMax + 1))).status).toBe(400);
  const answers: Response[] = [];
  for (let i = 0; i <= 60; i += 1) answers.push(await register(rig));
  const last = answers.at(-1);
  expect(answers.filter(({ status }) => status === 201).length).toBe(60);
  expect(last?.status).toBe(429);
  expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('another site can neither consent for a user nor show the consent page in a frame', async () => {
  const rig = await openHttpRig();
  const person = await rig.signIn();
  const clientId = await clientOf(rig);
  const body = JSON.stringify({ request: requestOf(clientId), isAllowed: true, workspaceId: 'individual' });
  const answer = (headers: Sender) => rig.send('/api/connections/answer', { method: 'POST', headers, body });
  expect((await answer({ cookie: person['cookie'] ?? '' })).status).toBe(403);
  expect((await answer({ ...person, origin: 'https://evil.example' })).status).toBe(403);
  expect((await answer({})).status).toBe(401);
  expect((await answer(person)).status).toBe(200);
  const page = await rig.send(`/oauth/consent?${requestOf(clientId)}`);
  expect(page.headers.get('x-frame-options')).toBe('DENY');
});

test('the authorization endpoint redirects only to the consent page, whatever the query', async () => {
  const rig = await openHttpRig();
  for (const query of ['', '?redirect_uri=https://evil.example', '?//evil.example', '?a=%0d%0alocation:%20x']) {
    const response = await rig.send(`/oauth/authorize${query}`);
    expect(response.status).toBe(303);
    expect(new URL(response.headers.get('location') ?? '', rig.url)).toMatchObject({
      origin: rig.url,
      pathname: '/oauth/consent',
    });
  }
});

test('an internal error shows an application only a request id', async () => {
  const rig = await openHttpRig();
  await rig.running.installation.base.db.query.deleteFrom('settings').execute();
  const { db } = rig.running.installation.base;
  const clientId = await clientOf(rig);
  db.transaction = () => Promise.reject(new Error('secret detail'));
  const response = await post(rig, '/oauth/token', {
    ...{ grant_type: 'refresh_token', client_id: clientId, refresh_token: 'x' },
  });
  expect(response.status).toBe(500);
  expect(await response.text()).toMatch(
    /^\{"error":"server_error","error_description":"Quote request [0-9a-f-]{36}\."\}$/,
  );
});
