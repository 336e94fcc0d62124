import { describe, expect, test } from 'vitest';
import { callables } from '#contract/callables.ts';
import type { KeyRight } from '#contract/endpoint.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { profileEndpoints } from '#contract/profile.ts';
import { until } from '../services/until.ts';
import { type HttpRig, openHttpRig, type Sender } from './http-rig.ts';
import { tenantsOf } from './tenants.ts';

const source = 'http://127.0.0.1:9/';

async function keyOf(rig: HttpRig, person: Sender, rights: KeyRight[], teamId?: string): Promise<Sender> {
  const { key, secret } = await rig.ask(keyEndpoints.createKey, { name: 'ci', rights, teamId }, person);
  expect(key.rights).toEqual(['search', ...rights]);
  return { authorization: `Bearer ${secret}` };
}

async function withTeam() {
  const rig = await openHttpRig({ LECTERN_ALLOW_HOSTS: '127.0.0.1:9' });
  const { team, person } = tenantsOf(rig);
  const teamId = await team({ members: { anna: 'admin', wanda: 'writer', bert: 'reader' } });
  return { rig, person, teamId };
}

describe('a key', () => {
  test('gets an error that names the missing right', async () => {
    const { rig, person } = await withTeam();
    const search = await keyOf(rig, await person('anna'), []);
    const refused = await rig.refusal(libraryEndpoints.startIndexJob, { source, visibility: 'private' }, search);
    expect(refused).toMatchObject({ status: 403, code: 'key-right-missing' });
    expect(refused.message).toContain('“Index”');
    expect(await rig.refusal(keyEndpoints.createKey, {}, search)).toMatchObject({ code: 'permission-denied' });
  });

  test('of a team indexes for the team, follows the run and retries it, while its creator has the right', async () => {
    const { rig, person, teamId } = await withTeam();
    const wanda = await person('wanda');
    const sender = await keyOf(rig, wanda, ['index'], teamId);
    const { job } = await rig.ask(libraryEndpoints.startIndexJob, { source, moduleId: 'ours' }, sender);
    expect(job).toMatchObject({ teamId, visibility: 'private', startedByUserId: 'wanda' });
    expect((await rig.ask(libraryEndpoints.getJob, { jobId: job.id }, sender)).job.id).toBe(job.id);
    await until('the run has ended', async () => {
      return (await rig.ask(libraryEndpoints.getJob, { jobId: job.id }, sender)).job.endTime ?? undefined;
    });
    await rig.ask(libraryEndpoints.retryJob, { jobId: job.id }, sender);
    const { db } = rig.running.installation.base;
    await db.query.updateTable('memberships').set({ role: 'reader' }).where('userId', '=', 'wanda').execute();
    const more = { source, moduleId: 'more' };
    expect(await rig.refusal(libraryEndpoints.startIndexJob, more, sender)).toMatchObject({
      code: 'permission-denied',
    });
  });

  test('acts only in its workspace, not in one named in the input, and not on the server’s folders', async () => {
    const { rig, person, teamId } = await withTeam();
    const own = await keyOf(rig, await person('anna'), ['index', 'manage']);
    const named = { source, teamId };
    expect(await rig.refusal(libraryEndpoints.startIndexJob, named, own)).toMatchObject({ code: 'permission-denied' });
    const ofTeam = await keyOf(rig, await person('anna'), ['index'], teamId);
    await rig.ask(
      profileEndpoints.setProfile,
      { name: 'shop', files: [{ path: 'go.mod', text: 'module x\n' }] },
      ofTeam,
    );
    expect((await rig.ask(profileEndpoints.listProfiles, {}, ofTeam)).profiles).toHaveLength(1);
    expect((await rig.ask(profileEndpoints.listProfiles, {}, own)).profiles).toEqual([]);
    const operators = await keyOf(rig, rig.operator, ['index']);
    const folder = { source: import.meta.dirname, visibility: 'private' };
    expect(await rig.refusal(libraryEndpoints.startIndexJob, folder, operators)).toMatchObject({
      ...{ status: 403, code: 'permission-denied' },
    });
  });

  test('cannot get more rights than its creator has in the team', async () => {
    const { rig, person, teamId } = await withTeam();
    const bert = await person('bert');
    for (const rights of [['index'], ['manage']]) {
      const refused = await rig.refusal(keyEndpoints.createKey, { name: 'ci', rights, teamId }, bert);
      expect(refused).toMatchObject({ status: 403, code: 'permission-denied' });
    }
    await rig.ask(keyEndpoints.createKey, { name: 'agent', teamId }, bert);
  });

  test('calls the functions that its rights cover, and is refused once it is revoked', async () => {
    const { rig, person } = await withTeam();
    const anna = await person('anna');
    const call = async (name: string, data: object, sender: Sender) =>
      rig.send(`/callable/${name}`, { method: 'POST', headers: sender, body: JSON.stringify({ data }) });
    const made = await call(callables.createApiKey.name, { name: 'ci', rights: ['index'] }, anna);
    const { result } = (await made.json()) as { result: { key: string } };
    const sender = { authorization: `Bearer ${result.key}` };
    const run = { source, moduleId: 'mine', visibility: 'private' };
    expect((await call(callables.startIndexJob.name, run, sender)).status).toBe(200);
    expect((await call(callables.removeModule.name, { moduleId: 'mine' }, sender)).status).toBe(403);
    const [key] = (await rig.ask(keyEndpoints.listKeys, {}, anna)).keys;
    await rig.ask(keyEndpoints.revokeKey, { keyId: key?.id ?? '' }, anna);
    expect((await call(callables.startIndexJob.name, run, sender)).status).toBe(401);
  });
});
