import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { libraryEndpoints } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';
import { profileEndpoints } from '#contract/profile.ts';
import { startPackageRegistry } from '../services/package-registry.ts';
import { until } from '../services/until.ts';
import { type HttpRig, openHttpRig } from './http-rig.ts';

const requirements = (text: string) => [{ path: 'requirements.txt', text }];

async function openRig() {
  const registry = await startPackageRegistry();
  onTestFinished(() => registry.stop());
  const rig = await openHttpRig(registry.environment);
  return { registry, rig };
}

async function allEnded(rig: HttpRig): Promise<void> {
  await until('the runs have ended', async () => {
    const { jobs } = await rig.ask(libraryEndpoints.listJobs, {});
    return jobs.length > 0 && jobs.every(({ endTime }) => endTime !== null);
  });
}

async function search(rig: HttpRig, query: string, project = ''): Promise<string> {
  const { sender } = await rig.createKey();
  const client = new Client({ name: 'agent', version: '1.0.0' });
  const url = new URL(`${rig.url}/mcp${project === '' ? '' : `?project=${project}`}`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: sender } }));
  try {
    const answer = await client.callTool({ name: 'lectern_search_documentation', arguments: { query } });
    return JSON.stringify(answer.content);
  } finally {
    await client.close();
  }
}

test('libraries pinned in a lockfile are looked up, indexed at that version, and used for an agent’s answers', async () => {
  const { registry, rig } = await openRig();
  const { profile } = await rig.ask(profileEndpoints.setProfile, {
    name: 'shop',
    files: requirements('kettle==1.9.2\n'),
  });
  const { profileId } = profile;
  expect(profile).toMatchObject({ directCount: 1, indexedCount: 0 });
  const pin = { ecosystem: 'pypi' as const, name: 'kettle', version: '1.9.2' };
  const missing = await rig.ask(profileEndpoints.getProfile, { profileId, shown: 'missing' });
  expect(missing.libraries).toMatchObject([{ ...pin, answer: null, offers: null }]);
  const lookedUp = await rig.ask(profileEndpoints.lookUpLibraries, { profileId, libraries: [pin] });
  const offer = { kind: 'documentation', address: `${registry.url}/docs/kettle/1.9.2/`, tag: null, version: '1.9.2' };
  expect(lookedUp.libraries).toEqual([{ ...pin, offers: [offer], offersFault: null }]);
  await rig.ask(profileEndpoints.lookUpLibraries, { profileId, libraries: [pin] });
  expect(registry.asked).toHaveLength(1);
  expect((await rig.ask(libraryEndpoints.listJobs, {})).jobs).toEqual([]);

  const started = await rig.ask(profileEndpoints.indexLibraries, { profileId, libraries: [pin] });
  expect(started.libraries).toMatchObject([{ fault: null, job: { visibility: 'private' } }]);
  await allEnded(rig);
  const { libraries } = await rig.ask(profileEndpoints.getProfile, { profileId });
  expect(libraries).toMatchObject([{ answer: { version: '1.9.2', fit: 'exact' }, job: { status: 'COMPLETE' } }]);

  // A newer version of the same library, which would be searched without the pin.
  const newer = {
    source: `${registry.url}/docs/kettle/3.0/`,
    library: 'kettle',
    version: '3.0',
    visibility: 'public' as const,
  };
  await rig.ask(libraryEndpoints.startIndexJob, newer);
  await allEnded(rig);
  const answered = await search(rig, 'getting started with kettle');
  expect(answered).toContain('Install kettle 1.9.2');
  expect(answered).not.toContain('kettle 3.0');
  expect(answered).not.toContain('pinned');
  expect(await search(rig, 'kettle 3.0 getting started')).toContain('Install kettle 3.0');

  await rig.ask(profileEndpoints.setProfile, { name: 'shop', files: requirements('kettle==1.9.5\n') });
  expect(await search(rig, 'getting started with kettle')).toContain('kettle pinned 1.9.5, answered from 1.9.2');

  await rig.ask(profileEndpoints.setProfile, { name: 'cafe', files: requirements('kettle==3.0\n') });
  expect(await search(rig, 'getting started with kettle')).toContain('Install kettle 3.0');
  expect(await search(rig, 'getting started with kettle', 'shop')).toContain('Install kettle 1.9.2');
  await rig.ask(profileEndpoints.removeProfile, { profileId });
  expect(await search(rig, 'getting started with kettle', 'shop')).toContain('Install kettle 3.0');
});

test('addresses from a registry are offered only if they may be read', async () => {
  const { registry, rig } = await openRig();
  const declare = (name: string, homepage: string, repository = '') =>
    registry.answers.set(`/npm/${name}/1.0.0`, { homepage, repository });
  declare('plain', 'http://docs.example/');
  declare('file', 'file:///etc/passwd', 'file:///etc');
  declare('inside', 'https://user:secret@docs.example/');
  declare('fine', 'https://docs.example/latest/', 'https://127.0.0.1:9/owner/fine.git');
  const names = ['plain', 'file', 'inside', 'fine', 'gone'];
  registry.answers.set('/npm/gone/1.0.0', {});
  const packages = Object.fromEntries(names.map((name) => [`node_modules/${name}`, { version: '1.0.0' }]));
  const dependencies = Object.fromEntries(names.map((name) => [name, '1']));
  const text = JSON.stringify({ packages: { '': { dependencies }, ...packages } });
  const { profile } = await rig.ask(profileEndpoints.setProfile, {
    name: 'shop',
    files: [{ path: 'package-lock.json', text }],
  });
  const { profileId } = profile;
  const libraries = names.map((name) => ({ ecosystem: 'npm' as const, name, version: '1.0.0' }));
  const lookedUp = await rig.ask(profileEndpoints.lookUpLibraries, { profileId, libraries });
  expect(lookedUp.libraries.map(({ offers }) => offers?.map(({ address }) => address))).toEqual([
    [],
    [],
    [],
    ['https://docs.example/latest/', 'https://127.0.0.1:9/owner/fine.git'],
    [],
  ]);
  expect(lookedUp.libraries[3]?.offers?.[0]?.version).toBeNull();
  const [gone] = (await rig.ask(profileEndpoints.indexLibraries, { profileId, libraries: libraries.slice(4) }))
    .libraries;
  expect(gone).toMatchObject({ job: null, fault: 'Its registry names no address. Enter one.' });
  const other = { ecosystem: 'npm' as const, name: 'not-pinned', version: '1.0.0' };
  const asked = registry.asked.length;
  expect((await rig.ask(profileEndpoints.lookUpLibraries, { profileId, libraries: [other] })).libraries).toMatchObject([
    { offers: null, offersFault: 'The project no longer pins this.' },
  ]);
  expect(registry.asked).toHaveLength(asked);
  for (const address of ['/etc', 'http://127.0.0.1:1/', 'file:///etc', 'nonsense']) {
    const manual = [{ ecosystem: 'npm' as const, name: 'gone', version: '1.0.0', address }];
    const refusal = await rig.ask(profileEndpoints.indexLibraries, { profileId, libraries: manual });
    expect(refusal.libraries[0]).toMatchObject({
      job: null,
      fault: expect.stringContaining('is not an https address'),
    });
  }
});

test('an unreachable registry is reported, and queried again the next time', async () => {
  const { registry, rig } = await openRig();
  const { profile } = await rig.ask(profileEndpoints.setProfile, {
    name: 'shop',
    files: requirements('kettle==1.9\n'),
  });
  const { profileId } = profile;
  const libraries = [{ ecosystem: 'pypi' as const, name: 'kettle', version: '1.9' }];
  registry.brokenStatus = 503;
  const failed = await rig.ask(profileEndpoints.lookUpLibraries, { profileId, libraries });
  expect(failed.libraries).toMatchObject([{ offers: null, offersFault: expect.stringContaining('status 503') }]);
  registry.brokenStatus = undefined;
  const again = await rig.ask(profileEndpoints.lookUpLibraries, { profileId, libraries });
  expect(again.libraries).toMatchObject([{ offers: [{ version: '1.9' }], offersFault: null }]);
});

test('lockfiles have a larger size limit than other calls, for signed-in users', async () => {
  const rig = await openHttpRig({ LECTERN_REGISTRIES: 'off' });
  const text = `x==1\n${'# a comment that makes the file large\n'.repeat(100_000)}`;
  expect(text.length).toBeGreaterThan(3 * limits.requestBytesMax);
  const { profile } = await rig.ask(profileEndpoints.setProfile, { name: 'large', files: requirements(text) });
  expect(profile.libraryCount).toBe(1);
  const input = { name: 'x', files: requirements('x'.repeat(limits.profileBytesMax)) };
  const refusal = await rig.refusal(profileEndpoints.setProfile, input);
  expect(refusal).toMatchObject({ status: 413, code: 'body-too-large' });
  expect(JSON.stringify(refusal)).toContain(
    'The request is larger than 20,000,000 bytes. Send the lockfiles alone, not the folder they are in, and fewer of them; or run ./lectern profile in a folder further down.',
  );
  expect(await rig.refusal(profileEndpoints.setProfile, input, {})).toMatchObject({ status: 401 });
});
