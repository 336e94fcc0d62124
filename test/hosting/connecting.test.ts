import { expect, test } from 'vitest';
import { hostingEndpoints } from '#contract/hosting.ts';
import { openHttpRig } from '../http/http-rig.ts';
import { until } from '../services/until.ts';
import { choose, comeBack, openHostingRig } from './rig.ts';

const { getHosting, connectGithub, disconnectGithub, listRepositories, listInstallations } = hostingEndpoints;

test.each(['oauth', 'app'] as const)('%s: an account is connected and shown without its tokens', async (method) => {
  const { rig, host, person, connect } = await openHostingRig(['oauth', 'app']);
  host.addPerson('ada');
  const anna = await person('anna');
  expect(await rig.ask(getHosting, {}, anna)).toEqual({
    methods: ['app', 'oauth'],
    connection: null,
    repositories: [],
  });
  expect(await connect(anna, 'ada', method)).toBe('/resources?tab=repositories&github=connected');
  const { connection } = await rig.ask(getHosting, {}, anna);
  expect(connection).toMatchObject({ method, login: 'ada', state: 'connected', readsPrivate: true });
  expect(connection?.scopes).toEqual(method === 'oauth' ? ['repo'] : []);
  expect((await rig.ask(getHosting, {}, await person('berta'))).connection).toBeNull();
  expect(host.complaints).toEqual([]);
});

test.each([3600.0005, 1e300])('a token with a lifetime that no column holds (%d s) is connected', async (seconds) => {
  const { rig, host, person, connect } = await openHostingRig(['app']);
  host.addPerson('ada');
  host.accessSeconds = seconds;
  const anna = await person('anna');
  expect(await connect(anna, 'ada')).toBe('/resources?tab=repositories&github=connected');
  expect((await rig.ask(getHosting, {}, anna)).connection).toMatchObject({ login: 'ada', state: 'connected' });
});

test('the request to the host names the configured address, with a new state and PKCE challenge each time', async () => {
  const { rig, person } = await openHostingRig();
  const anna = await person('anna');
  const ask = async () => new URL((await rig.ask(connectGithub, {}, anna)).url).searchParams;
  const [one, two] = [await ask(), await ask()];
  expect(one.get('redirect_uri')).toBe(`${rig.url}/api/hosting/github/callback`);
  expect([one.get('scope'), one.get('code_challenge_method')]).toEqual(['repo', 'S256']);
  for (const name of ['state', 'code_challenge']) {
    expect(one.get(name)).toMatch(/^[\w-]{43}$/);
    expect(one.get(name)).not.toBe(two.get(name));
  }
});

test('a state is valid once, for ten minutes, in the session that created it only', async () => {
  const { rig, host, person } = await openHostingRig();
  host.addPerson('ada');
  const [anna, berta] = [await person('anna'), await person('berta')];
  const otherBrowser = await person('anna');
  const begin = async () => choose((await rig.ask(connectGithub, {}, anna)).url, 'ada');
  const refused = '/resources?tab=repositories&github=hosting-state-refused';
  const back = await begin();
  // A stolen state: in another user's session, in the same user's other browser, and without a session.
  expect(await comeBack(rig, back, berta)).toBe(refused);
  expect(await comeBack(rig, back, otherBrowser)).toBe(refused);
  expect(await comeBack(rig, back, {})).toBe('/resources?tab=repositories&github=unauthenticated');
  expect(await comeBack(rig, back.replace(/state=[\w-]+/, 'state=forged'), anna)).toBe(refused);
  expect(await comeBack(rig, back.replace(/state=[\w-]+/, ''), anna)).toBe(refused);
  for (const sender of [anna, berta]) expect((await rig.ask(getHosting, {}, sender)).connection).toBeNull();
  // None of these attempts has used it up for its owner.
  const answers = await Promise.all([1, 2].map(() => comeBack(rig, back, anna)));
  expect(answers.sort()).toEqual(['/resources?tab=repositories&github=connected', refused].sort());
  expect(await comeBack(rig, back, anna)).toBe(refused);
  const late = await begin();
  const { db } = rig.running.installation.base;
  await db.query
    .updateTable('codeHostAttempts')
    .set({ expiresAt: Date.now() - 1 })
    .execute();
  expect(await comeBack(rig, late, anna)).toBe(refused);
});

test('a state is used up by a wrong code too; a refusal or an unreachable host connects nothing', async () => {
  const { rig, host, person } = await openHostingRig();
  host.addPerson('ada');
  const anna = await person('anna');
  const begin = async (login: string) => choose((await rig.ask(connectGithub, {}, anna)).url, login);
  const back = await begin('ada');
  const forged = back.replace(/code=\w+/, 'code=forged');
  expect(await comeBack(rig, forged, anna)).toBe('/resources?tab=repositories&github=hosting-unreachable');
  expect(await comeBack(rig, back, anna)).toBe('/resources?tab=repositories&github=hosting-state-refused');
  expect(await comeBack(rig, await begin(''), anna)).toBe('/resources?tab=repositories&github=hosting-cancelled');
  const last = await begin('ada');
  host.trouble = 'broken';
  expect(await comeBack(rig, last, anna)).toBe('/resources?tab=repositories&github=hosting-unreachable');
  expect((await rig.ask(getHosting, {}, anna)).connection).toBeNull();
});

test('a session that ends before the host responds connects nothing and leaves no token at the host', async () => {
  const { rig, host, person } = await openHostingRig();
  host.addPerson('ada');
  const anna = await person('anna');
  const back = await choose((await rig.ask(connectGithub, {}, anna)).url, 'ada');
  const { promise, resolve } = Promise.withResolvers<void>();
  host.hold = promise;
  const coming = comeBack(rig, back, anna);
  const { db } = rig.running.installation.base;
  await until('the host is asked', async () =>
    (await db.query.selectFrom('codeHostAttempts').select('usedAt').execute()).every(({ usedAt }) => usedAt !== null),
  );
  await db.query.deleteFrom('webSessions').execute();
  resolve();
  expect(await coming).toBe('/resources?tab=repositories&github=unauthenticated');
  expect(await db.query.selectFrom('codeHostConnections').selectAll().execute()).toEqual([]);
  expect(host.givenTokens.length).toBe(1);
  await until('the token is over', () => host.tokens.size === 0);
});

test('the browser continues to a path of this site, whatever the requested target', async () => {
  const { rig, host, person } = await openHostingRig();
  host.addPerson('ada');
  const anna = await person('anna');
  const goOn = async (cont: string) =>
    comeBack(rig, await choose((await rig.ask(connectGithub, { cont }, anna)).url, 'ada'), anna);
  expect(await goOn('/resources?tab=repositories#add')).toBe('/resources?tab=repositories&github=connected#add');
  for (const cont of [
    '//evil.example/',
    '/\\evil.example',
    'https://evil.example/',
    '/.//evil.example',
    '/\t/evil.example',
    'x',
  ]) {
    expect(await goOn(cont)).toMatch(/^\/(resources\?tab=repositories&|evil\.example\?)github=connected$/);
  }
});

test('a missing configuration is reported in the words of the specification', async () => {
  const rig = await openHttpRig();
  const session = await rig.signIn();
  expect(await rig.ask(getHosting, {}, session)).toMatchObject({ methods: [], connection: null });
  for (const endpoint of [connectGithub, listRepositories, listInstallations]) {
    expect(await rig.refusal(endpoint, {}, session)).toMatchObject({
      status: 403,
      message: 'GitHub authentication is not configured',
    });
  }
});

test('disconnecting revokes the token at the host, immediately or, if the host is unreachable, later', async () => {
  const { rig, host, person, connect } = await openHostingRig();
  host.addPerson('ada');
  const anna = await person('anna');
  await connect(anna, 'ada');
  expect(host.tokens.size).toBe(1);
  expect(await rig.ask(disconnectGithub, {}, anna)).toEqual({ paused: 0, isRevoked: true });
  expect(host.tokens.size).toBe(0);
  expect(await rig.ask(disconnectGithub, {}, anna)).toEqual({ paused: 0, isRevoked: true });
  await connect(anna, 'ada');
  host.trouble = 'broken';
  expect(await rig.ask(disconnectGithub, {}, anna)).toEqual({ paused: 0, isRevoked: false });
  expect((await rig.ask(getHosting, {}, anna)).connection).toBeNull();
  expect(host.tokens.size).toBe(1);
  host.trouble = undefined;
  // However long it waited, for example after a clock jump, it is tried once more.
  await rig.running.installation.base.db.query.updateTable('codeHostRevocations').set({ createdAt: 0 }).execute();
  expect(await rig.ask(disconnectGithub, {}, anna)).toEqual({ paused: 0, isRevoked: true });
  expect(host.tokens.size).toBe(0);
});

test('a damaged row keeps no other user from seeing or ending their connection', async () => {
  const { rig, host, person, connect } = await openHostingRig();
  host.addPerson('ada');
  const anna = await person('anna');
  await connect(anna, 'ada');
  const { query } = rig.running.installation.base.db;
  const damaged = {
    id: 'damaged',
    method: 'oauth',
    tokenSealed: 'x',
    webhook: '{"rep',
    createdAt: Date.now(),
  } as const;
  await query.insertInto('codeHostRevocations').values(damaged).execute();
  await query.updateTable('codeHostConnections').set({ scopes: '["re' }).execute();
  expect((await rig.ask(getHosting, {}, anna)).connection).toMatchObject({ login: 'ada', scopes: [] });
  expect(await rig.ask(disconnectGithub, {}, anna)).toEqual({ paused: 0, isRevoked: true });
  expect(host.tokens.size).toBe(0);
});

test('a token issued while its connection is being ended is revoked too', async () => {
  const { rig, host, person, connect } = await openHostingRig(['app']);
  host.addPerson('ada');
  host.accessSeconds = 30;
  const anna = await person('anna');
  await connect(anna, 'ada');
  const { promise, resolve } = Promise.withResolvers<void>();
  host.hold = promise;
  const asking = rig.refusal(listRepositories, { isFresh: true }, anna);
  const { query } = rig.running.installation.base.db;
  const connections = () => query.selectFrom('codeHostConnections').select('refreshingUntil').execute();
  await until('a new token is asked for', async () =>
    (await connections()).some(({ refreshingUntil }) => refreshingUntil !== null),
  );
  const ending = rig.ask(disconnectGithub, {}, anna);
  await until('the connection is ended', async () => (await connections()).length === 0);
  resolve();
  expect(await asking).toMatchObject({ code: 'hosting-not-connected' });
  await ending;
  expect(host.givenTokens.length).toBe(4);
  await until('both tokens are over', () => host.tokens.size === 0);
});

test('connecting again replaces the connection and revokes its token', async () => {
  const { rig, host, person, connect } = await openHostingRig();
  for (const login of ['ada', 'ben']) host.addPerson(login);
  const anna = await person('anna');
  await connect(anna, 'ada');
  await connect(anna, 'ben');
  expect((await rig.ask(getHosting, {}, anna)).connection?.login).toBe('ben');
  await until('the first token is over', () => host.tokens.size === 1);
  expect([...host.tokens.values()].map(({ person: { login } }) => login)).toEqual(['ben']);
});

test('a token that the host rejects is noticed and reported', async () => {
  const { rig, host, person, connect } = await openHostingRig();
  host.addPerson('ada');
  const anna = await person('anna');
  await connect(anna, 'ada');
  host.tokens.clear();
  expect(await rig.refusal(listRepositories, { isFresh: true }, anna)).toMatchObject({
    status: 409,
    code: 'hosting-reconnect-needed',
  });
  expect((await rig.ask(getHosting, {}, anna)).connection?.state).toBe('reconnect');
  await connect(anna, 'ada');
  expect((await rig.ask(getHosting, {}, anna)).connection?.state).toBe('connected');
});

test('an App token about to expire is renewed once for all callers', async () => {
  const { rig, host, person, connect } = await openHostingRig(['app']);
  host.addPerson('ada');
  const project = await host.addProject('ada/handbook', { isPrivate: true });
  host.install('ada', [project]);
  // Shorter than the final minute, in which a token already counts as expired.
  host.accessSeconds = 30;
  const anna = await person('anna');
  await connect(anna, 'ada');
  const given = host.givenTokens.length;
  host.accessSeconds = 3600;
  const lists = await Promise.all([1, 2, 3].map(() => rig.ask(listRepositories, { isFresh: true }, anna)));
  expect(lists.map(({ total }) => total)).toEqual([1, 1, 1]);
  // One access token and one refresh token.
  expect(host.givenTokens.length - given).toBe(2);
  host.refreshTokens.clear();
  await rig.running.installation.base.db.query
    .updateTable('codeHostConnections')
    .set({ accessExpiresAt: Date.now() })
    .execute();
  expect(await rig.refusal(listRepositories, {}, anna)).toMatchObject({ code: 'hosting-reconnect-needed' });
  expect(await rig.ask(listInstallations, {}, await person('berta')).catch(String)).toContain('hosting-not-connected');
});

test('a token issued while the clock was ahead is renewed before the host refuses it', async () => {
  const { rig, host, person, connect } = await openHostingRig(['app']);
  host.addPerson('ada');
  const anna = await person('anna');
  await connect(anna, 'ada');
  const { query } = rig.running.installation.base.db;
  const stored = () => query.selectFrom('codeHostConnections').selectAll().executeTakeFirstOrThrow();
  const [before, ahead] = [await stored(), Date.now() + 300 * 86_400_000];
  await query.updateTable('codeHostConnections').set({ updatedAt: ahead, accessExpiresAt: ahead }).execute();
  await rig.ask(listInstallations, {}, anna);
  const after = await stored();
  expect(after.version).toBe(before.version + 1);
  expect(after.updatedAt).toBeLessThan(ahead);
  await rig.ask(listInstallations, {}, anna);
  expect((await stored()).version).toBe(after.version);
});

test('an expired refresh token is not tried: the connection asks the user to connect again', async () => {
  const { rig, host, person, connect } = await openHostingRig(['app']);
  host.addPerson('ada');
  const anna = await person('anna');
  await connect(anna, 'ada');
  const now = Date.now();
  const { query } = rig.running.installation.base.db;
  await query.updateTable('codeHostConnections').set({ accessExpiresAt: now, refreshExpiresAt: now }).execute();
  const given = host.givenTokens.length;
  expect(await rig.refusal(listRepositories, {}, anna)).toMatchObject({ code: 'hosting-reconnect-needed' });
  expect((await rig.ask(getHosting, {}, anna)).connection?.state).toBe('reconnect');
  expect(host.givenTokens.length).toBe(given);
});
