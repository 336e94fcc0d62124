import { expect, test } from 'vitest';
import { keyEndpoints } from '#contract/keys.ts';
import { jobRunSchema, libraryEndpoints } from '#contract/library.ts';
import { liveEndpoints } from '#contract/live.ts';
import { teamAdministration, teamEndpoints } from '#contract/teams.ts';
import { holdWhileChecking } from '#server/http/live/live-stream.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import { until } from '../services/until.ts';
import { type HttpRig, openHttpRig } from './http-rig.ts';
import { listen, type Reading } from './live-reading.ts';
import { tenantsOf } from './tenants.ts';

const source = 'http://127.0.0.1:9/';
const runsOf = ({ events }: Reading) =>
  new Set(
    events.flatMap((event) =>
      event.type === 'changed' && event.query === 'jobRuns' ? [jobRunSchema.parse(event.row).moduleId] : [],
    ),
  );

async function tenants() {
  const rig = await openHttpRig({ LECTERN_ALLOW_HOSTS: new URL(source).host });
  const { team, person } = tenantsOf(rig);
  const teamId = await team({ members: { anna: 'admin', bert: 'reader', carl: 'reader' } });
  const otherId = await team({ members: { dora: 'admin' } });
  return { rig, person, teamId, otherId };
}

/** Ends the membership as an admin. */
async function remove(rig: HttpRig, teamId: string, userId: string, admin: Record<string, string>): Promise<void> {
  const { members } = await rig.ask(teamEndpoints.listTeamMembers, { teamId }, admin);
  const membershipId = members.find((member) => member.userId === userId)?.membershipId ?? '';
  await rig.ask(teamAdministration.removeMember, { teamId, membershipId }, admin);
}

test('a stream in a team, named by header or address, reports that team’s documentation and no other', async () => {
  const { rig, person, teamId, otherId } = await tenants();
  const readers = {
    header: await listen(rig.url, await person('bert', teamId)),
    address: await listen(rig.url, await person('bert'), { teamId }),
    own: await listen(rig.url, await person('bert')),
    stranger: await listen(rig.url, await person('dora', otherId)),
  };
  const run = { source, visibility: 'private' as const };
  await rig.ask(libraryEndpoints.startIndexJob, { ...run, moduleId: 'ours' }, await person('anna', teamId));
  await rig.ask(libraryEndpoints.startIndexJob, { ...run, moduleId: 'mine' }, await person('bert'));
  await rig.ask(libraryEndpoints.startIndexJob, { ...run, moduleId: 'theirs' }, await person('dora', otherId));
  for (const [reader, moduleId] of [
    [readers.header, 'ours'],
    [readers.address, 'ours'],
    [readers.own, 'mine'],
    [readers.stranger, 'theirs'],
  ] as const) {
    await until(`${moduleId} is heard of`, () => runsOf(reader).has(moduleId));
    expect([...runsOf(reader)]).toEqual([moduleId]);
  }
});

test('a stream for another team is refused like one for a team that does not exist', async () => {
  const { rig, person, teamId } = await tenants();
  const dora = await person('dora');
  for (const path of ['/api/live?teamId=', '/api/live/poll?teamId=']) {
    const [foreign, missing] = await Promise.all(
      [teamId, 'missing'].map(async (id) => {
        const response = await rig.send(`${path}${id}`, { headers: dora });
        const { error } = (await response.json()) as { error: { code: string; message: string } };
        return [response.status, error.code, error.message];
      }),
    );
    expect(foreign).toEqual(missing);
    expect(foreign?.[1]).toBe('team-not-found');
  }
});

test('removing a member from a team ends their and their key’s streams and polls in it', async () => {
  const { rig, person, teamId } = await tenants();
  const anna = await person('anna', teamId);
  const bert = await person('bert', teamId);
  const { secret } = await rig.ask(keyEndpoints.createKey, { name: 'a' }, bert);
  const key = { authorization: `Bearer ${secret}` };
  // Carl has no key whose end would be announced too.
  const readers = [bert, key, await person('carl', teamId)].map((sender) => listen(rig.url, sender));
  const [own, admin] = [await listen(rig.url, await person('bert')), await listen(rig.url, anna)];
  const { position } = await rig.ask(liveEndpoints.pollLive, {}, bert);
  const poll = rig.ask(liveEndpoints.pollLive, { after: position, queries: 'modules' }, bert);
  const told = await Promise.all(readers);
  await remove(rig, teamId, 'bert', anna);
  await remove(rig, teamId, 'carl', anna);
  announceChange(rig.running.installation.bus, { collection: 'modules', audience: `team:${teamId}` });
  for (const reader of told) {
    await until('the stream is over', reader.isOver, 10_000);
    expect(reader.events.at(-1)).toEqual({ type: 'ended' });
    expect(reader.changed()).not.toContain('modules');
  }
  expect((await poll).events).toEqual([{ type: 'ended' }]);
  await until('the admin hears of the module', () => admin.changed().includes('modules'));
  await until('the member hears of the membership', () => own.changed().includes('memberships'));
  expect([own.isOver(), admin.isOver()]).toEqual([false, false]);
  expect((await rig.send('/api/live', { headers: key })).status).toBe(401);
});

test('a member whose role changes still receives changes', async () => {
  const { rig, person, teamId } = await tenants();
  const anna = await person('anna', teamId);
  const reader = await listen(rig.url, await person('bert', teamId));
  const { members } = await rig.ask(teamEndpoints.listTeamMembers, { teamId }, anna);
  const membershipId = members.find(({ userId }) => userId === 'bert')?.membershipId ?? '';
  await rig.ask(teamAdministration.setMemberRole, { teamId, membershipId, role: 'writer' }, anna);
  announceChange(rig.running.installation.bus, { collection: 'modules', audience: `team:${teamId}` });
  await until('the module is heard of', () => reader.changed().includes('modules'));
  expect(reader.changed().indexOf('teamMembers')).toBeLessThan(reader.changed().indexOf('modules'));
});

test('a reader who switches the workspace reads everything', async () => {
  const { rig, person, teamId } = await tenants();
  const inTeam = await listen(rig.url, await person('bert', teamId));
  announceChange(rig.running.installation.bus, { collection: 'modules', audience: 'public' });
  await until('the change is heard of', () => inTeam.changed().includes('search'));
  const own = await listen(rig.url, await person('bert'), { after: inTeam.position() });
  await until('something is said', () => own.events.length > 0);
  expect(own.events[0]).toEqual({ type: 'refresh' });
});

test('changes wait while the reader’s access is checked, and then arrive in order', async () => {
  const told: string[] = [];
  let answer: () => void = () => undefined;
  let checks = 0;
  const take = holdWhileChecking({
    concernsIdentity: ({ id }) => id.startsWith('identity'),
    check: () =>
      new Promise((resolve) => {
        checks += 1;
        answer = resolve;
      }),
    tell: ({ id }) => told.push(id),
    failed: () => undefined,
  });
  const entries = ['a', 'identity', 'b', 'identity-2', 'c'];
  for (const id of entries) take({ id, change: { collection: 'modules', audience: 'public' } });
  expect(told).toEqual(['a']);
  answer();
  await until('it is asked again', () => checks === 2);
  expect(told).toEqual(['a']);
  answer();
  await until('the rest is told', () => told.length === entries.length);
  expect(told).toEqual(entries);
});
