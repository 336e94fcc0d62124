import { expect, onTestFinished, test } from 'vitest';
import { callables } from '#contract/callables.ts';
import { hostingEndpoints } from '#contract/hosting.ts';
import { identityEndpoints } from '#contract/identity.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { teamHeader } from '#contract/team-header.ts';
import { teamAdministration } from '#contract/teams.ts';
import type { Sender } from '../http/http-rig.ts';
import { callCallable } from '../services/callable-client.ts';
import { startLoopbackServer } from '../services/loopback-server.ts';
import { sampleTeam } from '../services/sample-team.ts';
import { until } from '../services/until.ts';
import { openHostingRig } from './rig.ts';

const {
  getHosting,
  listRepositories,
  listBranches,
  addRepository,
  removeRepository,
  refreshRepositoryStats,
  disconnectGithub,
} = hostingEndpoints;

const files = { 'README.md': '# Handbook', 'docs/a.md': '# A', 'docs/b.rst': 'B\n=', 'src/main.ts': 'export {}' };

test('300 repositories are listed page by page, latest push first, and searched by words', async () => {
  const { rig, host, person, connect } = await openHostingRig();
  host.addPerson('ada');
  for (let at = 1; at <= 300; at += 1) {
    const description = at % 100 === 0 ? 'Round number' : '';
    await host.addProject(`ada/project-${at}`, { isPrivate: at % 2 === 0, description });
  }
  const anna = await person('anna');
  await connect(anna, 'ada');
  const names: string[] = [];
  for (let page: number | null = 1; page !== null; ) {
    const answer: Awaited<ReturnType<typeof ask>> = await ask(page);
    names.push(...answer.repositories.map(({ fullName }) => fullName));
    expect(answer).toMatchObject({ page, total: 300, isCut: false });
    page = answer.nextPage;
  }
  async function ask(page: number) {
    return rig.ask(listRepositories, { page }, anna);
  }
  expect(names).toEqual(Array.from({ length: 300 }, (_, at) => `ada/project-${at + 1}`));
  // Three pages of a hundred repositories, requested once.
  expect(host.requests.filter((request) => request === 'GET /user/repos')).toHaveLength(3);
  const search = async (query: string) =>
    (await rig.ask(listRepositories, { query }, anna)).repositories.map(({ fullName }) => fullName);
  expect(await search('round ADA')).toEqual(['ada/project-100', 'ada/project-200', 'ada/project-300']);
  expect(await search('project-299')).toEqual(['ada/project-299']);
  expect(await search('nothing like it')).toEqual([]);
  await host.addProject('ada/newest');
  expect(await search('newest')).toEqual([]);
  expect((await rig.ask(listRepositories, { query: 'newest', isFresh: true }, anna)).total).toBe(1);
});

test('a list of empty pages ends, and a next page on another host is not followed', async () => {
  const headers: unknown[] = [];
  const other = await startLoopbackServer((request, response) => {
    headers.push(request.headers);
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  });
  onTestFinished(() => other.close());
  const allowed = { LECTERN_ALLOW_HOSTS: new URL(other.origin).host };
  const { rig, host, person, connect } = await openHostingRig(['oauth'], allowed);
  host.addPerson('ada');
  const anna = await person('anna');
  await connect(anna, 'ada');
  const asked = () => host.requests.filter((request) => request === 'GET /user/repos').length;
  host.misleadsTo = host.url;
  expect(await rig.ask(listRepositories, { isFresh: true }, anna)).toMatchObject({ repositories: [], isCut: true });
  const before = asked();
  host.misleadsTo = other.origin;
  await rig.refusal(listRepositories, { isFresh: true }, anna);
  expect(asked()).toBe(before + 1);
  expect(headers).toEqual([]);
});

test('branches and tags are listed and searched; an unreadable repository is not found', async () => {
  const { rig, host, person, connect } = await openHostingRig();
  for (const login of ['ada', 'ben']) host.addPerson(login);
  const project = await host.addProject('ada/handbook', { isPrivate: true, files });
  await project.served?.commit({ 'NEWS.md': 'news' }, { branch: 'feature/news' });
  await project.served?.tag('v1.0');
  const [anna, berta] = [await person('anna'), await person('berta')];
  await connect(anna, 'ada');
  await connect(berta, 'ben');
  const listed = await rig.ask(listBranches, { repository: `${host.url}/ada/handbook` }, anna);
  expect(listed).toMatchObject({ branches: ['feature/news', 'main'], tags: ['v1.0'], isCut: false });
  expect(listed.repository).toMatchObject({ fullName: 'ada/handbook', defaultBranch: 'main', isAdded: false });
  const search = await rig.ask(listBranches, { repository: 'ada/handbook', query: 'NEWS' }, anna);
  expect([search.branches, search.tags]).toEqual([['feature/news'], []]);
  const hidden = await rig.refusal(listBranches, { repository: 'ada/handbook' }, berta);
  expect(hidden).toMatchObject({ status: 404, code: 'hosting-repository-unreadable' });
  const missing = await rig.refusal(listBranches, { repository: 'ada/handbooc' }, berta);
  expect(missing.message.replace('handbooc', 'handbook')).toBe(hidden.message);
  for (const repository of ['handbook', '../..', 'a/b/c', 'https://evil.example/ada/handbook', 'ada/..']) {
    const refusal = await rig.refusal(listBranches, { repository }, anna);
    expect(refusal).toMatchObject({ code: 'hosting-repository-unreadable' });
  }
});

test('a repository is added once per branch and folder, with its numbers and a webhook, and removed with both', async () => {
  const { rig, host, person, connect } = await openHostingRig();
  host.addPerson('ada');
  const project = await host.addProject('ada/handbook', { isPrivate: true, files });
  await project.served?.commit({ 'NEWS.md': 'news' }, { branch: 'next' });
  const anna = await person('anna');
  await connect(anna, 'ada');
  const { repository } = await rig.ask(addRepository, { repository: 'ada/handbook' }, anna);
  expect(repository).toMatchObject({
    fullName: 'ada/handbook',
    isPrivate: true,
    ref: { kind: 'branch', name: 'main' },
    folder: null,
    moduleId: `${host.host.replace(':', '-')}~ada~handbook`,
    readBy: { kind: 'connection', login: 'ada' },
    addedBy: { isYou: true },
    paused: null,
    isTold: true,
    stats: { files: 4, documentationFiles: 3, isPartial: false, defaultBranch: 'main' },
  });
  expect(project.hooks).toHaveLength(1);
  const again = await rig.refusal(addRepository, { repository: 'ada/handbook' }, anna);
  expect(again).toMatchObject({ status: 409, code: 'repository-already-added' });
  const ref = { kind: 'branch', name: 'next' } as const;
  const part = await rig.ask(addRepository, { repository: 'ada/handbook', ref, folder: '/docs/' }, anna);
  expect(part.repository).toMatchObject({ folder: 'docs', ref, isTold: true, stats: { files: 0 } });
  expect(part.repository.moduleId).toMatch(/~ada~handbook~next~docs$/);
  expect(project.hooks).toHaveLength(1);
  const listed = await rig.ask(getHosting, {}, anna);
  expect(listed.repositories.map(({ id }) => id)).toEqual([repository.id, part.repository.id]);
  expect((await rig.ask(listRepositories, {}, anna)).repositories).toMatchObject([{ isAdded: true }]);
  await project.served?.commit({ 'docs/c.md': '# C' });
  const fresh = await rig.ask(refreshRepositoryStats, { id: repository.id }, anna);
  expect(fresh.repository.stats).toMatchObject({ files: 5, documentationFiles: 4 });
  // Another user gets the same response as for a repository that never existed.
  const berta = await person('berta');
  for (const endpoint of [removeRepository, refreshRepositoryStats, hostingEndpoints.resumeRepository]) {
    const [stranger, missing] = await Promise.all(
      [repository.id, 'none'].map((id) => rig.refusal(endpoint, { id }, berta)),
    );
    expect(stranger).toMatchObject({ status: 404, code: 'hosted-repository-not-found' });
    expect(stranger?.message).toBe(missing?.message);
  }
  await rig.ask(removeRepository, { id: part.repository.id }, anna);
  expect(project.hooks).toHaveLength(1);
  await rig.ask(removeRepository, { id: repository.id }, anna);
  await until('the webhook is gone', () => project.hooks.length === 0);
  expect((await rig.ask(getHosting, {}, anna)).repositories).toEqual([]);
  expect(await rig.refusal(removeRepository, { id: repository.id }, anna)).toMatchObject({ status: 404 });
  expect(host.complaints).toEqual([]);
});

test('simultaneous requests add one repository; a missing one is not added', async () => {
  const { rig, host, person, connect } = await openHostingRig();
  for (const login of ['ada', 'ben']) host.addPerson(login);
  await host.addProject('ada/handbook', { isPrivate: true, files });
  const [anna, berta] = [await person('anna'), await person('berta')];
  await connect(anna, 'ada');
  await connect(berta, 'ben');
  const body = JSON.stringify({ repository: 'ada/handbook' });
  const statuses = await Promise.all(
    [1, 2, 3].map(
      async () => (await rig.send('/api/hosting/repositories', { method: 'POST', headers: anna, body })).status,
    ),
  );
  expect(statuses.sort((one, other) => one - other)).toEqual([200, 409, 409]);
  expect((await rig.ask(getHosting, {}, anna)).repositories).toHaveLength(1);
  const refused = async (input: Record<string, unknown>, sender = anna) =>
    (await rig.refusal(addRepository, input, sender)).code;
  expect(await refused({ repository: 'ada/handbook' }, berta)).toBe('hosting-repository-unreadable');
  expect(await refused({ repository: 'ada/none' })).toBe('hosting-repository-unreadable');
  expect(await refused({ repository: 'ada/handbook', ref: { kind: 'tag', name: 'v9' } })).toBe('hosting-ref-not-found');
  // A branch name is escaped in the API address, so it cannot reach another one.
  const before = host.requests.length;
  const outside = { kind: 'branch', name: '../../../../../user' };
  expect(await refused({ repository: 'ada/handbook', ref: outside })).toBe('hosting-ref-not-found');
  expect(host.requests.slice(before).filter((one) => one.endsWith('/user'))).toEqual([]);
  for (const folder of ['../x', 'a/../b', 'a\\b', 'a\u0000b']) {
    expect(await refused({ repository: 'ada/handbook', folder })).toBe('invalid-input');
  }
  expect(await refused({ repository: 'ada/handbook' }, await person('carla'))).toBe('hosting-not-connected');
  expect(await refused({ repository: 'ada/handbook' }, {})).toBe('unauthenticated');
  const { sender } = await rig.createKey();
  expect(await refused({ repository: 'ada/handbook' }, sender)).toBe('permission-denied');
});

test('removing a repository in any way deletes its webhook, unless another workspace uses it', async () => {
  const part = await openHostingRig();
  const { rig, host, person, connect } = part;
  host.addPerson('ada');
  const project = await host.addProject('ada/handbook', { isPrivate: true, files });
  const { base, features, operatorContext } = rig.running.installation;
  const anna = await person('anna');
  const teamId = await sampleTeam(base.db, { id: 'acme', name: 'Acme', members: { anna: 'admin' } });
  const inTeam = { ...anna, [teamHeader]: teamId };
  await connect(anna, 'ada');
  const add = async (sender: Sender) =>
    (await rig.ask(addRepository, { repository: 'ada/handbook' }, sender)).repository;
  const sweep = async () => {
    for (const job of features.hosting.scheduledJobs) await job.run(operatorContext(), new AbortController().signal);
  };
  const own = await add(anna);
  await add(inTeam);
  await rig.ask(libraryEndpoints.removeModule, { moduleId: own.moduleId }, anna);
  await sweep();
  expect(project.hooks).toHaveLength(1);
  // Deleting a team does not wait for the host: the webhook is deleted once the host is back.
  host.trouble = 'broken';
  await rig.ask(teamAdministration.deleteTeam, { teamId }, anna);
  await sweep();
  expect(project.hooks).toHaveLength(1);
  host.trouble = undefined;
  await sweep();
  expect(project.hooks).toEqual([]);
  // Adding the repository again before the webhook is deleted keeps the webhook.
  const again = await add(anna);
  await rig.ask(libraryEndpoints.removeModule, { moduleId: again.moduleId }, anna);
  await add(anna);
  await sweep();
  expect(project.hooks).toHaveLength(1);
  // The token is kept until the webhook is deleted.
  host.trouble = 'primary-limit';
  const gone = await rig.send('/callable/deleteUserCallable', { method: 'POST', headers: anna, body: '{"data":{}}' });
  expect(gone.status).toBe(200);
  await sweep();
  expect([project.hooks.length, host.tokens.size > 0]).toEqual([1, true]);
  host.trouble = undefined;
  await sweep();
  expect(project.hooks).toEqual([]);
  await until('the token is over', () => host.tokens.size === 0);
  expect(host.complaints).toEqual([]);
});

test('a webhook also serves workspaces whose own was refused, and is deleted with the last of them', async () => {
  const { rig, host, person, connect } = await openHostingRig();
  host.addPerson('ada');
  const project = await host.addProject('ada/handbook', { isPrivate: true, files });
  const anna = await person('anna');
  const { db } = rig.running.installation.base;
  const inTeam = {
    ...anna,
    [teamHeader]: await sampleTeam(db, { id: 'acme', name: 'Acme', members: { anna: 'admin' } }),
  };
  await connect(anna, 'ada');
  const add = async (sender: Sender) =>
    (await rig.ask(addRepository, { repository: 'ada/handbook' }, sender)).repository;
  project.admins.clear();
  const own = await add(anna);
  expect(own).toMatchObject({ isTold: false });
  project.admins.add('ada');
  const shared = await add(inTeam);
  expect((await rig.ask(getHosting, {}, anna)).repositories).toMatchObject([{ id: own.id, isTold: true }]);
  // Two simultaneous requests: GitHub accepts an address once and refuses the second.
  await db.query.updateTable('hostedRepositories').set({ webhookId: null }).where('id', '=', own.id).execute();
  await rig.ask(removeRepository, { id: shared.id }, inTeam);
  await until('the webhook is taken over', async () => {
    const { repositories } = await rig.ask(getHosting, {}, anna);
    return repositories[0]?.isTold === true;
  });
  expect(project.hooks).toHaveLength(1);
  await rig.ask(removeRepository, { id: own.id }, anna);
  await until('the webhook is gone', () => project.hooks.length === 0);
  expect(host.complaints).toEqual([]);
});

test('pushes start runs again for a repository whose source was removed and added again', async () => {
  const { rig, host, person, connect } = await openHostingRig();
  host.addPerson('ada');
  const project = await host.addProject('ada/handbook', { isPrivate: true, files });
  const anna = await person('anna');
  await connect(anna, 'ada');
  const { repository } = await rig.ask(addRepository, { repository: 'ada/handbook' }, anna);
  await rig.ask(libraryEndpoints.removeModule, { moduleId: repository.moduleId }, anna);
  const [hook] = project.hooks;
  if (hook !== undefined) hook.secret = 'of another key';
  const again = await rig.ask(addRepository, { repository: 'ada/handbook' }, anna);
  expect(again.repository).toMatchObject({ isTold: true });
  expect(project.hooks).toMatchObject([{ id: hook?.id }]);
  expect(hook?.secret).toMatch(/^[0-9a-f]{64}$/);
  expect(host.complaints).toEqual([]);
});

test('without the right to create webhooks, the repository is added and checked on a schedule', async () => {
  const { rig, host, person, connect } = await openHostingRig();
  for (const login of ['ada', 'ben']) host.addPerson(login);
  const project = await host.addProject('ada/handbook', { isPrivate: true, files, readers: ['ben'] });
  const berta = await person('berta');
  await connect(berta, 'ben');
  const { repository } = await rig.ask(addRepository, { repository: 'ada/handbook' }, berta);
  expect(repository).toMatchObject({ isTold: false, stats: { files: 4 } });
  expect(project.hooks).toEqual([]);
  // This also happens if the secret that opens the webhook key is lost.
  const { db } = rig.running.installation.base;
  await db.query
    .updateTable('settings')
    .set({ value: 'of another secret' })
    .where('name', '=', 'lasting-key')
    .execute();
  const ada = await person('ada');
  await connect(ada, 'ada');
  const added = await rig.ask(addRepository, { repository: 'ada/handbook' }, ada);
  expect(added).toMatchObject({ repository: { isTold: false } });
});

test.each([
  ['primary-limit', 15],
  ['secondary-limit', 2],
] as const)('a rate limit (%s) is reported with the time to wait', async (trouble, minutes) => {
  const { rig, host, person, connect } = await openHostingRig();
  host.addPerson('ada');
  const anna = await person('anna');
  await connect(anna, 'ada');
  host.trouble = trouble;
  const refusal = await rig.refusal(listRepositories, { isFresh: true }, anna);
  expect(refusal).toMatchObject({ status: 429, code: 'hosting-rate-limited' });
  expect(refusal.message).toMatch(new RegExp(`in ${minutes} min`));
  host.trouble = undefined;
  // A rate limit does not end the connection.
  expect((await rig.ask(listRepositories, { isFresh: true }, anna)).total).toBe(0);
});

test('the App reads where it is installed, with a token for that repository only', async () => {
  const { rig, host, person, connect } = await openHostingRig(['app']);
  host.addPerson('ada');
  const project = await host.addProject('ada/handbook', { isPrivate: true, files });
  const other = await host.addProject('ada/secret', { isPrivate: true });
  host.install('ada-org', [project, other]);
  const anna = await person('anna');
  await connect(anna, 'ada');
  const { installations, installUrl } = await rig.ask(hostingEndpoints.listInstallations, {}, anna);
  expect(installations).toMatchObject([{ accountLogin: 'ada-org', accountKind: 'organization', isSuspended: false }]);
  expect(installUrl).toBe(`${host.url}/github-apps/lectern-on-loopback/installations/new`);
  const { repository } = await rig.ask(addRepository, { repository: 'ada/handbook' }, anna);
  expect(repository).toMatchObject({ readBy: { kind: 'installation', login: 'ada-org' }, isTold: true });
  const grants = [...host.tokens.values()].filter(({ client }) => client === 'installation');
  expect(grants.length).toBeGreaterThan(0);
  for (const grant of grants) expect(grant.installation?.repositoryIds).toEqual([project.id]);
  expect(host.complaints).toEqual([]);
});

test('disconnecting pauses the account’s repositories and cancels their runs; connecting again resumes', async () => {
  const { rig, host, person, connect } = await openHostingRig();
  host.addPerson('ada');
  await host.addProject('ada/handbook', { isPrivate: true, files });
  const anna = await person('anna');
  await connect(anna, 'ada');
  const { repository } = await rig.ask(addRepository, { repository: 'ada/handbook' }, anna);
  expect(await rig.ask(disconnectGithub, {}, anna)).toEqual({ paused: 1, isRevoked: true });
  const [paused] = (await rig.ask(getHosting, {}, anna)).repositories;
  expect(paused).toMatchObject({ id: repository.id, paused: { reason: 'disconnected' } });
  const refusal = await rig.refusal(refreshRepositoryStats, { id: repository.id }, anna);
  expect(refusal).toMatchObject({ status: 409, code: 'repository-paused' });
  expect(refusal.message).toContain('has disconnected GitHub');
  await connect(anna, 'ada');
  expect((await rig.ask(getHosting, {}, anna)).repositories).toMatchObject([{ paused: null }]);
});

test('the callable functions of the specification work like the endpoints', async () => {
  const { rig, host, person, connect } = await openHostingRig();
  host.addPerson('ada');
  await host.addProject('ada/handbook', { isPrivate: true, files });
  const anna = await person('anna');
  const { token } = await rig.ask(identityEndpoints.issueIdentityToken, {}, anna);
  const options = { token, origin: rig.url };
  const { url } = await callCallable(callables.startGithubOAuth, {}, options);
  expect(url.startsWith(`${host.url}/login/oauth/authorize?`)).toBe(true);
  await connect(anna, 'ada');
  expect((await callCallable(callables.listRepositories, { page: 1 }, options)).total).toBe(1);
  expect((await callCallable(callables.listBranches, { repository: 'ada/handbook' }, options)).branches).toEqual([
    'main',
  ]);
  const { repository } = await callCallable(callables.addRepository, { repository: 'ada/handbook' }, options);
  const { id } = repository;
  expect((await callCallable(callables.refreshRepositoryStats, { id }, options)).repository.stats?.files).toBe(4);
  expect(await callCallable(callables.removeRepository, { id }, options)).toEqual({ id });
  await expect(callCallable(callables.removeRepository, { id }, options)).rejects.toMatchObject({
    status: 'not-found',
  });
  await expect(callCallable(callables.listRepositories, { page: 0 }, options)).rejects.toMatchObject({
    status: 'invalid-argument',
  });
  await until('nothing is left', async () => (await rig.ask(getHosting, {}, anna)).repositories.length === 0);
});
