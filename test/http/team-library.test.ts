import { expect, test } from 'vitest';
import { callables } from '#contract/callables.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { type HttpRig, openHttpRig, type Sender } from './http-rig.ts';
import { tenantsOf } from './tenants.ts';

const source = 'http://127.0.0.1:9/';

async function tenants() {
  const rig = await openHttpRig({ LECTERN_ALLOW_HOSTS: new URL(source).host });
  const { team, person } = tenantsOf(rig);
  const teamId = await team({ members: { anna: 'admin', wanda: 'writer', bert: 'reader' } });
  const otherId = await team({ members: { dora: 'admin' } });
  const { db } = rig.running.installation.base;
  /** Creates a module that serves a version. */
  const serve = async (moduleId: string, workspace: `user:${string}` | `team:${string}` | 'public') => {
    await db.query
      .insertInto('modules')
      .values({
        ...{ id: `${workspace}-${moduleId}`, slug: moduleId, displayName: moduleId, workspace, kind: 'site' },
        source: JSON.stringify({ kind: 'site', url: source, seeds: [], maxPages: 5 }),
        ...{ createdAt: 0, createdByUserId: 'anna', lastUpdatedAt: 1 },
      })
      .execute();
  };
  return { rig, person, teamId, otherId, serve };
}

async function callFunction(rig: HttpRig, name: string, data: unknown, sender: Sender) {
  const response = await rig.send(`/callable/${name}`, {
    method: 'POST',
    headers: { ...sender, 'content-type': 'application/json' },
    body: JSON.stringify({ data }),
  });
  const body = (await response.json()) as { error?: { message: string; details?: { code: string } } };
  return { status: response.status, code: body.error?.details?.code, message: body.error?.message };
}

test('members read their team’s and the public documentation and runs; no private ones, and strangers not the team’s', async () => {
  const { rig, person, teamId, otherId, serve } = await tenants();
  await serve('ours', `team:${teamId}`);
  await serve('open', 'public');
  await serve('mine', 'user:bert');
  const namesOf = async (sender: Sender) =>
    (await rig.ask(libraryEndpoints.listModules, {}, sender)).modules.map(({ moduleId }) => moduleId);
  expect(await namesOf(await person('bert', teamId))).toEqual(['ours', 'open']);
  expect(await namesOf(await person('bert'))).toEqual(['mine', 'open']);
  expect(await namesOf(await person('dora', otherId))).toEqual(['open']);
  expect(await namesOf(await person('dora'))).toEqual(['open']);
  const inTeam = await rig.refusal(libraryEndpoints.listModules, {}, await person('dora', teamId));
  const missing = await rig.refusal(libraryEndpoints.listModules, {}, await person('dora', 'missing'));
  expect({ ...inTeam, requestId: '' }).toEqual({ ...missing, requestId: '' });
  expect(inTeam).toMatchObject({ status: 404, code: 'team-not-found' });
});

test('writers add, stop and remove team documentation; readers see it and cannot', async () => {
  const { rig, person, teamId } = await tenants();
  const [wanda, bert] = [await person('wanda', teamId), await person('bert', teamId)];
  const { job } = await rig.ask(libraryEndpoints.startIndexJob, { source, moduleId: 'ours' }, wanda);
  expect(job).toMatchObject({ visibility: 'private', moduleId: 'ours' });
  expect((await rig.ask(libraryEndpoints.listJobs, {}, bert)).jobs).toMatchObject([{ id: job.id }]);
  expect((await rig.ask(libraryEndpoints.getJob, { jobId: job.id }, bert)).job.id).toBe(job.id);
  for (const [endpoint, input] of [
    [libraryEndpoints.startIndexJob, { source, moduleId: 'more' }],
    [libraryEndpoints.cancelJob, { jobId: job.id }],
    [libraryEndpoints.renameModule, { moduleId: 'ours', displayName: 'Mine' }],
    [libraryEndpoints.removeModule, { moduleId: 'ours' }],
  ] as const) {
    expect(await rig.refusal(endpoint, input, bert)).toMatchObject({
      ...{ status: 403, code: 'permission-denied' },
      message: expect.stringMatching(/the role admin or writer in this team; you are a reader. Ask anna@.* or wanda@/),
    });
  }
  const rename = { moduleId: 'ours', displayName: ' Our\u202e\nguide ' };
  const { module } = await rig.ask(libraryEndpoints.renameModule, rename, wanda);
  expect(module).toMatchObject({ moduleId: 'ours', displayName: 'Our guide', visibility: 'private' });
  await rig.ask(libraryEndpoints.removeModule, { moduleId: 'ours' }, wanda);
  const again = await rig.refusal(libraryEndpoints.removeModule, { moduleId: 'ours' }, wanda);
  expect(again).toMatchObject({ code: 'module-not-found' });
  const { db } = rig.running.installation.base;
  const audit = await db.query.selectFrom('auditLog').select('action').where('teamId', '=', teamId).execute();
  expect(audit.map(({ action }) => action)).toEqual(['module.index', 'module.rename', 'module.remove']);
});

test('only the operator manages the public index, not the admins of a team', async () => {
  const { rig, person, teamId, serve } = await tenants();
  await serve('open', 'public');
  const anna = await person('anna', teamId);
  const start = { source, moduleId: 'open', visibility: 'public' as const };
  expect(await rig.refusal(libraryEndpoints.startIndexJob, start, anna)).toMatchObject({ code: 'permission-denied' });
  for (const endpoint of [libraryEndpoints.removeModule, libraryEndpoints.renameModule]) {
    const refused = await rig.refusal(endpoint, { moduleId: 'open', displayName: 'Mine' }, anna);
    expect(refused).toMatchObject({ code: 'permission-denied' });
  }
  // Rights are checked before the address.
  const internal = { ...start, source: 'http://127.0.0.1:10/' };
  expect(await rig.refusal(libraryEndpoints.startIndexJob, internal, anna)).toMatchObject({
    code: 'permission-denied',
  });
});

test('for strangers, a team’s runs, modules and functions do not exist', async () => {
  const { rig, person, teamId, otherId } = await tenants();
  const anna = await person('anna', teamId);
  const { job } = await rig.ask(libraryEndpoints.startIndexJob, { source, moduleId: 'ours' }, anna);
  const told = (answer: object, name: string) => JSON.stringify({ ...answer, requestId: '' }).replaceAll(name, '…');
  for (const stranger of [await person('dora', otherId), await person('dora'), await person('anna')]) {
    for (const [endpoint, field, id, more = {}] of [
      [libraryEndpoints.getJob, 'jobId', job.id],
      [libraryEndpoints.cancelJob, 'jobId', job.id],
      [libraryEndpoints.removeModule, 'moduleId', 'ours'],
      [libraryEndpoints.renameModule, 'moduleId', 'ours', { displayName: 'Mine' }],
    ] as const) {
      const foreign = await rig.refusal(endpoint, { ...more, [field]: id }, stranger);
      const missing = await rig.refusal(endpoint, { ...more, [field]: 'missing' }, stranger);
      expect(told(foreign, id)).toBe(told(missing, 'missing'));
      expect(foreign.status).toBe(404);
    }
  }
  const dora = await person('dora');
  for (const [{ name }, data] of [
    [callables.startIndexJob, { source, moduleId: 'ours' }],
    [callables.removeModule, { moduleId: 'ours' }],
    [callables.createApiKey, { name: 'key' }],
  ] as const) {
    const foreign = await callFunction(rig, name, { ...data, teamId }, dora);
    expect(foreign).toEqual(await callFunction(rig, name, { ...data, teamId: 'missing' }, dora));
    expect(foreign).toMatchObject({ status: 404, code: 'team-not-found' });
  }
});

test('functions act in the team named in their data', async () => {
  const { rig, person, teamId } = await tenants();
  const [wanda, bert] = [await person('wanda'), await person('bert')];
  const started = await callFunction(rig, 'startIndexJobCallable', { source, moduleId: 'ours', teamId }, wanda);
  expect(started.status).toBe(200);
  expect((await rig.ask(libraryEndpoints.listJobs, {}, await person('bert', teamId))).jobs).toHaveLength(1);
  expect((await rig.ask(libraryEndpoints.listJobs, {}, wanda)).jobs).toEqual([]);
  expect(await callFunction(rig, 'removeModuleCallable', { moduleId: 'ours', teamId }, bert)).toMatchObject({
    ...{ code: 'permission-denied', message: expect.stringContaining(' Ask anna@') },
  });
  expect((await callFunction(rig, 'removeModuleCallable', { moduleId: 'ours', teamId }, wanda)).status).toBe(200);
});
