import { SmartRouter } from 'hono/router/smart-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { callables } from '#contract/callables.ts';
import type { Endpoint, KeyRight } from '#contract/endpoint.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { operatorEndpoints } from '#contract/operator.ts';
import { endpointGroups } from '#contract/reference.ts';
import { teamHeader } from '#contract/team-header.ts';
import { rightsFirst } from '#server/http/rights-first.ts';
import type { Sender } from '../http/http-rig.ts';
import { openStage, type Stage, type Team } from './team-cast.ts';

const endpoints = endpointGroups.flatMap(({ endpoints: ofGroup }) =>
  Object.entries(ofGroup as Record<string, Endpoint>).map(([name, endpoint]) => ({ name, endpoint })),
);

/** Calls open to visitors, whose input is checked; every other call is refused before that. */
const forVisitors = new Set([
  ...['search', 'read', 'trySearch', 'getShowcase', 'showDocument', 'listModulePages', 'documentMarkdown'],
  ...['describeChat', 'listModules', 'listJobs', 'getJob', 'getJobLog', 'listProbes', 'describeInvite'],
  ...['signUpForConf', 'confirmConf', 'leaveConf', 'findSignOn', 'getSession', 'redeemSignInLink', 'signOut'],
  ...['signInWithEmail', 'signUpWithEmail', 'sendPasswordReset', 'verifyResetCode', 'confirmReset'],
  ...['applyVerificationCode', 'disownAddress', 'getSignInMethods', 'getSite', 'getFlags', 'reportBrowserError'],
  ...['getAgentSurface', 'searchProductDocs', 'describeInterface', 'pollLive', 'getStatus', 'getStatusHistory'],
  ...['getStatusLatency', 'listIncidents'],
]);
const forOperators = new Set([
  ...['adjustCredits', 'forgetHostKey', 'listConf', 'createSignInLink', 'listOutbox', 'readOutboxMail'],
  ...['openIncident', 'updateIncident', 'resolveIncident', 'listPeople', 'createPerson', 'updatePerson'],
  ...['createPasswordLink', 'endSessionsOf', 'deletePerson', 'listInstallationAudit', 'exportInstallationAudit'],
  ...['getSettings', 'withdrawDomain'],
]);
/** Team calls open to every member. */
const forMembers = new Set(['getTeam', 'listTeamMembers', 'getMemberUsage', 'leaveTeam']);
/** Calls that change what a workspace indexes, which readers may not. */
const forWriters = new Set([
  ...['startIndexJob', 'createSourceCredential', 'setProfile', 'lookUpLibraries', 'indexLibraries', 'createPdfSet'],
  ...['renameModule', 'renamePdfSet', 'startPdfUpload', 'addRepository', 'refreshRepositoryStats', 'resumeRepository'],
  ...['indexPdfSet', 'completePdfUpload', 'getPdfUpload', 'abandonPdfUpload', 'removePdfSet', 'removePdfFile'],
  ...['removeSourceCredential', 'approveIndexRequest', 'declineIndexRequest'],
]);

/** Further calls open to every key; all other calls need a right, or a signed-in user. */
const forKeys = new Set(['getCreditInfo', 'getMonthlyUsage']);

/** Statuses of a route outside the contract, by the sender of an empty request in the team. */
interface RawRoute {
  visitor: number;
  outsider: number;
  reader: number;
  writer: number;
  admin: number;
  operator: number;
  searchKey: number;
  manageKey: number;
  revokedKey: number;
}

const person = (status: number) => ({ outsider: status, reader: status, writer: status, admin: status });
const keys = (status: number) => ({ searchKey: status, manageKey: status });
const forAll = (status: number): RawRoute => ({
  ...{ visitor: status, operator: status, revokedKey: status, ...person(status), ...keys(status) },
});
/** For keys, and not for browser sessions. */
const forAgents = (status: number): RawRoute => ({ ...forAll(401), ...keys(status), operator: status });
/** For everyone, except in another team or with a revoked key. */
const forSenders = (status: number): RawRoute => ({ ...forAll(status), outsider: 404, revokedKey: 401 });

const rawRoutes: Record<string, RawRoute> = {
  'GET /healthz': forAll(200),
  'GET /readyz': forAll(200),
  // From this machine and without a token; test/http/metrics.test.ts tests other callers.
  'GET /metrics': forAll(200),
  'GET /status.txt': forAll(200),
  'GET /status.atom': forAll(200),
  'ALL /mcp': forAgents(400),
  'ALL /mcp/': forAgents(400),
  'GET /search_documentation': forAgents(400),
  'GET /read': forAgents(400),
  'GET /v2/libs/search': forAgents(200),
  'GET /v2/context': forAgents(400),
  'GET /api/v2/libs/search': forAgents(200),
  'GET /api/v2/context': forAgents(400),
  // Only the body identifies these senders.
  'POST /webhooks/stripe': forAll(400),
  'POST /webhooks/github': forAll(403),
  'POST /webhooks/git/:moduleId': forAll(400),
  'GET /oauth/authorize': forAll(303),
  'POST /oauth/register': forAll(400),
  'POST /oauth/token': forAll(400),
  'POST /oauth/revoke': forAll(400),
  'GET /.well-known/oauth-protected-resource': forAll(200),
  'GET /.well-known/oauth-protected-resource/mcp': forAll(200),
  'GET /.well-known/oauth-protected-resource/mcp/': forAll(200),
  'GET /.well-known/oauth-authorization-server': forAll(200),
  // Pages that redirect the browser, or explain why not.
  'GET /api/identity/sign-on/start': forAll(200),
  'POST /api/identity/sign-on/start': forSenders(400),
  'GET /api/identity/sign-on/callback/:teamId': forSenders(200),
  'GET /api/identity/oauth/:provider/start': forAll(200),
  'POST /api/identity/oauth/:provider/start': forSenders(403),
  'GET /api/identity/oauth/:provider/callback': forSenders(200),
  'GET /api/hosting/github/callback': forSenders(303),
  'GET /api/live': forSenders(200),
  'GET /api/live/poll': forSenders(200),
  'GET /document/*': forSenders(200),
  'PUT /api/pdf-uploads/:uploadId/parts': { ...forSenders(400), visitor: 401, reader: 403, ...keys(403) },
  'POST /api/chat': { ...forSenders(400), ...keys(403) },
};

const bodies = [undefined, {}, { nonsense: 1, teamId: 3, name: 5 }, [], 'text'];

let stage: Stage;
let team: Team;
/** Method and path of each of the server's routes. */
let routes: string[];

beforeEach(async () => {
  const added = vi.spyOn(SmartRouter.prototype, 'add');
  stage = await openStage({ PAYMENTS: 'test' });
  routes = added.mock.calls.map(([method, path]) => `${method} ${path}`);
  added.mockRestore();
  team = await stage.team();
});

function pathOf({ path }: Endpoint, id = 'none'): string {
  const known: Record<string, string> = { teamId: team.teamId, membershipId: team.membershipIds.writer };
  return path.replace(/:(\w+)/g, (_, field: string) => known[field] ?? id);
}

async function statusesOf(endpoint: Endpoint, sender: Record<string, string>, id?: string): Promise<number[]> {
  const hasBody = endpoint.method === 'POST' || endpoint.method === 'PUT';
  const sent = hasBody ? bodies : [undefined];
  const answers = sent.map((body) => stage.send(endpoint.method, pathOf(endpoint, id), sender, body));
  return [...new Set((await Promise.all(answers)).map(({ status }) => status))];
}

test('a visitor is asked to sign in, whatever else is wrong with the request', async () => {
  const told: Record<string, number[]> = {};
  for (const { name, endpoint } of endpoints) {
    if (forVisitors.has(name)) continue;
    const statuses = await statusesOf(endpoint, stage.anonymous);
    if (statuses.join() !== '401') told[name] = statuses;
  }
  for (const { name } of Object.values(callables)) {
    if (name === callables.environment.name) continue;
    const answers = await Promise.all(
      bodies.map((data) => stage.send('POST', `/callable/${name}`, stage.anonymous, data)),
    );
    const others = answers.map(({ status }) => status).filter((status) => status !== 401);
    if (others.length > 0) told[name] = others;
  }
  expect(told).toEqual({});
});

test('operator calls are refused to other users before their input is checked', async () => {
  for (const { name, endpoint } of endpoints.filter(({ name: one }) => forOperators.has(one))) {
    expect(await statusesOf(endpoint, stage.senders.founder), name).toEqual([403]);
  }
});

test('operator calls are open to every account with that role; only the command line creates sign-in links', async () => {
  await stage.rig.ask(operatorEndpoints.updatePerson, { whose: 'founder@example.org', isOperator: true });
  for (const { name, endpoint } of endpoints.filter(({ name: one }) => forOperators.has(one))) {
    const statuses = await statusesOf(endpoint, stage.senders.founder);
    expect([name, statuses.includes(403)]).toEqual([name, name === 'createSignInLink']);
  }
});

test('another team does not exist, and a member without the right is refused, before the input is checked', async () => {
  const reader = { ...stage.senders.reader, [teamHeader]: team.teamId };
  for (const { name, endpoint } of endpoints) {
    if (endpoint.path.includes(':teamId')) {
      expect(await statusesOf(endpoint, stage.senders.outsider), name).toEqual([404]);
      if (!forMembers.has(name)) expect(await statusesOf(endpoint, stage.senders.reader), name).toEqual([403]);
    } else if (forWriters.has(name)) {
      for (const id of ['none', 'x'.repeat(300)]) expect(await statusesOf(endpoint, reader, id), name).toEqual([403]);
    }
  }
  for (const { name } of Object.values(callables).filter(({ right }) => right !== undefined)) {
    for (const body of bodies) {
      expect((await stage.send('POST', `/callable/${name}`, reader, body)).status, name).toBe(403);
    }
  }
  const part = '/api/pdf-uploads/none/parts?offset=-1';
  expect((await stage.send('PUT', part, reader)).status).toBe(403);
  expect((await stage.send('PUT', part, stage.anonymous)).status).toBe(401);
  const input = { numberOfSeats: 2, priceId: 'price_of_nobody' };
  const path = `/admin/teams/${team.teamId}/create-subscription`;
  expect((await stage.send('POST', path, stage.senders.reader, input)).status).toBe(403);
});

test('a key can make visitors’ calls and those of its rights, and is refused before the input is checked', async () => {
  const keyOf = async (rights: KeyRight[], teamId?: string) => {
    const { key, secret } = await stage.rig.ask(
      keyEndpoints.createKey,
      { name: 'ci', rights, teamId },
      stage.senders.founder,
    );
    return { id: key.id, rights: ['search', ...rights], sender: { authorization: `Bearer ${secret}` } };
  };
  const revoked = await keyOf(['index', 'manage']);
  await stage.rig.ask(keyEndpoints.revokeKey, { keyId: revoked.id }, stage.senders.founder);
  const keys = await Promise.all([keyOf([]), keyOf(['index']), keyOf(['manage']), keyOf(['index'], team.teamId)]);
  const calls = [
    ...endpoints.map(({ name, endpoint }) => ({
      ...{ name, right: endpoint.keyRight },
      ask: (sender: Sender) => statusesOf(endpoint, sender),
    })),
    ...Object.values(callables).map(({ name, keyRight }) => ({
      ...{ name, right: keyRight },
      ask: async (sender: Sender) =>
        Promise.all(
          bodies.map(async (data) => (await stage.send('POST', `/callable/${name}`, sender, { data })).status),
        ),
    })),
  ];
  const told: string[] = [];
  for (const { name, right, ask } of calls) {
    for (const { rights, sender } of keys) {
      const mayCall =
        right === undefined
          ? forVisitors.has(name) || forKeys.has(name) || name === callables.environment.name
          : rights.includes(right);
      const statuses = await ask(sender);
      const refused = statuses.filter((status) => status === 401 || status === 403);
      if (mayCall ? refused.length > 0 : refused.length < statuses.length)
        told.push(`${name} ${rights.join()}: ${statuses.join()}`);
    }
    const ended = await ask(revoked.sender);
    if (ended.some((status) => status !== 401)) told.push(`${name} revoked: ${ended.join()}`);
  }
  expect(told).toEqual([]);
});

/** Routes that only report an unknown path or method, limit bodies or answer preflights; and the pages. */
const isForAnyPath = (route: string) =>
  route === 'GET /*' ||
  /^ALL (?:\/\*|\/(?:api|admin)\/\*|\/oauth\/\w+)$/.test(route) ||
  route.endsWith(' /.well-known/*');

test('every route outside the contract is listed with its expected responses', async () => {
  const calls = new Set(
    stage.rig.running.installation.calls.map(({ endpoint: { method, path } }) => `${method} ${path}`),
  );
  const raw = routes.filter((route) => !calls.has(route) && !/ \/(?:callable|us-central1)\//.test(route));
  expect([...new Set(raw.filter((route) => !isForAnyPath(route)))].sort()).toEqual(Object.keys(rawRoutes).sort());
});

test('a route outside the contract checks the user, key or right before anything else', async () => {
  const { founder } = stage.senders;
  const keyOf = async (rights: KeyRight[]) => {
    const { key, secret } = await stage.rig.ask(
      keyEndpoints.createKey,
      { name: 'ci', rights, teamId: team.teamId },
      founder,
    );
    return { id: key.id, sender: { authorization: `Bearer ${secret}` } };
  };
  const revoked = await keyOf(['manage']);
  await stage.rig.ask(keyEndpoints.revokeKey, { keyId: revoked.id }, founder);
  const inTeam = (sender: Sender) => ({ ...sender, [teamHeader]: team.teamId });
  const { outsider, reader, writer } = stage.senders;
  const senders: Record<keyof RawRoute, Sender> = {
    ...{ visitor: stage.anonymous, operator: stage.rig.operator, admin: inTeam(founder) },
    ...{ outsider: inTeam(outsider), reader: inTeam(reader), writer: inTeam(writer), revokedKey: revoked.sender },
    ...{ searchKey: (await keyOf([])).sender, manageKey: (await keyOf(['index', 'manage'])).sender },
  };
  for (const [route, expected] of Object.entries(rawRoutes)) {
    const [method = '', pattern = ''] = route.split(' ');
    const path = pattern
      .replace('*', 'https://docs.example/a.md')
      .replace(/:(\w+)/g, (_, name: string) => ({ teamId: team.teamId, moduleId: team.moduleId })[name] ?? 'github');
    const told: Partial<RawRoute> = {};
    for (const [who, sender] of Object.entries(senders) as [keyof RawRoute, Sender][]) {
      const isRead = method === 'GET';
      const response = await stage.rig.send(path, {
        method: isRead ? 'GET' : method.replace('ALL', 'POST'),
        headers: { ...(isRead ? {} : { 'content-type': 'application/json' }), ...sender },
        ...(isRead ? {} : { body: '{}' }),
      });
      told[who] = response.status;
      await response.body?.cancel();
    }
    expect({ route, ...told }).toEqual({ route, ...expected });
  }
});

test('an unknown field of a call is refused by name, in lists and nested objects too', async () => {
  const operator = stage.rig.operator;
  for (const { name, endpoint } of endpoints) {
    if (endpoint.method !== 'POST' && endpoint.method !== 'PUT') continue;
    const sender = forOperators.has(name) ? operator : stage.senders.founder;
    const { status, body } = await stage.send(endpoint.method, pathOf(endpoint), sender, { nonsense: 1 });
    expect({ name, status, isTold: /nonsense is not a field of this call/.test(body) }).toEqual({
      ...{ name, status: 400, isTold: true },
    });
  }
  const invite = `/admin/teams/${team.teamId}/invite-members`;
  const inside = { teamMembers: [{ email: 'a@example.org', role: 'reader', seat: true }] };
  const { status, body } = await stage.send('POST', invite, stage.senders.founder, inside);
  expect([status, body]).toEqual([400, expect.stringContaining('teamMembers.0.seat is not a field of this call')]);
  const data = { name: 'laptop', label: 'desk' };
  const called = await stage.send('POST', `/callable/${callables.createApiKey.name}`, stage.senders.founder, { data });
  expect([called.status, called.body]).toEqual([400, expect.stringContaining('label is not a field of this call')]);
});

test('a call whose account is deleted while it writes returns 401, and other errors return 500', async () => {
  const { base } = stage.rig.running.installation;
  const attempt = {
    stateHash: 'h',
    sessionId: 's',
    method: 'app',
    verifierSealed: 'v',
    cont: '/',
    createdAt: 1,
  } as const;
  const fault: unknown = await base.db.query
    .insertInto('codeHostAttempts')
    .values({ ...attempt, userId: 'deleted', expiresAt: 1 })
    .execute()
    .catch((error: unknown) => error);
  const toldTo = (userId: string) =>
    rightsFirst(
      { ...base, actor: { kind: 'user', userId }, workspace: `user:${userId}`, requestId: 'r' },
      { endpoint: {}, named: {} },
      fault,
    );
  expect(await toldTo('deleted')).toMatchObject({ code: 'unauthenticated' });
  const [other] = await base.db.query.selectFrom('users').select('id').execute();
  expect(await toldTo(other?.id ?? '')).toBe(fault);
});

test('a call with the wrong method learns the right one', async () => {
  const send = (path: string, method: string) => stage.rig.send(path, { method, headers: stage.senders.founder });
  const called = await send(`/callable/${callables.createApiKey.name}`, 'GET');
  expect([called.status, called.headers.get('allow')]).toEqual([405, 'POST']);
  expect(await called.json()).toMatchObject({
    error: { status: 'unknown', details: { code: 'method-not-allowed' } },
  });
  const key = await send('/api/keys/none/reveal', 'GET');
  expect([key.status, key.headers.get('allow')]).toEqual([405, 'POST']);
  expect((await send('/callable/none', 'POST')).status).toBe(404);
  expect((await send('/api/none', 'DELETE')).status).toBe(404);
  for (const [path, method, allow] of [
    ['/api/keys', 'DELETE', 'GET, HEAD, POST'],
    ['/api/live', 'PUT', 'GET, HEAD'],
    ['/webhooks/stripe', 'GET', 'POST'],
    ['/webhooks/github', 'DELETE', 'POST'],
    ['/oauth/token', 'GET', 'POST'],
    ['/oauth/authorize', 'POST', 'GET, HEAD'],
    ['/.well-known/oauth-authorization-server', 'POST', 'GET, HEAD'],
    ['/search_documentation', 'POST', 'GET'],
    ['/search_documentation', 'HEAD', 'GET'],
    ['/v2/context', 'POST', 'GET'],
    ['/status.txt', 'POST', 'GET, HEAD'],
    ['/healthz', 'PATCH', 'GET, HEAD'],
  ] as const) {
    const { status, headers } = await send(path, method);
    expect([path, method, status, headers.get('allow')]).toEqual([path, method, 405, allow]);
  }
});
