import { mkdirSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { libraryEndpoints } from '#contract/library.ts';
import { originOf } from '#server/cli/connect.ts';
import { httpCall } from '#server/cli/http-api.ts';
import { serve } from '#server/cli/serve.ts';
import { findHolder } from '#server/platform/data-folder-lock.ts';
import { productVersion } from '#server/platform/product-version.ts';
import { findRunningServer } from '#server/platform/running-server.ts';
import { serveSite, startCli } from '../cli/run-cli.ts';
import { startSampleSite } from '../library/sample-site.ts';
import { newDataFolder, startServerProcess } from '../library/server-process.ts';
import { startModelServer } from '../services/chat-model.ts';
import { canListen, freePort } from '../services/free-port.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { until } from '../services/until.ts';
import { configOf, openHttpRig, rawRequest } from './http-rig.ts';

type ClientOptions = ConstructorParameters<typeof Client>[1];

test('a server that is still opening its data reports this to every caller at once', async () => {
  const dataFolder = join(temporaryFolder(), 'data');
  mkdirSync(dataFolder);
  const blocker = new DatabaseSync(join(dataFolder, 'data.sqlite'));
  blocker.exec('begin exclusive');
  const port = await freePort();
  const starting = serve({ ...configOf(dataFolder), port });
  onTestFinished(async () => (await starting).close());
  const answer = await until('the server listens', () => rawRequest(port, { path: '/healthz' }).catch(() => undefined));
  expect(answer).toMatchObject({ status: 503 });
  expect(JSON.parse(answer.text)).toMatchObject({ ready: false, error: { code: 'unavailable' } });
  expect(answer.headers['retry-after']).toBe('1');
  expect(await rawRequest(port, { path: '/mcp', method: 'POST' })).toMatchObject({ status: 503 });
  blocker.exec('commit');
  blocker.close();
  await starting;
  const ready = await rawRequest(port, { path: '/healthz' });
  expect(ready.status).toBe(200);
  expect(JSON.parse(ready.text)).toEqual({
    ...{ ready: true, product: 'Lectern', version: productVersion },
    roles: ['web', 'mcp', 'worker'],
  });
});

test('a server whose database fails is live but not ready, and reveals no more than that', async () => {
  const rig = await openHttpRig();
  await rig.running.installation.base.db.close();
  const answer = await rig.send('/readyz');
  expect([answer.status, await answer.json()]).toEqual([503, { ready: false }]);
  const alive = await rig.send('/healthz');
  expect(alive.status).toBe(200);
  expect(Object.keys((await alive.json()) as object).sort()).toEqual(['product', 'ready', 'roles', 'version']);
});

test('a stop signal ends a start that waits for a file store', async () => {
  const asked = Promise.withResolvers<void>();
  const silent = await serveSite(() => asked.resolve());
  const env = { BLOB_STORE: 's3://files', S3_ENDPOINT: silent.origin, S3_ACCESS_KEY_ID: 'id' };
  const { child, ended } = startCli(['start', '--data', temporaryFolder(), '--port', '0'], {
    env: { ...env, S3_SECRET_ACCESS_KEY: 'secret', LECTERN_SECRET: 'ab'.repeat(32) },
  });
  await Promise.race([asked.promise, ended]);
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 130, errors: 'Stopped before the server was ready.\n' });
});

test('an idle connection is kept open longer than proxies keep it', async () => {
  const rig = await openHttpRig();
  const answer = await rig.send('/healthz', { headers: { connection: 'keep-alive' } });
  const [, seconds] = /^timeout=(\d+)$/.exec(answer.headers.get('keep-alive') ?? '') ?? [];
  expect(Number(seconds)).toBeGreaterThan(120);
});

test('a failed start leaves nothing behind: the folder and the port are free', async () => {
  const dataFolder = join(temporaryFolder(), 'data');
  mkdirSync(join(dataFolder, 'data.sqlite'), { recursive: true });
  const port = await freePort();
  await expect(serve({ ...configOf(dataFolder), port })).rejects.toMatchObject({ name: 'DatabaseError' });
  expect(await findHolder(dataFolder)).toBeUndefined();
  expect(await canListen(port)).toBe(true);
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => taken.close(() => resolve(undefined))));
  const other = join(temporaryFolder(), 'data');
  await expect(serve({ ...configOf(other), port })).rejects.toThrow(`Port ${port} is in use.`);
  expect(await findHolder(other)).toBeUndefined();
});

const hasIPv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'));

test.skipIf(!hasIPv6)('a server on an IPv6 address announces an address that commands can reach', async () => {
  const dataFolder = join(temporaryFolder(), 'data');
  const running = await serve(configOf(dataFolder, { LECTERN_HOST: '::1' }));
  onTestFinished(() => running.close());
  expect(running.url).toBe(`http://[::1]:${running.port}`);
  const announced = await findRunningServer(dataFolder);
  if (announced === undefined) throw new Error('the server did not announce itself');
  const { operatorToken } = announced;
  const { modules } = await httpCall(originOf(announced), operatorToken)(libraryEndpoints.listModules, {});
  expect(modules).toEqual([]);
});

test('a request in progress is answered before the server stops', async () => {
  const site = await startSampleSite(1);
  onTestFinished(() => site.close());
  const rig = await openHttpRig({ LECTERN_ALLOW_HOSTS: site.host });
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  site.onRequest = () => held;
  const page = encodeURIComponent(`${site.url}page0.html`);
  const reading = rig.send(`/api/read?url=${page}`, { headers: rig.operator });
  await until('the page is asked for', () => site.takeRequests().length > 0);
  const closing = rig.running.close();
  await until('the server is no longer announced', async () => (await findRunningServer(rig.dataFolder)) === undefined);
  expect(await findHolder(rig.dataFolder)).toBeDefined();
  await expect(rawRequest(rig.port, { path: '/healthz' })).rejects.toThrow('ECONNREFUSED');
  letGo();
  const answer = await reading;
  expect(answer.status).toBe(200);
  expect(JSON.stringify(await answer.json())).toContain('Original text 0.');
  await closing;
  expect(await findHolder(rig.dataFolder)).toBeUndefined();
  expect(await canListen(rig.port)).toBe(true);
});

test.each(['2026-07-28', 'legacy'])(
  'an agent’s call (%s) in progress is answered before the server stops',
  async (era) => {
    const site = await startSampleSite(1);
    onTestFinished(() => site.close());
    const rig = await openHttpRig({ LECTERN_ALLOW_HOSTS: site.host });
    const { sender } = await rig.createKey();
    const mode = era === 'legacy' ? 'legacy' : { pin: era };
    const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode } } as ClientOptions);
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${rig.url}/mcp`), { requestInit: { headers: sender } }),
    );
    onTestFinished(() => client.close());
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    site.onRequest = () => held;
    const read = { name: 'lectern_read_url', arguments: { url: `${site.url}page0.html` } };
    const answer = client.callTool(read);
    const early = answer.then(
      () => 'answered',
      (error: unknown) => String(error),
    );
    await until('the page is asked for', () => site.takeRequests().length > 0);
    const closing = rig.running.close();
    await until(
      'the server is no longer announced',
      async () => (await findRunningServer(rig.dataFolder)) === undefined,
    );
    await setImmediate();
    letGo();
    expect(await early).toBe('answered');
    expect(JSON.stringify(await answer)).toContain('Original text 0.');
    await closing;
  },
);

test('a request that arrives while the server stops is answered, and its connection is closed', async () => {
  const rig = await openHttpRig();
  const socket = connect(rig.port, '127.0.0.1');
  let received = '';
  let isOver = false;
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  socket.on('close', () => {
    isOver = true;
  });
  // Started before, so that the connection is not idle.
  socket.write('GET /api/modules HTTP/1.1\r\n');
  await until('the server has the beginning', async () => socket.bytesWritten > 0 && (await rig.send('/healthz')).ok);
  const closing = rig.running.close();
  await until('the server is no longer announced', async () => (await findRunningServer(rig.dataFolder)) === undefined);
  socket.write(`host: 127.0.0.1:${rig.port}\r\n\r\n`);
  await closing;
  await until('the connection is closed', () => isOver);
  expect(received).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  expect(received.toLowerCase()).toContain('connection: close');
});

test('SIGTERM ends the process with code 0, and its run continues at the next start', async () => {
  const site = await startSampleSite(80);
  onTestFinished(() => site.close());
  const dataFolder = newDataFolder();
  const server = await startServerProcess(dataFolder, site.host);
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  let isReached = false;
  site.onRequest = (name) => {
    isReached ||= name === 'page60';
    return isReached ? held : undefined;
  };
  const { job } = await server.call(libraryEndpoints.startIndexJob, { source: site.url, moduleId: 'sample' });
  await until('the run is in the middle', () => isReached);
  server.child.kill('SIGTERM');
  const ended = await server.ended;
  expect({ code: ended.code, signal: server.child.signalCode }).toEqual({ code: 0, signal: null });
  expect(ended.errors).toContain('Stopping…');
  expect(await findHolder(dataFolder)).toBeUndefined();
  expect(await findRunningServer(dataFolder)).toBeUndefined();
  expect(await canListen(Number(new URL(server.url).port))).toBe(true);
  letGo();
  site.onRequest = undefined;
  site.takeRequests();

  const next = await startServerProcess(dataFolder, site.host);
  await until('the run has ended', async () => {
    const { job: now } = await next.call(libraryEndpoints.getJob, { jobId: job.id });
    if (now.status === 'FAILED') throw new Error(now.error ?? '');
    return now.status === 'COMPLETE';
  });
  // Pages recorded before the stop are not requested again.
  expect(site.takeRequests().map(({ name }) => name)).not.toContain('page20');
  await next.kill();
});

test('a stopping server finishes a chat answer if other servers run, and cuts it off otherwise', {
  timeout: 180_000,
}, async () => {
  const model = await startModelServer();
  onTestFinished(() => model.stop());
  for (const drainSeconds of ['1', '0']) {
    const written = Promise.withResolvers<void>();
    model.script = [[{ say: 'First words ' }, { wait: written.promise }, { say: 'and the rest.' }]];
    const environment = { ...model.environment, LECTERN_DRAIN_SECONDS: drainSeconds };
    const server = await startServerProcess(newDataFolder(), '', environment);
    const asked = model.questions.length;
    const question = JSON.stringify({ question: 'How is the flange tightened?' });
    const response = await fetch(`${server.url}/api/chat`, { method: 'POST', body: question });
    const answer = response.text();
    await until('the model is asked', () => model.questions.length > asked);
    server.child.kill('SIGTERM');
    await until('no request is taken', () =>
      fetch(`${server.url}/healthz`).then(
        () => false,
        () => true,
      ),
    );
    // A cut answer ends while the model is still writing.
    if (drainSeconds === '0') await answer;
    written.resolve();
    const state = drainSeconds === '0' ? 'stopped' : 'complete';
    expect(await answer).toContain(`"state":"${state}"`);
    expect((await server.ended).code).toBe(0);
  }
});

test('a second SIGTERM ends the process at once, even with requests in progress', async () => {
  const site = await startSampleSite(1);
  onTestFinished(() => site.close());
  site.onRequest = () => new Promise(() => undefined);
  const dataFolder = newDataFolder();
  const server = await startServerProcess(dataFolder, site.host);
  const page = encodeURIComponent(`${site.url}page0.html`);
  const announced = await findRunningServer(dataFolder);
  const headers = { authorization: `Bearer ${announced?.operatorToken}` };
  const reading = fetch(`${server.url}/api/read?url=${page}`, { headers }).catch(() => undefined);
  await until('the page is asked for', () => site.takeRequests().length > 0);
  server.child.kill('SIGTERM');
  await until('the server is stopping', () => server.errors().includes('Stopping…'));
  server.child.kill('SIGTERM');
  expect((await server.ended).code).toBe(130);
  await reading;
  expect(await findHolder(dataFolder)).toBeUndefined();
});
