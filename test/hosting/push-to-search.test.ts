import { expect, test } from 'vitest';
import { hostingEndpoints } from '#contract/hosting.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { searchEndpoints } from '#contract/search.ts';
import { until } from '../services/until.ts';
import { type HostingRig, openHostingRig } from './rig.ts';

const { addRepository, getHosting, listRepositories, removeRepository, disconnectGithub } = hostingEndpoints;

const pageOf = (word: string) => `# Working hours\n\nThe ${word} is open from nine to five, and closed on Sundays.\n`;

async function texts({ rig }: HostingRig, sender: Record<string, string>, query: string): Promise<string> {
  const { results } = await rig.ask(searchEndpoints.search, { query }, sender);
  return results.map(({ text }) => text).join('\n');
}

async function indexed({ rig }: HostingRig, sender: Record<string, string>, moduleId: string): Promise<void> {
  const ended = async () =>
    (await rig.ask(libraryEndpoints.listJobs, {}, sender)).jobs.find((job) => job.moduleId === moduleId)?.endTime;
  await until('the first run has ended', ended, 60_000);
}

test.each(['oauth', 'app'] as const)('%s: connect, list, add, search, push, search again, remove', async (way) => {
  const part = await openHostingRig([way]);
  const { rig, host, person, connect } = part;
  host.addPerson('ada');
  const files = { 'docs/hours.md': pageOf('cloakroom'), 'src/main.ts': 'export const answer = 42;\n' };
  const project = await host.addProject('ada/handbook', { isPrivate: true, files });
  if (way === 'app') host.install('ada-org', [project]);
  const anna = await person('anna');
  await connect(anna, 'ada');
  const [listed] = (await rig.ask(listRepositories, {}, anna)).repositories;
  const { repository } = await rig.ask(addRepository, { repository: listed?.fullName ?? '' }, anna);
  await indexed(part, anna, repository.moduleId);
  const [job] = (await rig.ask(libraryEndpoints.listJobs, {}, anna)).jobs;
  expect(job).toMatchObject({ status: 'COMPLETE', error: null });
  expect(await texts(part, anna, 'working hours')).toContain('cloakroom');
  // No other user finds it.
  expect(await texts(part, await person('berta'), 'working hours cloakroom')).not.toContain('cloakroom');

  const pushedAt = performance.now();
  await host.push(project, { 'docs/hours.md': pageOf('observatory') });
  await until('what was pushed is found', async () =>
    (await texts(part, anna, 'working hours')).includes('observatory'),
  );
  console.warn(`${way}: searchable ${((performance.now() - pushedAt) / 1000).toFixed(2)} s after the push`);
  expect(await texts(part, anna, 'working hours')).not.toContain('cloakroom');

  await rig.ask(removeRepository, { id: repository.id }, anna);
  expect(await texts(part, anna, 'working hours observatory')).not.toContain('observatory');
  expect((await rig.ask(getHosting, {}, anna)).repositories).toEqual([]);
  expect(host.complaints).toEqual([]);
});

test('disconnecting ends a run in progress, and passages indexed before remain searchable', async () => {
  const part = await openHostingRig();
  const { rig, host, person, connect } = part;
  host.addPerson('ada');
  const project = await host.addProject('ada/handbook', {
    isPrivate: true,
    files: { 'hours.md': pageOf('cloakroom') },
  });
  const anna = await person('anna');
  await connect(anna, 'ada');
  const { repository } = await rig.ask(addRepository, { repository: 'ada/handbook' }, anna);
  await indexed(part, anna, repository.moduleId);
  const held = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  const newest = async () => (await rig.ask(libraryEndpoints.listJobs, {}, anna)).jobs;
  host.git.onRequest = async (request) => {
    // Only requests of the run, not of the check before it.
    if (request.method !== 'POST' || (await newest()).every(({ endTime }) => endTime !== null)) return false;
    isHeld.resolve();
    await held.promise;
    return false;
  };
  await host.push(project, { 'hours.md': pageOf('observatory') });
  await isHeld.promise;
  expect(await rig.ask(disconnectGithub, {}, anna)).toEqual({ paused: 1, isRevoked: true });
  await until('no run is under way', async () => (await newest()).every(({ endTime }) => endTime !== null), 40_000);
  held.resolve();
  expect(await texts(part, anna, 'working hours')).toContain('cloakroom');
  expect((await rig.ask(getHosting, {}, anna)).repositories).toMatchObject([{ paused: { reason: 'disconnected' } }]);
  // A repeated push of the host changes nothing: the repository is not checked for it.
  const { query } = rig.running.installation.base.db;
  const looked = async () => ({
    runs: (await newest()).map(({ id }) => id),
    told: await query.selectFrom('repositoryWebhookLog').select(['id', 'outcome']).orderBy('at').execute(),
  });
  const before = await looked();
  expect(before.told).toMatchObject([{ outcome: 'looked' }]);
  expect(await host.push(project, { 'hours.md': pageOf('planetarium') })).toHaveLength(1);
  expect(await looked()).toEqual(before);
});
