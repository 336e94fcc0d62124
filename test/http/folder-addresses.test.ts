import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { documentPath } from '#contract/document-path.ts';
import { documentEndpoints } from '#contract/documents.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { type JobRun, libraryEndpoints } from '#contract/library.ts';
import { endpointGroups } from '#contract/reference.ts';
import { searchEndpoints } from '#contract/search.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { until } from '../services/until.ts';
import { type HttpRig, openHttpRig, refusalOf, type Sender } from './http-rig.ts';
import { listen } from './live-reading.ts';
import { tenantsOf } from './tenants.ts';

/** A part of the path that occurs nowhere else. */
const secret = 'home-of-mallory';
const subjects = ['lamps', 'wicks', 'oil', 'flints', 'mirrors', 'shutters', 'chimneys', 'brackets'];
const page = (subject: string) =>
  `# ${subject}\n\n${`All that is known about ${subject} stands here, in many words. `.repeat(12)}\n`;

/** Creates a folder with links down, up, and out of it. */
async function handbook(): Promise<string> {
  const folder = join(temporaryFolder(), secret, 'handbook');
  await mkdir(join(folder, 'guide'), { recursive: true });
  const links = subjects.map((subject) => `- [about ${subject}](guide/${subject}.md)`).join('\n');
  const files = {
    'index.md': `# Contents\n\n${links}\n- [beside](../beside/x.md)\n`,
    'guide/a b über 100%.md': `${page('quaggas')}\n- [Contents](../index.md)\n`,
    'page.html': '<title>Page</title><p>Text of <a href="guide/oil.md">a page</a> about zebras.',
    ...Object.fromEntries(subjects.map((subject) => [`guide/${subject}.md`, page(subject)])),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

async function runOf(rig: HttpRig, source: string, place: { teamId?: string } = {}): Promise<JobRun> {
  const visibility = place.teamId === undefined ? 'public' : 'private';
  const { job } = await rig.ask(libraryEndpoints.startIndexJob, { source, visibility, ...place });
  const { db } = rig.running.installation.base;
  const isOver = async () => {
    const row = await db.query.selectFrom('jobRuns').select('endTime').where('id', '=', job.id).executeTakeFirst();
    return typeof row?.endTime === 'number';
  };
  await until('the run has ended', isOver, 120_000);
  return job;
}

/** Returns a successful run, one of a missing folder, and one that was held back. */
async function runsOf(rig: HttpRig, folder: string, place: { teamId?: string } = {}): Promise<JobRun[]> {
  const first = await runOf(rig, folder, place);
  const missing = await runOf(rig, join(folder, 'nothing'), place);
  for (const subject of subjects) await writeFile(join(folder, `guide/${subject}.md`), `# ${subject}\n\nMoved.\n`);
  return [first, missing, await runOf(rig, folder, place)];
}

type Known = Record<string, readonly string[]>;

/** Returns the responses of every reading call for a sender, with every known input. */
async function toldTo(rig: HttpRig, sender: Sender, known: Known): Promise<Map<string, string>> {
  const told = new Map<string, string>();
  for (const { endpoints } of endpointGroups) {
    for (const [name, { method, path, input }] of Object.entries(endpoints)) {
      if (method !== 'GET') continue;
      const fields = Object.keys((input as { shape?: object }).shape ?? {});
      for (const values of inputsOf(fields, known)) {
        const query = new URLSearchParams(values);
        const written = path.replace(/:([A-Za-z]+)/g, (_, field: string) => {
          query.delete(field);
          return encodeURIComponent(values[field] ?? 'none');
        });
        const response = await rig.send(`${written}?${query.toString()}`, { headers: sender });
        told.set(`${name} ${JSON.stringify(values)}`, await response.text());
      }
    }
  }
  return told;
}

function inputsOf(fields: string[], known: Known): Record<string, string>[] {
  let inputs: Record<string, string>[] = [{}];
  for (const field of fields) {
    const values = known[field];
    if (values !== undefined) inputs = inputs.flatMap((input) => values.map((value) => ({ ...input, [field]: value })));
  }
  return inputs;
}

async function agentOf(rig: HttpRig, headers: Sender): Promise<Client> {
  const client = new Client({ name: 'test-agent', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${rig.url}/mcp`), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
}

/** Returns all that an agent gets of the module, as one text. */
async function toldToAgent(rig: HttpRig, headers: Sender, url: string): Promise<string> {
  const client = await agentOf(rig, headers);
  return JSON.stringify([
    await client.callTool({ name: 'lectern_search_documentation', arguments: { query: 'contents of the handbook' } }),
    await client.callTool({ name: 'lectern_search_documentation', arguments: { query: 'quaggas' } }),
    await client.callTool({ name: 'lectern_read_url', arguments: { url } }),
    await client.listResources(),
    await client.readResource({ uri: 'lectern://module/handbook' }),
    await client.readResource({ uri: 'lectern://module/handbook/pages/1' }),
  ]);
}

/** Returns the calls whose response contains the path; empty if none does. */
const leaksIn = (told: Map<string, string>) =>
  [...told].flatMap(([call, text]) => (text.includes(secret) ? [call] : []));

test('the path of a public module’s folder is shown to its operator, and to no one else in any call, page or event', async () => {
  const folder = await handbook();
  const rig = await openHttpRig();
  const { team, person } = tenantsOf(rig);
  await team({ members: { dora: 'admin' } });
  const events = await listen(rig.url, rig.visitor, { queries: 'modules,jobRuns' });
  const jobs = await runsOf(rig, folder);
  const [found] = (await rig.ask(searchEndpoints.search, { query: 'quaggas' }, rig.visitor)).results;
  expect(found?.url).toBe('folder://handbook/guide/a%20b%20%C3%BCber%20100%25.md#quaggas');
  const url = found?.url ?? '';
  const known = {
    ...{ moduleId: ['handbook'], jobId: jobs.map(({ id }) => id), url: [url, 'folder://handbook/index.md'] },
    ...{ query: ['contents of the handbook'], q: ['quaggas'], queries: ['modules,jobRuns'] },
  };
  const dora = await person('dora');
  for (const sender of [rig.visitor, dora]) {
    const told = await toldTo(rig, sender, known);
    expect(leaksIn(told)).toEqual([]);
    expect(told.get(`getJob ${JSON.stringify({ jobId: jobs[1]?.id })}`)).toContain(
      'There is no folder folder://nothing/',
    );
    expect(told.get(`getJob ${JSON.stringify({ jobId: jobs[2]?.id })}`)).toContain('"isHeld":true');
    expect(told.get('listModulePages {"moduleId":"handbook"}')).toContain('folder://handbook/guide/lamps.md');
  }
  for (const path of ['/', '/llms.txt', '/index.md', '/status.md', '/status.atom', documentPath(url)]) {
    const headers = { accept: 'text/markdown' };
    expect(await (await rig.send(path, { headers })).text()).not.toContain(secret);
  }
  expect(events.changed()).toContain('jobRuns');
  expect(JSON.stringify(events.events)).not.toContain(secret);
  const { secret: key } = await rig.ask(keyEndpoints.createKey, { name: 'agent' }, dora);
  const ofAgent = await toldToAgent(rig, { authorization: `Bearer ${key}` }, url);
  expect(ofAgent).toContain('folder://handbook/index.md');
  expect(ofAgent).not.toContain(secret);

  const { modules } = await rig.ask(libraryEndpoints.listModules, {});
  expect(modules).toMatchObject([{ moduleId: 'handbook', url: folder }]);
  const { job } = await rig.ask(libraryEndpoints.getJob, { jobId: jobs[1]?.id ?? '' });
  expect(job).toMatchObject({ url: join(folder, 'nothing'), error: expect.stringContaining(join(folder, 'nothing')) });
}, 300_000);

test('the operator and their agents read a file by its path; for others it is not found, whether or not it exists', async () => {
  const folder = await handbook();
  const rig = await openHttpRig();
  const { team, person } = tenantsOf(rig);
  await team({ members: { dora: 'admin' } });
  await runOf(rig, folder);
  const file = (name: string) => pathToFileURL(join(folder, name)).href;
  const own = await rig.createKey();
  for (const sender of [rig.operator, own.sender]) {
    const read = await rig.ask(searchEndpoints.read, { url: `${file('guide/a b über 100%.md')}#quaggas` }, sender);
    expect(read.url).toBe('folder://handbook/guide/a%20b%20%C3%BCber%20100%25.md#quaggas');
  }
  const shown = await rig.ask(documentEndpoints.showDocument, { url: file('index.md') });
  expect(shown.url).toBe('folder://handbook/index.md');
  const dora = await person('dora');
  const refusal = async (name: string, sender: Sender) => {
    const address = `/api/documents?url=${encodeURIComponent(file(name))}`;
    const { status, code, message } = await refusalOf(await rig.send(address, { headers: sender }));
    return { status, code, message: message.replaceAll(file(name), '…') };
  };
  for (const sender of [rig.visitor, dora]) {
    expect(await refusal('index.md', sender)).toEqual(await refusal('missing.md', sender));
    expect(await refusal('index.md', sender)).toMatchObject({ status: 404, code: 'document-not-found' });
  }
}, 120_000);

test('the server’s data path is shown to the operator when it makes a run fail, and to no one else', async () => {
  const rig = await openHttpRig({ LECTERN_DATA: join(temporaryFolder(), secret, 'data') });
  const events = await listen(rig.url, rig.visitor, { queries: 'jobRuns' });
  const incoming = join(rig.dataFolder, 'blobs', '.incoming');
  await rm(incoming, { recursive: true });
  // A file in place of the folder that is written to.
  await writeFile(incoming, '');
  const source = join(temporaryFolder(), 'lamps');
  await mkdir(source);
  await writeFile(join(source, 'index.md'), page('lamps'));
  const { id: jobId } = await runOf(rig, source);
  const told = async (sender: Sender) => (await rig.ask(libraryEndpoints.getJob, { jobId }, sender)).job;
  expect((await told(rig.operator)).error).toContain(join(rig.dataFolder, 'blobs'));
  expect((await told(rig.visitor)).error).toMatch(/^The server could not store the pages that the run read/);
  const calls = await toldTo(rig, rig.visitor, { jobId: [jobId], moduleId: ['lamps'], query: ['lamps'] });
  expect(leaksIn(calls)).toEqual([]);
  expect(JSON.stringify(events.events)).not.toContain(secret);
}, 120_000);

test('team members read an operator’s folder without seeing its path, also in errors', async () => {
  const folder = await handbook();
  const rig = await openHttpRig();
  const { team, person } = tenantsOf(rig);
  const { db } = rig.running.installation.base;
  const operator = await db.query
    .selectFrom('users')
    .select('id')
    .where('isOperator', '=', 1)
    .executeTakeFirstOrThrow();
  const teamId = await team({ members: { [operator.id]: 'admin', wanda: 'writer', bert: 'reader' } });
  const jobs = await runsOf(rig, folder, { teamId });
  const [wanda, bert] = [await person('wanda', teamId), await person('bert', teamId)];
  const known = { moduleId: ['handbook'], jobId: jobs.map(({ id }) => id), query: ['contents'], teamId: [teamId] };
  for (const sender of [wanda, bert]) {
    const told = await toldTo(rig, sender, known);
    expect(leaksIn(told)).toEqual([]);
    expect(told.get(`getPrivateIndex ${JSON.stringify({ teamId })}`) ?? told.get('getPrivateIndex {}')).toContain(
      'folder://handbook/',
    );
  }
  const taken = await rig.refusal(
    libraryEndpoints.startIndexJob,
    { source: 'https://handbook.example/', moduleId: 'handbook', visibility: 'private' },
    wanda,
  );
  expect(taken).toMatchObject({
    code: 'source-refused',
    message: expect.stringContaining('The module "handbook" already exists, made from folder://handbook/'),
  });
  const { modules } = await rig.ask(libraryEndpoints.listModules, {}, await person(operator.id, teamId));
  expect(modules).toMatchObject([{ url: folder, visibility: 'private' }]);
}, 300_000);
