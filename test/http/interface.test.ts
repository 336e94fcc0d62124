import { expect, onTestFinished, test } from 'vitest';
import { accountEndpoints } from '#contract/accounts.ts';
import { creditEndpoints } from '#contract/credits.ts';
import { documentEndpoints } from '#contract/documents.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { libraryEndpoints } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';
import { probeEndpoints } from '#contract/probes.ts';
import { profileEndpoints } from '#contract/profile.ts';
import { repositoryEndpoints } from '#contract/repositories.ts';
import { searchEndpoints } from '#contract/search.ts';
import { sourceCredentialEndpoints } from '#contract/source-credentials.ts';
import { startSampleSite } from '../library/sample-site.ts';
import { until } from '../services/until.ts';
import { openHttpRig, rawRequest, refusalOf } from './http-rig.ts';

const endpoints: Endpoint[] = [
  accountEndpoints,
  keyEndpoints,
  libraryEndpoints,
  sourceCredentialEndpoints,
  repositoryEndpoints,
  profileEndpoints,
  searchEndpoints,
  documentEndpoints,
  creditEndpoints,
].flatMap((group) => Object.values(group));

test('every endpoint of the contract responds by its schema', async () => {
  const site = await startSampleSite(3);
  onTestFinished(() => site.close());
  const rig = await openHttpRig({ LECTERN_ALLOW_HOSTS: site.host, LECTERN_REGISTRIES: 'off' });
  const asked = new Set<Endpoint>();
  const ask: typeof rig.ask = (endpoint, input, sender) => {
    asked.add(endpoint);
    return rig.ask(endpoint, input, sender);
  };
  const { url } = await ask(accountEndpoints.createSignInLink, {});
  expect(url.startsWith(`${rig.url}/sign-in?code=`)).toBe(true);
  const code = new URL(url).searchParams.get('code') ?? '';
  expect(await ask(accountEndpoints.redeemSignInLink, { code }, {})).toMatchObject({ user: { isOperator: true } });
  const session = await rig.signIn();
  expect(await ask(accountEndpoints.getSession, {}, session)).toMatchObject({ user: { uid: 'local-owner' } });
  expect(await ask(accountEndpoints.getSession, {}, {})).toMatchObject({ user: null, publicUrl: rig.url });

  const { key } = await ask(keyEndpoints.createKey, { name: 'agent' }, session);
  expect(await ask(keyEndpoints.listKeys, {}, session)).toEqual({ keys: [key] });
  expect((await ask(keyEndpoints.revealKey, { keyId: key.id }, session)).secret).toMatch(/^lec_/);
  expect(await ask(keyEndpoints.revokeKey, { keyId: key.id }, session)).toMatchObject({ key: { isActive: false } });

  const { job } = await ask(libraryEndpoints.startIndexJob, { source: site.url, moduleId: 'sample' });
  const { id: jobId } = job;
  await until('the run has ended', async () => (await ask(libraryEndpoints.getJob, { jobId })).job.endTime !== null);
  expect(await ask(libraryEndpoints.listJobs, {})).toMatchObject({ jobs: [{ id: jobId, status: 'COMPLETE' }] });
  expect(await ask(libraryEndpoints.getJobLog, { jobId })).toMatchObject({ next: null });
  expect(await ask(libraryEndpoints.recogniseSource, { address: site.url })).toMatchObject({
    source: { kind: 'site' },
  });
  expect(await ask(libraryEndpoints.getPrivateIndex, {})).toMatchObject({ index: { indexId: 'default', modules: [] } });
  const retried = await ask(libraryEndpoints.retryJob, { jobId });
  await until(
    'it has ended',
    async () => (await ask(libraryEndpoints.getJob, { jobId: retried.job.id })).job.endTime !== null,
  );
  const refreshed = await ask(libraryEndpoints.refreshModule, { moduleId: 'sample' });
  await until(
    'it has ended',
    async () => (await ask(libraryEndpoints.getJob, { jobId: refreshed.job.id })).job.endTime !== null,
  );
  expect(await ask(repositoryEndpoints.listRepositories, {})).toEqual({ repositories: [] });
  const repository = { moduleId: 'sample', visibility: 'public' as const };
  await expect(ask(repositoryEndpoints.getRepositoryWebhook, repository)).rejects.toThrow();
  await expect(ask(repositoryEndpoints.renewRepositoryWebhook, repository)).rejects.toThrow();
  await expect(ask(repositoryEndpoints.removeRepositoryWebhook, repository)).rejects.toThrow();
  expect(await ask(repositoryEndpoints.forgetHostKey, { host: 'git.example:2222' })).toEqual({ wasKnown: false });
  const lockfile = {
    path: 'package-lock.json',
    text: '{"packages":{"":{"dependencies":{"a":"1"}},"node_modules/a":{"version":"1.0.0"}}}',
  };
  const set = await ask(profileEndpoints.setProfile, { name: 'shop', files: [lockfile] });
  const { profileId } = set.profile;
  expect(await ask(profileEndpoints.listProfiles, {})).toEqual({ profiles: [set.profile] });
  expect(await ask(profileEndpoints.getProfile, { profileId })).toMatchObject({ libraries: [{ name: 'a' }], total: 1 });
  const libraries = [{ ecosystem: 'npm' as const, name: 'a', version: '1.0.0' }];
  expect(await ask(profileEndpoints.lookUpLibraries, { profileId, libraries })).toMatchObject({
    libraries: [{ name: 'a', offers: null, offersFault: expect.stringContaining('does not query registries') }],
  });
  expect(await ask(profileEndpoints.indexLibraries, { profileId, libraries })).toMatchObject({
    libraries: [{ name: 'a', job: null, fault: expect.stringContaining('does not query registries') }],
  });
  expect(await ask(profileEndpoints.removeProfile, { profileId })).toEqual({ profileId });
  const stored = await ask(sourceCredentialEndpoints.createSourceCredential, {
    ...{ url: 'https://docs.example/', secret: { kind: 'cookie', value: 'a=b' } },
  });
  const { id: credentialId } = stored.credential;
  expect(await ask(sourceCredentialEndpoints.listSourceCredentials, {})).toMatchObject({
    credentials: [stored.credential],
  });
  expect(await ask(sourceCredentialEndpoints.removeSourceCredential, { credentialId })).toEqual({});
  expect(await ask(libraryEndpoints.listModules, {}, {})).toMatchObject({ modules: [{ moduleId: 'sample' }] });
  const renamed = await ask(libraryEndpoints.renameModule, { moduleId: 'sample', displayName: 'Sample' }, session);
  expect(renamed.module).toMatchObject({ moduleId: 'sample', displayName: 'Sample' });
  const found = await ask(searchEndpoints.search, { query: 'chapter page1', limit: 2, budget: 500, module: 'sample' });
  expect(found.results.map((hit) => hit.url)).toContain(`${site.url}page1.html`);
  const read = await ask(searchEndpoints.read, { url: `${site.url}page1.html`, budget: 500, query: 'text' });
  expect(read.text).toContain('Original text 1.');
  const shown = await ask(documentEndpoints.showDocument, { url: read.url, query: 'text', tokens: 500 }, {});
  expect(shown).toMatchObject({ url: read.url, module: { moduleId: 'sample' }, cut: { text: read.text } });
  const ofPage = await ask(documentEndpoints.listModulePages, { moduleId: 'sample', words: 'page1', limit: 1 }, {});
  expect(ofPage.pages).toMatchObject([{ url: read.url, tokens: shown.tokens }]);
  expect(await ask(documentEndpoints.documentMarkdown, { url: read.url }, {})).toMatchObject({ visibility: 'public' });

  expect(await ask(creditEndpoints.getCreditInfo, {})).toMatchObject({ credits: { isUnlimited: true } });
  expect(await ask(creditEndpoints.getMonthlyUsage, {})).toEqual({ usage: null });
  const { transactions } = await ask(creditEndpoints.listTransactions, {}, session);
  expect(transactions.map(({ source }) => source)).toEqual(['usage', 'usage', 'initial']);
  expect((await ask(creditEndpoints.getUsage, {}, session)).days.at(-1)).toMatchObject({ searches: 1, reads: 1 });
  expect((await ask(creditEndpoints.getSavings, {}, session)).savings.total).toMatchObject({ searches: 1, reads: 1 });
  // A file instead of JSON: tested in test/http/credits.test.ts.
  asked.add(creditEndpoints.exportTransactions);
  // Refused while credits are off: tested in test/http/credits-off.test.ts.
  asked.add(creditEndpoints.adjustCredits);
  // For teams: tested in test/http/teams.test.ts.
  asked.add(creditEndpoints.getMemberUsage);

  const probes = [{ question: 'original text', address: read.url }];
  await ask(probeEndpoints.setProbes, { moduleId: 'sample', probes }, session);
  expect((await ask(probeEndpoints.listProbes, { moduleId: 'sample' }, {})).probes[0]).toMatchObject(probes[0] ?? {});
  // Needs a held version: tested in test/library/quality-gate.test.ts.
  asked.add(probeEndpoints.acceptJob);

  site.onRequest = () => new Promise(() => undefined);
  const second = await ask(libraryEndpoints.startIndexJob, { source: site.url, moduleId: 'sample' });
  expect(await ask(libraryEndpoints.cancelJob, { jobId: second.job.id })).toMatchObject({ job: { isCancelled: true } });
  expect(await ask(libraryEndpoints.removeModule, { moduleId: 'sample', visibility: 'public' })).toEqual({
    moduleId: 'sample',
  });
  await ask(accountEndpoints.signOut, {}, session);
  expect(await ask(accountEndpoints.getSession, {}, session)).toMatchObject({ user: null });
  expect(endpoints.filter((endpoint) => !asked.has(endpoint)).map(({ path }) => path)).toEqual([]);
});

test('an error has the envelope, with an id that is also in the headers', async () => {
  const rig = await openHttpRig();
  const cases: [Endpoint, Record<string, unknown>, number, string][] = [
    [libraryEndpoints.getJob, { jobId: 'none' }, 404, 'job-not-found'],
    [libraryEndpoints.cancelJob, { jobId: 'none' }, 404, 'job-not-found'],
    [probeEndpoints.acceptJob, { jobId: 'none' }, 404, 'job-not-found'],
    [probeEndpoints.setProbes, { moduleId: 'none', probes: [] }, 404, 'module-not-found'],
    [libraryEndpoints.removeModule, { moduleId: 'none' }, 404, 'module-not-found'],
    [libraryEndpoints.removeModule, { moduleId: 'none', visibility: 'odd' }, 400, 'invalid-input'],
    [libraryEndpoints.startIndexJob, {}, 400, 'invalid-input'],
    [libraryEndpoints.startIndexJob, { source: '  ' }, 400, 'invalid-input'],
    [libraryEndpoints.startIndexJob, { source: 'nonsense' }, 400, 'source-refused'],
    [libraryEndpoints.startIndexJob, { source: 'https://a.example/', maxPages: 0 }, 400, 'invalid-input'],
    [
      libraryEndpoints.startIndexJob,
      { source: 'https://a.example/', maxPages: limits.pagesPerJobMax + 1 },
      400,
      'invalid-input',
    ],
    [libraryEndpoints.startIndexJob, { source: 'https://a.example/', moduleId: '../x' }, 400, 'invalid-input'],
    [keyEndpoints.createKey, { name: '' }, 400, 'key-name-empty'],
    [keyEndpoints.createKey, { name: 'x'.repeat(limits.keyNameCharactersMax + 1) }, 400, 'invalid-input'],
    [keyEndpoints.createKey, { name: 7 }, 400, 'invalid-input'],
    [keyEndpoints.revokeKey, { keyId: 'none' }, 404, 'key-not-found'],
    [accountEndpoints.redeemSignInLink, { code: 'wrong' }, 401, 'sign-in-link-refused'],
    [searchEndpoints.search, {}, 400, 'invalid-input'],
    [searchEndpoints.search, { query: ' ' }, 400, 'query-empty'],
    [searchEndpoints.search, { query: 'x'.repeat(limits.queryCharactersMax + 1) }, 400, 'query-too-long'],
    [searchEndpoints.search, { query: 'x', budget: 'many' }, 400, 'invalid-input'],
    [searchEndpoints.search, { query: 'x', budget: 1 }, 400, 'invalid-input'],
    [searchEndpoints.search, { query: 'x', limit: 1.5 }, 400, 'invalid-input'],
    [searchEndpoints.read, { url: 'http://127.0.0.1:9/' }, 404, 'page-not-indexed'],
    [documentEndpoints.showDocument, {}, 400, 'invalid-input'],
    [documentEndpoints.showDocument, { url: 'https://a.example/', tokens: 1 }, 400, 'invalid-input'],
    [documentEndpoints.showDocument, { url: 'https://a.example/', limit: 61 }, 400, 'invalid-input'],
    [documentEndpoints.showDocument, { url: 'https://a.example/' }, 404, 'document-not-found'],
    [documentEndpoints.documentMarkdown, { url: 'https://a.example/' }, 404, 'document-not-found'],
    [documentEndpoints.listModulePages, { moduleId: 'nothing' }, 404, 'module-not-found'],
    [documentEndpoints.listModulePages, { moduleId: 'sample', limit: 201 }, 400, 'invalid-input'],
  ];
  for (const [endpoint, input, status, code] of cases) {
    const refusal = await rig.refusal(endpoint, input);
    expect({ input, ...refusal }).toMatchObject({ input, status, code });
    expect(refusal.message).toMatch(/\.$|required$/);
    expect(refusal.requestId).toMatch(/^[0-9a-f-]{36}$/);
  }
  const response = await rig.send('/api/jobs/none', { headers: rig.operator });
  expect(response.headers.get('x-request-id')).toBe((await refusalOf(response)).requestId);
  expect(response.headers.get('cache-control')).toBe('no-store');
});

test('a missing resource is not found, in the envelope', async () => {
  const rig = await openHttpRig();
  for (const [method, path] of [
    ['GET', '/api/nothing'],
    ['POST', '/api/'],
    ['PUT', '/api/keyes'],
    ['DELETE', '/api/sessions/none/none'],
    ['POST', '/nothing'],
    ['PATCH', '/nothing'],
  ] as const) {
    const response = await rig.send(path, { method, headers: rig.operator });
    expect({ method, path, ...(await refusalOf(response)) }).toMatchObject({ path, status: 404, code: 'not-found' });
  }
});

test('a body must be a JSON object, whatever its content type', async () => {
  const rig = await openHttpRig();
  const faults = {
    'the body is not JSON': ['{', 'name=x', '{"name":"a"}{"name":"b"}'],
    'the body is not a JSON object': ['[]', '[{"name":"a"}]', '"x"', 'null', '7'],
  };
  for (const [reason, bodies] of Object.entries(faults)) {
    const message = `The request is not valid: ${reason}.`;
    for (const body of bodies) {
      const response = await rig.send('/api/keys', { method: 'POST', headers: rig.operator, body });
      expect({ body, ...(await refusalOf(response)) }).toMatchObject({ body, status: 400, message });
    }
  }
  const polluted = '{"name":"a","__proto__":{"isOperator":true},"constructor":{"prototype":{"x":1}}}';
  const response = await rig.send('/api/keys', { method: 'POST', headers: rig.operator, body: polluted });
  expect(await refusalOf(response)).toMatchObject({ status: 400, message: expect.stringContaining('is not a field') });
  expect({}).not.toHaveProperty('isOperator');
});

test('a body over a million bytes is refused, with and without a length, and the server continues', async () => {
  const rig = await openHttpRig();
  const body = JSON.stringify({ name: 'x'.repeat(1_000_000) });
  const told = await rig.send('/api/keys', { method: 'POST', headers: rig.operator, body });
  expect(await refusalOf(told)).toMatchObject({ status: 413, code: 'body-too-large' });
  const pieces = Array.from({ length: 40 }, (_, at) => (at === 0 ? '{"name":"' : 'x'.repeat(64_000)));
  const untold = await rawRequest(rig.port, { path: '/api/keys', method: 'POST', headers: rig.operator, body: pieces });
  expect(untold).toMatchObject({ status: 413 });
  expect(untold.text).toContain('The request is larger than 1,000,000 bytes.');
  const { sender } = await rig.createKey();
  const headers = { ...sender, 'content-type': 'application/json' };
  const agent = await rawRequest(rig.port, { path: '/mcp', method: 'POST', headers, body: pieces });
  expect(agent.status).toBe(413);
  expect(JSON.parse(agent.text)).toMatchObject({
    error: {
      message: 'The request is larger than 1,000,000 bytes. Send less at once.',
      data: { code: 'body-too-large' },
    },
  });
  await expect(rig.createKey()).resolves.toBeDefined();
});

test('a GET call takes its input from the URL: numbers and word lists keep their types', async () => {
  const rig = await openHttpRig();
  const found = await rig.send('/api/search?query=a%20b%26c&limit=3&budget=400', { headers: rig.operator });
  expect(searchEndpoints.search.output.parse(await found.json())).toMatchObject({ query: 'a b&c', results: [] });
  const path = await rig.send(`/api/jobs/${encodeURIComponent('a/b?c')}`, { headers: rig.operator });
  expect(await refusalOf(path)).toMatchObject({ code: 'job-not-found' });
});
