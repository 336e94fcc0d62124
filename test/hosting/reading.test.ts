import { expect, test } from 'vitest';
import { hostingEndpoints } from '#contract/hosting.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { operatorEndpoints } from '#contract/operator.ts';
import { teamHeader } from '#contract/team-header.ts';
import { teamAdministration } from '#contract/teams.ts';
import { hostedIdOf } from '#server/features/catalog/index.ts';
import { openHostedCredential } from '#server/features/hosting/reading.ts';
import type { Workspace } from '#server/platform/db/schema.ts';
import { sampleTeam } from '../services/sample-team.ts';
import { until } from '../services/until.ts';
import { type HostingRig, openHostingRig } from './rig.ts';

const { addRepository, getHosting, resumeRepository, disconnectGithub } = hostingEndpoints;
const files = { 'README.md': '# Handbook', 'docs/a.md': '# A' };

/** Returns what a run would get to read with. */
async function read({ rig }: HostingRig, workspace: Workspace, moduleId: string) {
  const { base, features } = rig.running.installation;
  const hosting = features.hosting.needs;
  const row = await base.db.query
    .selectFrom('modules')
    .select('source')
    .where('workspace', '=', workspace)
    .where('slug', '=', moduleId)
    .executeTakeFirstOrThrow();
  const { url, credentialId } = JSON.parse(row.source) as { url: string; credentialId: string };
  const hostedId = hostedIdOf(credentialId) ?? '';
  const open = (use: { workspace?: Workspace; url?: string; readsFiles?: boolean } = {}) =>
    openHostedCredential(base, { hostedId, workspace, url, readsFiles: false, ...use }, hosting);
  return { open, url };
}

/** Expires the cached permissions of the host. */
async function askAgain({ rig }: HostingRig) {
  await rig.running.installation.base.db.query.updateTable('hostedRepositories').set({ checkedAt: 0 }).execute();
}

async function openTeam(part: HostingRig, members: Record<string, 'admin' | 'writer' | 'reader'>) {
  const senders = Object.fromEntries(
    await Promise.all(Object.keys(members).map(async (id) => [id, await part.person(id)] as const)),
  );
  const { db } = part.rig.running.installation.base;
  const teamId = await sampleTeam(db, { id: `team-${Object.keys(members).join('-')}`, name: 'Acme', members });
  return { teamId, senders, inTeam: (id: string) => ({ ...senders[id], [teamHeader]: teamId }) };
}

test('read credentials work only in their workspace and for their address', async () => {
  const part = await openHostingRig();
  const { rig, host, person, connect } = part;
  host.addPerson('ada');
  await host.addProject('ada/handbook', { isPrivate: true, files });
  const anna = await person('anna');
  await connect(anna, 'ada');
  const { repository } = await rig.ask(addRepository, { repository: 'ada/handbook' }, anna);
  const { open, url } = await read(part, 'user:anna', repository.moduleId);
  const { username, password } = await open();
  expect([username, password]).toEqual(['x-access-token', host.givenTokens[0]]);
  await expect(open({ workspace: 'user:berta' })).rejects.toMatchObject({ code: 'hosted-repository-not-found' });
  await expect(open({ workspace: 'public' })).rejects.toMatchObject({ code: 'hosted-repository-not-found' });
  await expect(open({ url: url.replace('handbook', 'other') })).rejects.toMatchObject({ code: 'module-changed' });
});

test('losing read access at the host pauses a repository; another team writer with access can resume it', async () => {
  const part = await openHostingRig();
  const { rig, host, connect } = part;
  for (const login of ['ada', 'ben', 'cleo']) host.addPerson(login);
  const project = await host.addProject('org/handbook', { isPrivate: true, files, readers: ['ada', 'ben'] });
  const { teamId, senders, inTeam } = await openTeam(part, {
    anna: 'admin',
    berta: 'writer',
    carla: 'writer',
    rita: 'reader',
  });
  await connect(senders['anna'] ?? {}, 'ada');
  const { repository } = await rig.ask(addRepository, { repository: 'org/handbook' }, inTeam('anna'));
  const { open } = await read(part, `team:${teamId}`, repository.moduleId);
  await open();
  project.readers.delete('ada');
  // The host's permissions are cached for 15 minutes.
  await open();
  await askAgain(part);
  await expect(open()).rejects.toMatchObject({ code: 'repository-paused' });
  await expect(open()).rejects.toMatchObject({ code: 'repository-paused' });
  const seen = async (id: string) => (await rig.ask(getHosting, {}, inTeam(id))).repositories[0];
  expect(await seen('rita')).toMatchObject({ paused: { reason: 'access-lost' }, addedBy: { isYou: false } });
  const { id } = repository;
  const refused = async (who: string) => (await rig.refusal(resumeRepository, { id }, inTeam(who))).code;
  expect(await refused('rita')).toBe('permission-denied');
  expect(await refused('carla')).toBe('hosting-not-connected');
  await connect(senders['carla'] ?? {}, 'cleo');
  expect(await refused('carla')).toBe('hosting-repository-unreadable');
  await connect(senders['berta'] ?? {}, 'ben');
  const resumed = await rig.ask(resumeRepository, { id }, inTeam('berta'));
  expect(resumed.repository).toMatchObject({ paused: null, addedBy: { isYou: true }, readBy: { login: 'ben' } });
  expect(host.tokens.get((await open()).password)?.person.login).toBe('ben');
});

test('when the person who added it leaves the team, it is paused for the team; their own copy continues', async () => {
  const part = await openHostingRig();
  const { rig, host, connect } = part;
  host.addPerson('ada');
  await host.addProject('ada/handbook', { isPrivate: true, files });
  const { teamId, senders, inTeam } = await openTeam(part, { anna: 'admin', berta: 'writer' });
  const berta = senders['berta'] ?? {};
  await connect(berta, 'ada');
  await rig.ask(addRepository, { repository: 'ada/handbook' }, inTeam('berta'));
  await rig.ask(addRepository, { repository: 'ada/handbook' }, berta);
  const { db } = rig.running.installation.base;
  const membership = await db.query
    .selectFrom('memberships')
    .select('id')
    .where('teamId', '=', teamId)
    .where('userId', '=', 'berta')
    .executeTakeFirstOrThrow();
  await rig.ask(teamAdministration.leaveTeam, { teamId, membershipId: membership.id }, berta);
  const [left] = (await rig.ask(getHosting, {}, inTeam('anna'))).repositories;
  expect(left).toMatchObject({ paused: { reason: 'adder-left' } });
  expect((await rig.ask(getHosting, {}, berta)).repositories).toMatchObject([{ paused: null }]);
  // Connecting again does not resume the team's repositories.
  await rig.ask(disconnectGithub, {}, berta);
  await connect(berta, 'ada');
  expect((await rig.ask(getHosting, {}, inTeam('anna'))).repositories).toMatchObject([
    { paused: { reason: 'adder-left' } },
  ]);
});

test('repositories that a disabled account vouches for are paused, in its teams too, until someone resumes them', async () => {
  const part = await openHostingRig();
  const { rig, host, connect } = part;
  host.addPerson('ada');
  await host.addProject('ada/handbook', { isPrivate: true, files });
  const { teamId, senders, inTeam } = await openTeam(part, { anna: 'admin', berta: 'writer' });
  await connect(senders['berta'] ?? {}, 'ada');
  const { repository } = await rig.ask(addRepository, { repository: 'ada/handbook' }, inTeam('berta'));
  const { open } = await read(part, `team:${teamId}`, repository.moduleId);
  await rig.ask(operatorEndpoints.updatePerson, { whose: 'berta', isDisabled: true });
  const paused = { paused: { reason: 'adder-disabled' } };
  expect((await rig.ask(getHosting, {}, inTeam('anna'))).repositories).toMatchObject([paused]);
  await expect(open()).rejects.toMatchObject({ code: 'repository-paused' });
  await rig.ask(operatorEndpoints.updatePerson, { whose: 'berta', isDisabled: false });
  const again = { ...(await part.person('berta')), [teamHeader]: teamId };
  const resumed = await rig.ask(resumeRepository, { id: repository.id }, again);
  expect(resumed.repository.paused).toBeNull();
});

test('a writer can read only the part of a repository that a colleague added', async () => {
  const part = await openHostingRig();
  const { rig, host, connect } = part;
  host.addPerson('ada');
  await host.addProject('ada/handbook', { isPrivate: true, files });
  const { senders, inTeam } = await openTeam(part, { anna: 'admin', berta: 'writer' });
  await connect(senders['anna'] ?? {}, 'ada');
  const { repository } = await rig.ask(addRepository, { repository: 'ada/handbook', folder: 'docs' }, inTeam('anna'));
  const { moduleId } = repository;
  await until('the first run has ended', async () =>
    (await rig.ask(libraryEndpoints.listJobs, {}, inTeam('anna'))).jobs.every(({ endTime }) => endTime !== null),
  );
  const source = `${host.url}/ada/handbook.git`;
  const main = { kind: 'branch', name: 'main' };
  for (const wanted of [
    { source },
    { source, ref: main },
    { source, ref: main, folder: 'src' },
    { source, ref: { kind: 'branch', name: 'secret' }, folder: 'docs' },
    { source: source.replace('handbook', 'other'), ref: main, folder: 'docs' },
  ]) {
    const input = { seeds: [], moduleId, replace: true, visibility: 'private', ...wanted };
    const refusal = await rig.refusal(libraryEndpoints.startIndexJob, input, inTeam('berta'));
    expect(refusal).toMatchObject({ status: 400, code: 'source-refused' });
    expect(refusal.message).toContain('keeps its repository, branch and folder');
  }
  const same = { source, moduleId, ref: { kind: 'branch', name: 'main' } as const, folder: 'docs', maxPages: 5 };
  const { job } = await rig.ask(
    libraryEndpoints.startIndexJob,
    { seeds: [], visibility: 'private', ...same },
    inTeam('berta'),
  );
  expect(job.moduleId).toBe(moduleId);
});

test('a renamed repository is read at its new address, never at the new owner of its old name', async () => {
  const part = await openHostingRig();
  const { rig, host, person, connect } = part;
  host.addPerson('ada');
  const project = await host.addProject('ada/handbook', { isPrivate: true, files });
  const anna = await person('anna');
  await connect(anna, 'ada');
  const { repository } = await rig.ask(addRepository, { repository: 'ada/handbook' }, anna);
  const before = await read(part, 'user:anna', repository.moduleId);
  host.rename(project, 'ada/guide');
  await host.addProject('ada/handbook', { files: { 'README.md': '# Somebody else' } });
  // The permissions are cached, but checked again before files are read.
  await expect(before.open({ readsFiles: true })).rejects.toMatchObject({ code: 'module-changed' });
  const after = await read(part, 'user:anna', repository.moduleId);
  expect(after.url).toBe(`${host.url}/ada/guide.git`);
  await after.open();
  expect((await rig.ask(getHosting, {}, anna)).repositories).toMatchObject([{ fullName: 'ada/guide', paused: null }]);
});

test('a wrong secret asks for a new connection and leaves the one with the right secret alone', async () => {
  const part = await openHostingRig();
  const { rig, host, person, connect } = part;
  host.addPerson('ada');
  await host.addProject('ada/handbook', { isPrivate: true, files });
  const anna = await person('anna');
  await connect(anna, 'ada');
  const { repository } = await rig.ask(addRepository, { repository: 'ada/handbook' }, anna);
  const { base } = rig.running.installation;
  // Another account's row: a value sealed for one account cannot be opened for another.
  const setAccount = (accountId: string) =>
    base.db.query.updateTable('codeHostConnections').set({ accountId }).execute();
  const { accountId } = await base.db.query.selectFrom('codeHostConnections').selectAll().executeTakeFirstOrThrow();
  await setAccount('7');
  await askAgain(part);
  const { open } = await read(part, 'user:anna', repository.moduleId);
  for (const readsFiles of [false, true]) {
    await expect(open({ readsFiles })).rejects.toMatchObject({ code: 'hosting-reconnect-needed' });
  }
  const shown = (state: string) => ({ connection: { state }, repositories: [{ paused: null }] });
  expect(await rig.ask(getHosting, {}, anna)).toMatchObject(shown('reconnect'));
  await setAccount(accountId);
  expect(await open({ readsFiles: true })).toMatchObject({ password: host.givenTokens[0] });
  expect(await rig.ask(getHosting, {}, anna)).toMatchObject(shown('connected'));
  await setAccount('7');
  // Its token is still valid at the host.
  expect(await rig.ask(disconnectGithub, {}, anna)).toMatchObject({ isRevoked: false });
});

test('an uninstalled App cannot read, and a deleted account leaves nothing at the host', async () => {
  const part = await openHostingRig(['app']);
  const { rig, host, person, connect } = part;
  host.addPerson('ada');
  const project = await host.addProject('ada/handbook', { isPrivate: true, files });
  host.install('ada', [project], 'User');
  const anna = await person('anna');
  await connect(anna, 'ada');
  const { repository } = await rig.ask(addRepository, { repository: 'ada/handbook' }, anna);
  const { open } = await read(part, 'user:anna', repository.moduleId);
  expect(host.tokens.get((await open()).password)?.client).toBe('installation');
  const response = await rig.send('/callable/deleteUserCallable', {
    method: 'POST',
    headers: anna,
    body: '{"data":{}}',
  });
  expect(response.status).toBe(200);
  const { db } = rig.running.installation.base;
  const left = async (table: 'codeHostConnections' | 'hostedRepositories') =>
    (await db.query.selectFrom(table).selectAll().execute()).length;
  expect([await left('codeHostConnections'), await left('hostedRepositories')]).toEqual([0, 0]);
  expect(await db.query.selectFrom('codeHostRevocations').selectAll().execute()).toHaveLength(1);
  await rig.ask(disconnectGithub, {}, await person('berta'));
  await until('the token is over', () => ![...host.tokens.values()].some(({ client }) => client === 'app'));
});

test('an account disabled while the host responds adds and resumes nothing', async () => {
  const part = await openHostingRig();
  const { rig, host, connect } = part;
  host.addPerson('ada');
  for (const name of ['handbook', 'notes']) await host.addProject(`ada/${name}`, { isPrivate: true, files });
  const { senders, inTeam } = await openTeam(part, { anna: 'admin', berta: 'writer' });
  for (const id of ['anna', 'berta']) await connect(senders[id] ?? {}, 'ada');
  const { repository } = await rig.ask(addRepository, { repository: 'ada/handbook' }, inTeam('anna'));
  await rig.ask(disconnectGithub, {}, senders['anna'] ?? {});
  const { promise, resolve } = Promise.withResolvers<void>();
  host.hold = promise;
  const before = host.started;
  const calls = [
    rig.refusal(addRepository, { repository: 'ada/notes' }, inTeam('berta')),
    rig.refusal(resumeRepository, { id: repository.id }, inTeam('berta')),
  ];
  await until('the host is asked', () => host.started === before + 2);
  await rig.ask(operatorEndpoints.updatePerson, { whose: 'berta', isDisabled: true });
  resolve();
  for (const call of calls) expect(await call).toMatchObject({ code: 'unauthenticated' });
  expect((await rig.ask(getHosting, {}, inTeam('anna'))).repositories).toMatchObject([
    { fullName: 'ada/handbook', paused: { reason: 'disconnected' } },
  ]);
});
