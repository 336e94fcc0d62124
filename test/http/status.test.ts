import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { libraryEndpoints } from '#contract/library.ts';
import { searchEndpoints } from '#contract/search.ts';
import { statusEndpoints } from '#contract/status.ts';
import { cleanRig } from './status-rig.ts';

test('the server measures the status itself, and it is the same for every caller', async () => {
  const { rig, sample } = await cleanRig();
  await sample();
  const report = await rig.ask(statusEndpoints.getStatus, {}, rig.visitor);
  expect(report.state).toBe('operational');
  expect(report.checks.map(({ part, state }) => [part, state])).toEqual([
    ['search', 'unknown'],
    ['database', 'operational'],
    ['files', 'operational'],
    ['jobs', 'operational'],
    ['secret', 'operational'],
  ]);
  const answer = await rig.send('/api/status');
  expect(answer.headers.get('cache-control')).toBe('public, max-age=15');
  expect(answer.headers.get('set-cookie')).toBeNull();
  const history = await rig.ask(statusEndpoints.getStatusHistory, {}, rig.visitor);
  expect(history.parts.find(({ part }) => part === 'database')?.days).toHaveLength(90);
});

test('an unreachable search cluster is reported, even if no public module is searched in it', async () => {
  const { rig, sample } = await cleanRig({ LECTERN_SEARCH_URL: 'http://127.0.0.1:9' });
  await sample();
  const report = await rig.ask(statusEndpoints.getStatus, {}, rig.visitor);
  expect(report.state).toBe('degraded');
  expect(report.checks.filter(({ part }) => part.startsWith('search')).map(({ part, state }) => [part, state])).toEqual(
    [
      ['search', 'unknown'],
      ['search-cluster', 'down'],
    ],
  );
});

test('a search cluster with working searches is operational, whatever its replicas and its user’s rights', async () => {
  const cluster = { health: 'green', status: 200, searchStatus: 200, hangs: 0, holder: undefined as unknown };
  const url = await startClusterDouble(cluster);
  const { rig, sample } = await cleanRig({ LECTERN_SEARCH_URL: url });
  const { last } = rig.running.installation.features.status.needs.sampling;
  const found = async (change: Partial<typeof cluster>) => {
    Object.assign(cluster, { health: 'green', status: 200, searchStatus: 200, hangs: 0 }, change);
    await sample();
    return last.get('search-cluster');
  };
  expect({
    whole: await found({}),
    uncopied: await found({ health: 'yellow' }),
    'without the right to its health': await found({ status: 403 }),
    'without any right': await found({ status: 403, searchStatus: 403 }),
    'in part': await found({ health: 'red' }),
    'with a node that hangs, asked first': await found({ hangs: 1 }),
    'of another installation': await found({ holder: { installation: 'another', mark: 'x' } }),
  }).toEqual({
    whole: 'good',
    uncopied: 'good',
    'without the right to its health': 'good',
    'without any right': 'bad',
    'in part': 'bad',
    'with a node that hangs, asked first': 'good',
    'of another installation': 'impaired',
  });
}, 60_000);

/** Responds like an empty OpenSearch in the given `state`. */
async function startClusterDouble(state: {
  health: string;
  status: number;
  searchStatus: number;
  hangs: number;
  holder: unknown;
}): Promise<string> {
  const names = ['lectern-1-public', 'lectern-1-private'];
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const { url = '', method } = request;
    const send = (status: number, answer: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    if (url.includes('/_cluster/health')) {
      state.hangs -= 1;
      if (state.hangs < 0) send(state.status, { status: state.health, number_of_nodes: 3 });
      return;
    }
    if (url.includes('/_search')) return send(state.searchStatus, { hits: { hits: [] } });
    if (url.includes('/_settings')) return send(200, {});
    if (url.endsWith('/_mapping') && method === 'PUT') state.holder = JSON.parse(body)._meta.lecternHolder;
    if (url === '/') return send(200, { version: { number: '2.11.0', distribution: 'opensearch' } });
    const index = {
      mappings: { _meta: { lecternLayout: 1, lecternHolder: state.holder } },
      settings: { index: { uuid: 'u', number_of_replicas: '1' } },
    };
    send(200, Object.fromEntries(names.map((name) => [name, index])));
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

test('no status response reveals private names, hosts, or the cause of a failed check', async () => {
  const { rig, sample, indexPrivate } = await cleanRig();
  const secrets = [await indexPrivate('secret-plans'), rig.dataFolder, 'local-owner', 'secret-plans'];
  await rig.ask(searchEndpoints.search, { query: 'chapter' });
  rig.running.installation.features.status.needs.sampling.probes.push({
    part: 'mail',
    run: () => Promise.reject(new Error(`connect ECONNREFUSED mail.internal.example at ${rig.dataFolder}`)),
  });
  await sample();
  const { modules } = await rig.ask(libraryEndpoints.listModules, {});
  expect(modules.map(({ moduleId }) => moduleId)).toContain('secret-plans');
  const paths = [
    '/api/status',
    '/api/status/history',
    '/api/status/latency',
    '/api/status/incidents',
    '/status.txt',
    '/status.atom',
  ];
  for (const path of paths) {
    for (const sender of [rig.visitor, rig.operator]) {
      const answer = await rig.send(path, { headers: sender });
      expect(answer.status).toBe(200);
      const text = await answer.text();
      for (const secret of [...secrets, 'ECONNREFUSED', 'internal.example', '    at '])
        expect(text).not.toContain(secret);
    }
  }
  expect((await rig.ask(statusEndpoints.getStatus, {}, rig.visitor)).state).toBe('degraded');
});

test('incidents appear in the report, the text and the feed, with their markup escaped', async () => {
  const { rig, sample } = await cleanRig();
  await sample();
  const session = await rig.signIn();
  const attack = '</title><script>alert(1)</script>&\u0000\u001b[31m';
  const { incident } = await rig.ask(statusEndpoints.openIncident, { title: attack, body: attack }, session);
  expect(await rig.ask(statusEndpoints.getStatus, {}, rig.visitor)).toMatchObject({
    state: 'degraded',
    incidents: [{ id: incident.id, state: 'investigating' }],
  });
  const feed = await (await rig.send('/status.atom')).text();
  expect(feed).toContain('&lt;script&gt;');
  expect(feed).not.toMatch(/<script|\u0000|\u001b/);
  const text = await rig.send('/status.txt');
  expect(text.headers.get('content-type')).toContain('text/plain');
  expect(await text.text()).not.toMatch(/\u0000|\u001b/);
  const { incidentId } = { incidentId: incident.id };
  await rig.ask(statusEndpoints.updateIncident, { incidentId, state: 'monitoring', body: 'Better' }, session);
  await rig.ask(statusEndpoints.resolveIncident, { incidentId }, session);
  expect(await rig.ask(statusEndpoints.listIncidents, {}, rig.visitor)).toMatchObject({
    incidents: [{ id: incidentId, state: 'resolved', phase: 'past' }],
  });
  const { secret } = await rig.createKey();
  const refused = await rig.refusal(
    statusEndpoints.openIncident,
    { title: 'x', body: 'y' },
    { authorization: `Bearer ${secret}` },
  );
  expect(refused).toMatchObject({ status: 403, code: 'permission-denied' });
  expect(await rig.refusal(statusEndpoints.openIncident, { title: 'x', body: 'y' }, rig.visitor)).toMatchObject({
    status: 401,
  });
});

test('answered searches and reads are counted with their duration', async () => {
  const { rig, sample } = await cleanRig();
  await rig.ask(searchEndpoints.search, { query: 'chapter' });
  await rig.refusal(searchEndpoints.search, { query: ' ' });
  await sample();
  const latency = await rig.ask(statusEndpoints.getStatusLatency, { range: '24h' }, rig.visitor);
  expect(latency.search).toHaveLength(96);
  expect(latency.total.search).toMatchObject({ calls: 1, errors: 0 });
  expect(latency.total.search.p95).toBeGreaterThanOrEqual(latency.total.search.p50 ?? Number.NaN);
  expect(latency.total.read).toMatchObject({ calls: 0, p50: null });
  expect(await rig.refusal(statusEndpoints.getStatusLatency, { range: '1y' }, rig.visitor)).toMatchObject({
    status: 400,
  });
});

test('the probe search costs no credits and is not counted', async () => {
  const { rig, sample, indexPublic } = await cleanRig();
  await indexPublic('open-docs');
  await sample();
  const report = await rig.ask(statusEndpoints.getStatus, {}, rig.visitor);
  expect(report.checks.find(({ part }) => part === 'search')).toMatchObject({ state: 'operational' });
  expect(report.index?.latest.map(({ moduleId }) => moduleId)).toEqual(['open-docs']);
  const { db } = rig.running.installation.base;
  expect(await db.query.selectFrom('callReceipts').selectAll().execute()).toEqual([]);
  expect((await rig.ask(statusEndpoints.getStatusLatency, {}, rig.visitor)).total.search.calls).toBe(0);
});
