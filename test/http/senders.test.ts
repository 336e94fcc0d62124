import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { accountEndpoints } from '#contract/accounts.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { openHttpRig, rawRequest, refusalOf } from './http-rig.ts';

const source = 'https://docs.example/';

test('a key reads like its owner and changes nothing', async () => {
  const rig = await openHttpRig();
  const { keyId, sender } = await rig.createKey();
  expect(await rig.ask(libraryEndpoints.listModules, {}, sender)).toEqual({ modules: [] });
  expect(await rig.ask(accountEndpoints.getSession, {}, sender)).toMatchObject({ user: { uid: 'local-owner' } });
  const denied = { status: 403, code: 'permission-denied' };
  expect(await rig.refusal(keyEndpoints.createKey, { name: 'another' }, sender)).toMatchObject(denied);
  expect(await rig.refusal(keyEndpoints.listKeys, {}, sender)).toMatchObject(denied);
  expect(await rig.refusal(libraryEndpoints.startIndexJob, { source }, sender)).toMatchObject({
    status: 403,
    code: 'key-right-missing',
  });
  expect(await rig.refusal(accountEndpoints.createSignInLink, {}, sender)).toMatchObject(denied);
  await rig.ask(keyEndpoints.revokeKey, { keyId });
  const refused = await rig.send('/api/modules', { headers: sender });
  expect(refused.headers.get('www-authenticate')).toBe('Bearer');
  expect(await refusalOf(refused)).toMatchObject({ status: 401, code: 'key-refused' });
});

test('a key works in every place it can be sent, and a wrong key or another secret does not', async () => {
  const rig = await openHttpRig();
  const { secret } = await rig.createKey();
  const operatorToken = rig.operator['authorization']?.slice('Bearer '.length) ?? '';
  const ways: ((key: string) => [path: string, headers: Record<string, string>])[] = [
    ...['x-api-key', 'x-lectern-api-key', 'x-ref-api-key'].map(
      (name) =>
        (key: string): [string, Record<string, string>] => ['/api/session', { [name]: key }],
    ),
    (key) => [`/api/session?apiKey=${key}`, {}],
  ];
  for (const way of ways) {
    const ask = async (key: string) => {
      const [path, headers] = way(key);
      return rig.send(path, { headers });
    };
    expect(await (await ask(secret)).json()).toMatchObject({ user: { uid: 'local-owner' } });
    for (const other of [`${secret}x`, operatorToken]) {
      expect(await refusalOf(await ask(other))).toMatchObject({ status: 401, code: 'key-refused' });
    }
  }
  // A parameter of the page shown in the viewer is not an API parameter.
  const page = '/document/https://docs.example/?apiKey=demo';
  const shown = await rig.send(page, { headers: { accept: 'text/markdown' } });
  expect(await refusalOf(shown)).toMatchObject({ code: 'document-not-found' });
});

test('a wrong key is refused instead of counting as a visitor', async () => {
  const rig = await openHttpRig();
  const { secret } = await rig.createKey();
  for (const [bearer, code] of [
    [`${secret}x`, 'key-refused'],
    [secret.toLowerCase(), 'key-refused'],
    ['anything', 'key-refused'],
    [rig.operator['authorization']?.slice(7, -1), 'key-refused'],
  ]) {
    const sender = { authorization: `Bearer ${bearer}` };
    expect(await rig.refusal(libraryEndpoints.listModules, {}, sender)).toMatchObject({ status: 401, code });
  }
});

test('a visitor is asked to sign in for private data', async () => {
  const rig = await openHttpRig();
  const refused = { status: 401, code: 'unauthenticated' };
  expect(await rig.refusal(keyEndpoints.listKeys, {}, {})).toMatchObject(refused);
  expect(await rig.refusal(keyEndpoints.createKey, { name: 'a' }, {})).toMatchObject(refused);
  expect(await rig.refusal(libraryEndpoints.startIndexJob, { source }, {})).toMatchObject(refused);
  expect(await rig.refusal(accountEndpoints.createSignInLink, {}, {})).toMatchObject(refused);
  expect(await rig.ask(libraryEndpoints.listModules, {}, {})).toEqual({ modules: [] });
  const odd = { cookie: 'lectern_session=made-up', 'x-lectern-csrf': '1' };
  expect(await rig.refusal(keyEndpoints.listKeys, {}, odd)).toMatchObject(refused);
});

test('the session cookie is hidden from scripts and other sites, and is Secure on https addresses', async () => {
  for (const [publicUrl, isSecure] of [
    [undefined, false],
    ['https://docs.example', true],
  ] as const) {
    const rig = await openHttpRig(publicUrl === undefined ? {} : { LECTERN_PUBLIC_URL: publicUrl });
    const { url } = await rig.ask(accountEndpoints.createSignInLink, {});
    expect(url.startsWith(`${publicUrl ?? rig.url}/sign-in?code=`)).toBe(true);
    const body = JSON.stringify({ code: new URL(url).searchParams.get('code') });
    const response = await rig.send('/api/session', { method: 'POST', body });
    const cookie = response.headers.get('set-cookie') ?? '';
    for (const attribute of ['HttpOnly', 'SameSite=Lax', 'Path=/', 'Expires=']) expect(cookie).toContain(attribute);
    expect(cookie.includes('Secure')).toBe(isSecure);
    const [pair = ''] = cookie.split(';');
    const out = await rig.send('/api/session/end', {
      method: 'POST',
      body: '{}',
      headers: { cookie: pair, 'x-lectern-csrf': '1' },
    });
    expect(out.headers.get('set-cookie')).toMatch(/^(__Host-)?lectern_session=;.*Max-Age=0/);
    expect(cookie.startsWith('__Host-')).toBe(isSecure);
  }
});

test('a response to an expired session deletes its cookie, and no other response does', async () => {
  const rig = await openHttpRig();
  const own = await rig.signIn();
  const { sender: key } = await rig.createKey();
  const toldBy = async (headers: Record<string, string>) =>
    (await rig.send('/api/session', { headers })).headers.get('set-cookie');
  expect(await toldBy(own)).toBeNull();
  expect(await toldBy({})).toBeNull();
  expect(await toldBy({ ...key, cookie: 'lectern_session=made-up' })).toBeNull();
  await rig.send('/api/session/end', { method: 'POST', body: '{}', headers: own });
  expect(await toldBy(own)).toMatch(/^lectern_session=;.*Max-Age=0/);
});

test('another site cannot change anything with a visitor’s cookie', async () => {
  const rig = await openHttpRig();
  const { cookie = '', ...proof } = await rig.signIn();
  const create = (headers: Record<string, string>) =>
    rig.send('/api/keys', { method: 'POST', body: '{"name":"a"}', headers });
  const host = `127.0.0.1:${rig.port}`;
  const refused = { status: 403, code: 'origin-refused' };
  const foreign: Record<string, string>[] = [
    { cookie },
    { cookie, ...proof, origin: 'https://evil.example' },
    { cookie, ...proof, origin: 'null' },
    { cookie, ...proof, origin: `http://evil.${host}` },
    { cookie, ...proof, origin: `http://127.0.0.1:${rig.port + 1}` },
    { origin: 'https://evil.example', ...rig.operator },
  ];
  for (const headers of foreign) {
    expect({ headers, ...(await refusalOf(await create(headers))) }).toMatchObject({ headers, ...refused });
  }
  for (const headers of [
    { cookie, ...proof },
    { cookie, ...proof, origin: rig.url },
    { cookie, ...proof, origin: `http://${host}` },
  ]) {
    expect((await create(headers)).status).toBe(200);
  }
  expect((await rig.send('/api/keys', { headers: { cookie } })).status).toBe(200);
});

test('requests under a foreign host name are refused everywhere', async () => {
  const rig = await openHttpRig({ LECTERN_PUBLIC_URL: 'https://docs.example' });
  const paths = ['/healthz', '/', '/api/modules', '/api/live', '/mcp', '/assets/x.js', '/read?url=x'];
  const foreign = ['evil.example', `evil.example:${rig.port}`, 'localhost.evil.example', '127.0.0.1.evil.example'];
  // The last two are no host names, so no address can be made with them.
  for (const host of [...foreign, 'xn--a', '1.1.1.1.1']) {
    for (const path of paths) {
      const answer = await rawRequest(rig.port, { path, headers: { host } });
      expect({ host, path, status: answer.status }).toEqual({ host, path, status: 403 });
    }
  }
  for (const host of [
    'localhost',
    'LOCALHOST:80',
    '127.0.0.1',
    '[::1]:7',
    '192.168.0.7:99',
    hostname(),
    'docs.example',
  ]) {
    const answer = await rawRequest(rig.port, { path: '/healthz', headers: { host } });
    expect({ host, status: answer.status }).toEqual({ host, status: 200 });
  }
});

test('the operator’s token is valid for one run of the server', async () => {
  const first = await openHttpRig();
  const second = await openHttpRig();
  expect(await first.refusal(keyEndpoints.listKeys, {}, second.operator)).toMatchObject({ code: 'key-refused' });
  expect(await first.ask(keyEndpoints.listKeys, {})).toEqual({ keys: [] });
});

test('private data is found with its owner’s key and session, and by no one else', async () => {
  const rig = await openHttpRig({ LECTERN_ALLOW_HOSTS: '127.0.0.1:9' });
  const { job } = await rig.ask(libraryEndpoints.startIndexJob, {
    source: 'http://127.0.0.1:9/',
    visibility: 'private',
  });
  const [session, { sender }] = [await rig.signIn(), await rig.createKey()];
  for (const owner of [session, sender, rig.operator]) {
    expect((await rig.ask(libraryEndpoints.listJobs, {}, owner)).jobs).toHaveLength(1);
  }
  expect(await rig.ask(libraryEndpoints.listJobs, {}, {})).toEqual({ jobs: [] });
  const foreign = await rig.refusal(libraryEndpoints.getJob, { jobId: job.id }, {});
  const missing = await rig.refusal(libraryEndpoints.getJob, { jobId: 'none' }, {});
  expect(foreign).toEqual({ ...missing, requestId: foreign.requestId });
});
